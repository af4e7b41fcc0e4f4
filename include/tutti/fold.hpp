// Reductions and scans with a user-defined operator, on which applicative.hpp is built, and the
// indices of extreme elements.
#pragma once
#include "tutti/access.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/program.hpp"
#include "tutti/reduce.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Combines the elements along these axes with an operator, in order, by a tree that depends on the
// extents alone. `components` are the components of the elements.
std::vector<NodeRef> reduce_with(const ProgramHandle& combiner, std::vector<NodeRef> components,
                                 std::span<const int> axes, const Location& where);

// Does the same within each segment of a vector. Empty segments yield the neutral element, whose
// components may be omitted for operators that are known by name.
std::vector<NodeRef> reduce_segments_with(const ProgramHandle& combiner,
                                          const std::vector<NodeRef>& components,
                                          const NodeRef& offsets,
                                          std::span<const ScalarValue> neutral,
                                          const Location& where);

// Combines every element with those before it, along the last axis or, if there are offsets, within
// segments. Exclusive scans begin with the neutral element.
std::vector<NodeRef> scan_with(const ProgramHandle& combiner,
                               const std::vector<NodeRef>& components, const NodeRef& offsets,
                               bool exclusive, std::span<const ScalarValue> neutral,
                               const Location& where);

// Returns the row-major position, among these axes, of the first greatest (least) element, as
// int64.
NodeRef extreme_position(Reduction max_or_min, const NodeRef& input, std::span<const int> axes,
                         const Location& where);

template <class T, class F>
Program operator_program(const F& f, const Location& where) {
  if constexpr (std::is_same_v<F, Program>)
    return f;
  else
    return capture_function<Variable<T>, Variable<T>>(f, where);
}

template <class F, class T>
concept Combines =
    std::is_same_v<F, Program> || std::is_invocable_v<const F&, Variable<T>&, Variable<T>&>;

// Returns the coordinates of the first greatest (least) element.
template <int D, class T>
Array<0, canonical_t<Value<D, int32_t>>> first_extreme(Reduction max_or_min, const Array<D, T>& a,
                                                       const Location& where) {
  const Shape<D> shape = a.shape();
  if (shape.size() == 0)
    throw ShapeError("arg_min, arg_max: the array has no elements" + at(where));
  Array<0, int64_t> first(extreme_position(max_or_min, a.node(), all_axes<D>(), where));
  std::array<NodeRef, D> nodes;
  for (int axis = D - 1; axis >= 0; --axis) {
    nodes[axis] = cast<int32_t>(Array<0, int64_t>(first % shape[axis]), where).node();
    first = Array<0, int64_t>(first / shape[axis]);
  }
  return Array<0, canonical_t<Value<D, int32_t>>>(std::move(nodes));
}

}  // namespace detail

// Returns the index of the greatest (least) element, the first in row-major order, and the element:
// auto [where, what] = arg_max(a). A NaN is greatest and least, as for max_val and min_val.
template <int D, ScalarType T>
requires(D > 0)
auto arg_max(const Array<D, T>& a,
             const std::source_location& where = std::source_location::current()) {
  return std::pair(detail::first_extreme(Reduction::max, a, where), max_val(a, where));
}
template <int D, ScalarType T>
requires(D > 0)
auto arg_min(const Array<D, T>& a,
             const std::source_location& where = std::source_location::current()) {
  return std::pair(detail::first_extreme(Reduction::min, a, where), min_val(a, where));
}
// A tuple of one component is equivalent to its component.
template <int D, ScalarType T>
requires(D > 0)
auto arg_max(const Array<D, Value<1, T>>& a,
             const std::source_location& where = std::source_location::current()) {
  return arg_max(Array<D, T>(a), where);
}
template <int D, ScalarType T>
requires(D > 0)
auto arg_min(const Array<D, Value<1, T>>& a,
             const std::source_location& where = std::source_location::current()) {
  return arg_min(Array<D, T>(a), where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
