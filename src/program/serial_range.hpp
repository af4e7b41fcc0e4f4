// Ranges of neighbouring elements combined in order by a user-defined operator: one program node
// with a loop, where the unrolled form would hold the operator for each element. And
// short names for the nodes around it.
#pragma once
#include "graph/terms.hpp"
#include "program/user_reduction.hpp"

namespace tutti::ir {

// For each pair of indices: the elements of a vector from one to before the other, of which there
// is one at least. `in_groups`: groups of the operator's size first, then their results.
Components fold_ranges(const Operator& combine, const Components& components, const NodeRef& begins,
                       const NodeRef& ends, bool in_groups, const Location& where);

inline NodeRef number(int64_t value, const Location& where) {
  return make_constant(scalar_value(static_cast<int32_t>(value)), {}, where);
}
inline NodeRef pick(const NodeRef& from, const NodeRef& place, const Location& where) {
  return make_gather(from, {&place, 1}, Boundary::Kind::clamp, {}, where);
}

}  // namespace tutti::ir
