// A plan for other lengths, made from one that there is: numbers change, decisions stay. Programs
// whose data have ever other sizes, as nested ones do, would plan at every step otherwise.
#pragma once
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

// What became of the lengths of a graph. 0 and 1 are structure: they stay.
class TUTTI_EXPORT NewLengths {
 public:
  NewLengths(std::span<const int64_t> from, std::span<const int64_t> to);
  int64_t of(int64_t length);
  void add(int64_t from, int64_t to);
  bool are_known() const { return known_; }  // all lengths that were asked for were known

 private:
  std::vector<std::pair<int64_t, int64_t>> lengths_;
  bool known_ = true;
};

// Nothing where the structure of a kernel depends on the lengths: then it must be planned again.
// The graphs have arrays of rank 0 and 1 only and are of the same size class (collect.hpp), or of
// one length above 1 each.
TUTTI_EXPORT std::unique_ptr<Plan> resize(const Plan& plan, NewLengths lengths);

}  // namespace tutti::compiler
