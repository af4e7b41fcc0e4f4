// A plan for one expression that runs again and again with other buffers and scalars: no graph is
// built, walked or looked up. Immutable once made; any number of threads may run it.
#pragma once
#include <memory>

#include "engine/plan_executor.hpp"

namespace tutti::engine {

class PreparedPlan {
 public:
  // Plans `root` for the current device. `leaves` and `scalars` are nodes of its graph, in the
  // order in which run() gets what belongs to them; a leaf that is listed twice is one operand
  // used twice.
  PreparedPlan(const detail::NodeRef& root, std::span<const detail::NodeRef> leaves,
               std::span<ir::Node* const> scalars);

  // For vectors of another length than it was planned for, all of which had one length; null where
  // this must be planned again.
  std::shared_ptr<const PreparedPlan> resized(int64_t from, int64_t to) const;

  // The result, in the memory of `target` if there is one and no operand that is still needed is
  // in its way.
  ir::BufferRef run(std::span<const ir::BufferRef* const> leaves,
                    std::span<const ScalarValue> scalars, const ir::BufferRef& target) const;

 private:
  PreparedPlan() = default;
  void note_fates();
  bool can_write_over(const ir::BufferRef& target, std::span<const ir::BufferRef> leaves) const;

  compiler::Plan plan_;
  std::vector<int> leaf_operand_;    // by leaf slot: which operand
  std::vector<int> scalar_operand_;  // by scalar slot
  int value_ = -1;                   // of the plan that is the result...
  int leaf_ = -1;                    // ...or the leaf slot that the result equals
  std::vector<bool> leaf_is_free_, value_is_kept_;
  std::vector<bool> overwritable_;  // by leaf slot: the result may be written over it
};

}  // namespace tutti::engine
