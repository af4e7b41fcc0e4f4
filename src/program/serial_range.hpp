// Combines ranges of consecutive elements in order by a user-defined operator, in one program node
// with a loop. An unrolled form would have a copy of the operator for each element. Also short
// names for the nodes around it.
#pragma once
#include "graph/terms.hpp"
#include "program/user_reduction.hpp"

namespace tutti::ir {

// Combines, for each pair of indices, the elements [begin, end) of a vector; each range has at
// least one. `in_groups`: combines groups of the operator's size first, then their results.
Components fold_ranges(const Operator& combine, const Components& components, const NodeRef& begins,
                       const NodeRef& ends, bool in_groups, const Location& where);

inline NodeRef number(int64_t value, const Location& where) {
  return make_constant(scalar_value(static_cast<int32_t>(value)), {}, where);
}
inline NodeRef pick(const NodeRef& from, const NodeRef& place, const Location& where) {
  return make_gather(from, {&place, 1}, Boundary::Kind::clamp, {}, where);
}

}  // namespace tutti::ir
