// Applicative primitives: map, zip_with, reduce, scan, outer and index with user-defined
// functions, on arrays of every rank. They nest freely and store no intermediate array. An element
// of map(f, a) is computed where it is used, also inside of a reduction or a scan. The array a may
// be a slice, a transpose or another map.
//
// A function is a Program, a generic lambda, or a lambda on Values, which may use the control flow
// of programs:
//
//   map([](auto x) { return x * x; }, a)
//   zip_with([](Value1f x, Value1f y) { TUTTI_IF (x < y) { x = y; } TUTTI_ENDIF; return x; }, a, b)
//
// The operator of a reduction or a scan must be associative: the grouping of elements depends on
// the extents alone. Operators that Tutti knows by name (a + b, a * b, max, min, and, or, xor) are
// recognised and run as sum(a), sum_scan(a) and so on.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/fold.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

template <class X>
using ElementOfOperand = ElementOf<typename OperandTraits<X>::scalar, OperandTraits<X>::parts>;

// Calls a generic function with the arrays, and captures a function on Values.
template <class F, class... X>
auto apply_function(const F& f, const Location& where, const X&... x) {
  if constexpr (std::is_invocable_v<const F&, const X&...>) {
    return f(x...);
  } else {
    using Result = std::invoke_result_t<const F&, Variable<ElementOfOperand<X>>&...>;
    const Array<result_rank<X...>, canonical_t<ValueOf<Result>>> result =
        capture_function<Variable<ElementOfOperand<X>>...>(f, where)(x...);
    return result;
  }
}

template <int Rank, class T>
Array<Rank, canonical_t<T>> array_of(const std::vector<NodeRef>& nodes) {
  std::array<NodeRef, components<T>> parts;
  std::copy(nodes.begin(), nodes.end(), parts.begin());
  return Array<Rank, canonical_t<T>>(parts);
}

template <int Rank, class F, int D, class T>
Array<Rank, canonical_t<T>> reduce_by(const F& f, const Array<D, T>& a, std::span<const int> axes,
                                      const Location& where) {
  return array_of<Rank, T>(reduce_with(operator_program<T>(f, where).handle(),
                                       {a.nodes().begin(), a.nodes().end()}, axes, where));
}

// Returns the components of a scalar or tuple.
template <class T>
std::array<ScalarValue, components<T>> numbers_of(const canonical_t<T>& x) {
  std::array<ScalarValue, components<T>> result;
  for (int c = 0; c < components<T>; ++c)
    if constexpr (ScalarType<canonical_t<T>>)
      result[c] = scalar_value(x);
    else
      result[c] = scalar_value(x.get(c));
  return result;
}

template <class F, class T>
Array<1, canonical_t<T>> reduce_segments_by(const F& f, const Array<1, T>& a,
                                            const NodeRef& offsets,
                                            std::span<const ScalarValue> neutral,
                                            const Location& where) {
  return array_of<1, T>(reduce_segments_with(operator_program<T>(f, where).handle(),
                                             {a.nodes().begin(), a.nodes().end()}, offsets, neutral,
                                             where));
}

template <class F, int D, class T>
Array<D, canonical_t<T>> scan_by(const F& f, const Array<D, T>& a, const NodeRef& offsets,
                                 Scan kind, std::span<const ScalarValue> neutral,
                                 const Location& where) {
  return array_of<D, T>(scan_with(operator_program<T>(f, where).handle(),
                                  {a.nodes().begin(), a.nodes().end()}, offsets,
                                  kind == Scan::exclusive, neutral, where));
}

}  // namespace detail

// Applies f to every element.
template <class F, detail::IsArray A>
auto map(const F& f, const A& a,
         const std::source_location& where = std::source_location::current()) {
  return detail::apply_function(f, where, a);
}

// Applies f to the elements of several arrays with the same index. Host scalars are repeated.
template <class F, detail::IsOperand... X>
requires(sizeof...(X) > 0 && (detail::IsArray<X> || ...))
auto zip_with(const F& f, const X&... x) {
  return detail::apply_function(f, std::source_location(), x...);
}

// Combines all elements in row-major order, or those along one axis or several. Throws an error if
// there are no elements.
template <int D, class T, detail::Combines<T> F>
Array<0, canonical_t<T>> reduce(
    const F& f, const Array<D, T>& a,
    const std::source_location& where = std::source_location::current()) {
  return detail::reduce_by<0>(f, a, detail::all_axes<D>(), where);
}
template <int D, class T, detail::Combines<T> F>
requires(D > 0)
Array<D - 1, canonical_t<T>> reduce(
    const F& f, const Array<D, T>& a, int axis,
    const std::source_location& where = std::source_location::current()) {
  const int axes[] = {axis};
  return detail::reduce_by<D - 1>(f, a, axes, where);
}
template <int D, class T, int K, detail::Combines<T> F>
requires(K <= D)
Array<D - K, canonical_t<T>> reduce(
    const F& f, const Array<D, T>& a, const int (&axes)[K],
    const std::source_location& where = std::source_location::current()) {
  return detail::reduce_by<D - K>(f, a, axes, where);
}

// Combines each element with all elements before it, along the last axis or within its segment. An
// exclusive scan leaves the element itself out and begins with the neutral element. `neutral` may
// be omitted only for operators that are known by name.
template <int D, class T, detail::Combines<T> F>
requires(D > 0)
Array<D, canonical_t<T>> scan(const F& f, const Array<D, T>& a, Scan kind = Scan::inclusive,
                              const std::source_location& where = std::source_location::current()) {
  return detail::scan_by(f, a, {}, kind, {}, where);
}
template <int D, class T, detail::Combines<T> F>
requires(D > 0)
Array<D, canonical_t<T>> scan(const F& f, const Array<D, T>& a, Scan kind,
                              const std::type_identity_t<canonical_t<T>>& neutral,
                              const std::source_location& where = std::source_location::current()) {
  return detail::scan_by(f, a, {}, kind, detail::numbers_of<T>(neutral), where);
}
template <class T, detail::OffsetType I, detail::Combines<T> F>
Array<1, canonical_t<T>> scan(const F& f, const Array<1, T>& a, const Array<1, I>& offsets,
                              Scan kind = Scan::inclusive,
                              const std::source_location& where = std::source_location::current()) {
  return detail::scan_by(f, a, offsets.node(), kind, {}, where);
}
template <class T, detail::OffsetType I, detail::Combines<T> F>
Array<1, canonical_t<T>> scan(const F& f, const Array<1, T>& a, const Array<1, I>& offsets,
                              Scan kind, const std::type_identity_t<canonical_t<T>>& neutral,
                              const std::source_location& where = std::source_location::current()) {
  return detail::scan_by(f, a, offsets.node(), kind, detail::numbers_of<T>(neutral), where);
}

// Combines the elements of each segment, in the order and by the tree of reduce(f, a) on that
// segment. Empty segments yield the neutral element, which may be omitted only for operators that
// are known by name.
template <class T, detail::OffsetType I, detail::Combines<T> F>
Array<1, canonical_t<T>> segmented_reduce(
    const F& f, const Array<1, T>& a, const Array<1, I>& offsets,
    const std::source_location& where = std::source_location::current()) {
  return detail::reduce_segments_by(f, a, offsets.node(), {}, where);
}
template <class T, detail::OffsetType I, detail::Combines<T> F>
Array<1, canonical_t<T>> segmented_reduce(
    const F& f, const Array<1, T>& a, const Array<1, I>& offsets,
    const std::type_identity_t<canonical_t<T>>& neutral,
    const std::source_location& where = std::source_location::current()) {
  return detail::reduce_segments_by(f, a, offsets.node(), detail::numbers_of<T>(neutral), where);
}

// Counts the elements that satisfy a predicate.
template <class F, int D, class T>
auto count(const F& predicate, const Array<D, T>& a,
           const std::source_location& where = std::source_location::current()) {
  const Array<D, bool> holds = map(predicate, a, where);
  return count(holds, where);
}

// Returns outer(f, a, b)[i..., j...] = f(a[i...], b[j...]).
template <class F, int D, class T, int E, class U>
requires(D + E <= max_rank)
auto outer(const F& f, const Array<D, T>& a, const Array<E, U>& b,
           const std::source_location& where = std::source_location::current()) {
  detail::Extents shape = a.shape().extents();
  for (int axis = 0; axis < E; ++axis) shape.push_back(b.extent(axis));
  const auto rows = detail::for_each_component<D + E>(a, [&](detail::NodeRef node, int) {
    for (int axis = D; axis < D + E; ++axis)
      node = detail::add_dimension(node, axis, shape[axis], where);
    return node;
  });
  return detail::apply_function(f, where, rows, broadcast(b, Shape<D + E>(shape), where));
}

// Returns the element at an index, as an array of rank 0. Throws ShapeError if it is outside.
template <int D, class T>
requires(D > 0)
Array<0, canonical_t<T>> index(
    const Array<D, T>& a, const std::type_identity_t<Shape<D>>& place,
    const std::source_location& where = std::source_location::current()) {
  std::vector<Range> ranges;
  for (int axis = 0; axis < D; ++axis) {
    if (place[axis] < 0 || place[axis] >= a.extent(axis))
      throw ShapeError("index: " + detail::to_string(place.extents()) +
                       " is outside of the shape " + detail::to_string(a.shape().extents()) +
                       detail::at(where));
    ranges.push_back({place[axis], 1, 1});
  }
  return detail::for_each_component<0>(a, [&](const detail::NodeRef& node, int) {
    detail::NodeRef element = detail::section(node, ranges, where);
    for (int axis = 0; axis < D; ++axis) element = detail::drop_dimension(element, 0, where);
    return element;
  });
}

}  // namespace tutti
TUTTI_END_EXPORTS
