// Order, scans and the indices of extreme elements along any axis of an array. Sorting is stable;
// NaNs are last in both directions; -0 equals +0.
#pragma once
#include <utility>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/fold.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

NodeRef scan_along(Reduction reduction, const NodeRef& input, int axis, bool exclusive,
                   const Location& where);
NodeRef sort_along(const NodeRef& keys, int axis, bool descending, const Location& where);
// Returns the coordinate on the axis that each element of the sorted array had, as int32.
NodeRef arg_sort_along(const NodeRef& keys, int axis, bool descending, const Location& where);
// Returns the first coordinate on the axis that has the greatest (least) element, as int32, and the
// element.
std::pair<NodeRef, NodeRef> extreme_along(Reduction reduction, const NodeRef& input, int axis,
                                          const Location& where);
// Returns the first `count` elements of each sorted line along the axis, and their coordinates.
std::pair<NodeRef, NodeRef> top_along(const NodeRef& input, int64_t count, int axis,
                                      bool descending, const Location& where);
// result[..., i, ...] = a[..., indices[..., i, ...], ...]
NodeRef take_along(const NodeRef& input, const NodeRef& indices, int axis, const Location& where);

template <class Out, int D, class T>
auto scan_axis(Reduction reduction, const Array<D, T>& a, int axis, Scan scan_kind,
               const Location& where) {
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c)
    nodes[c] =
        scan_along(reduction, operand<Out>(a, c, where), axis, scan_kind == Scan::exclusive, where);
  return Array<D, ElementOf<Out, components<T>>>(std::move(nodes));
}

template <int D, class T>
auto extremes(Reduction reduction, const Array<D, T>& a, int axis, const Location& where) {
  auto [coordinate, element] = extreme_along(reduction, a.node(), axis, where);
  return std::pair(Array<D - 1, int32_t>(std::move(coordinate)),
                   Array<D - 1, T>(std::move(element)));
}

}  // namespace detail

// sum_scan(a, axis)[..., i, ...] = a[..., 0, ...] + ... + a[..., i, ...]; likewise product_scan,
// min_scan, max_scan and the other reductions.
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  template <int D, class T>                                                                       \
  requires(D > 0)                                                                                 \
  auto id##_scan(const Array<D, T>& a, int axis, Scan kind = Scan::inclusive,                     \
                 const std::source_location& where = std::source_location::current()) {           \
    using Out = detail::ReducedType<detail::ReductionResult::result, scalar_t<T>>;                \
    return detail::scan_axis<Out>(Reduction::id, a, axis, kind, where);                           \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

// Sorts each line along an axis.
template <int D, ScalarType T>
requires(D > 0)
Array<D, T> sort(const Array<D, T>& a, int axis, Order order = Order::ascending,
                 const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::sort_along(a.node(), axis, order == Order::descending, where));
}
// Returns the coordinates on the axis that sort each line: take_along(a, arg_sort(a, 0), 0) equals
// sort(a, 0).
template <int D, ScalarType T>
requires(D > 0)
Array<D, int32_t> arg_sort(const Array<D, T>& a, int axis = D - 1, Order order = Order::ascending,
                           const std::source_location& where = std::source_location::current()) {
  return Array<D, int32_t>(
      detail::arg_sort_along(a.node(), axis, order == Order::descending, where));
}
// Returns result[..., i, ...] = a[..., indices[..., i, ...], ...]. It applies the indices of
// arg_sort() and top_k() to another array. A coordinate outside of the array reads the nearest
// element.
template <int D, class T>
requires(D > 0)
auto take_along(const Array<D, T>& a, const Array<D, int32_t>& indices, int axis,
                const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::take_along(node, indices.node(), axis, where);
  });
}

// Returns for each line along an axis the coordinate of its greatest (least) element, the first of
// several, and the element: auto [where, what] = arg_max(a, 1). A NaN is greatest and least.
template <int D, ScalarType T>
requires(D > 0)
auto arg_max(const Array<D, T>& a, int axis,
             const std::source_location& where = std::source_location::current()) {
  return detail::extremes(Reduction::max, a, axis, where);
}
template <int D, ScalarType T>
requires(D > 0)
auto arg_min(const Array<D, T>& a, int axis,
             const std::source_location& where = std::source_location::current()) {
  return detail::extremes(Reduction::min, a, axis, where);
}

// Returns the k greatest elements of each line along an axis, the greatest first, and their
// coordinates on it. Order::ascending returns the k least. NaNs come after all numbers.
template <int D, ScalarType T>
requires(D > 1)
TopK<D, T> top_k(const Array<D, T>& a, int64_t k, int axis = D - 1, Order order = Order::descending,
                 const std::source_location& where = std::source_location::current()) {
  auto [values, indices] = detail::top_along(a.node(), k, axis, order == Order::descending, where);
  return {Array<D, T>(std::move(values)), Array<D, int32_t>(std::move(indices))};
}

}  // namespace tutti
TUTTI_END_EXPORTS
