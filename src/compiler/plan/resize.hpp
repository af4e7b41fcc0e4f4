// Makes a plan for other lengths from an existing one: sizes change, decisions stay. Programs whose
// data change size at every step, as nested ones do, would otherwise be planned at every step.
#pragma once
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

// Maps the lengths of a graph to new ones. 0 and 1 are structure: they stay.
class TUTTI_EXPORT NewLengths {
 public:
  NewLengths(std::span<const int64_t> from, std::span<const int64_t> to);
  int64_t of(int64_t length);
  void add(int64_t from, int64_t to);
  bool are_known() const { return known_; }  // whether all requested lengths were known

 private:
  std::vector<std::pair<int64_t, int64_t>> lengths_;
  bool known_ = true;
};

// Returns null if the structure of a kernel depends on the lengths; then the graph must be planned
// again. The graphs have arrays of rank 0 and 1 only. They belong to the same size class
// (collect.hpp), or each has one length above 1.
TUTTI_EXPORT std::unique_ptr<Plan> resize(const Plan& plan, NewLengths lengths);

}  // namespace tutti::compiler
