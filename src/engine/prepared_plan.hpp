// A plan for one expression that runs repeatedly with other buffers and scalars: no graph is built,
// walked or looked up. Immutable; any number of threads may run it.
#pragma once
#include <memory>

#include "engine/plan_executor.hpp"

namespace tutti::engine {

class PreparedPlan {
 public:
  // Plans `root` for the current device. `leaves` and `scalars` are nodes of its graph, in the
  // order in which run() receives their values. A leaf that is listed twice is one operand used
  // twice.
  PreparedPlan(const detail::NodeRef& root, std::span<const detail::NodeRef> leaves,
               std::span<ir::Node* const> scalars);

  // Returns the plan for vectors of another length; all had the length `from`. Returns null if the
  // expression must be planned again.
  std::shared_ptr<const PreparedPlan> resized(int64_t from, int64_t to) const;

  // Returns the result. It is in the memory of `target`, if that is given and holds no operand that
  // is still needed.
  ir::BufferRef run(std::span<const ir::BufferRef* const> leaves,
                    std::span<const ScalarValue> scalars, const ir::BufferRef& target) const;

 private:
  PreparedPlan() = default;
  void note_fates();
  bool can_write_over(const ir::BufferRef& target, std::span<const ir::BufferRef> leaves) const;

  compiler::Plan plan_;
  std::vector<int> leaf_operand_;    // by leaf slot: index of the operand
  std::vector<int> scalar_operand_;  // by scalar slot: index of the operand
  int value_ = -1;                   // value of the plan that is the result...
  int leaf_ = -1;                    // ...or the leaf slot that the result equals
  std::vector<bool> leaf_is_free_, value_is_kept_;
  std::vector<bool> overwritable_;  // by leaf slot: the result may overwrite it
};

}  // namespace tutti::engine
