// Reductions and scans with a user-defined operator (a Function of two tuples), built from ordinary
// nodes: the same bits on every device, and no special code for any of them. `components` are those
// of the elements. Operators that match a named reduction become the reductions and scans of that
// name.
//
// A reduction combines groups of consecutive elements in order, then the results of the groups in
// the same way, until one is left. Axes and segments are grouped alike, so a segment gives the same
// bits as its elements alone. A scan is grouped by the positions of elements.
#pragma once
#include "program/function.hpp"

namespace tutti::ir {

using Components = std::vector<NodeRef>;

Components fold_axes(const Function& combine, Components components, std::span<const int> axes,
                     const Location& where);
// `neutral` (of rank 0, or one for each segment) is the result of an empty segment. If it is empty,
// the operator must match a named reduction, whose neutral element is used.
Components fold_segments(const Function& combine, const Components& components,
                         const NodeRef& offsets, const Components& neutral, const Location& where);

// Scans along the last axis, or within segments if there are offsets. An exclusive scan begins with
// the neutral element (of rank 0, or of the shape of the elements), which is combined with the
// others.
Components scan_with(const Function& combine, const Components& components, const NodeRef& offsets,
                     bool exclusive, const Components& neutral, const Location& where);

// An operator on elements with these components.
struct Operator {
  Function function;
  int64_t group;  // elements that one kernel combines
};
Operator operator_on(const Components& components, const Function& function, const char* operation,
                     const Location& where);

// Inclusive scan along the last axis.
Components scan_groups(const Operator& combine, const Components& components,
                       const Location& where);

Components choose_all(const NodeRef& condition, const Components& yes, const Components& no,
                      const Location& where);
Components both(const Components& left, const Components& right);

}  // namespace tutti::ir
