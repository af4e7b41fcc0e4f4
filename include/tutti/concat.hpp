// Concatenation of arrays along an axis. Every input is computed into its part of the result: the
// result is written once, whatever the number of inputs, and expressions among them are not stored.
#pragma once
#include <initializer_list>
#include <ranges>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Concatenates arrays of one type whose extents on all other axes are equal.
NodeRef concat(std::span<const NodeRef> parts, int axis, const Location& where);
// Concatenates arrays of one type and shape along a new axis.
NodeRef stack(std::span<const NodeRef> parts, int axis, const Location& where);

template <class R>
concept ArrayRange =
    std::ranges::input_range<R> && requires(const std::ranges::range_value_t<R>& a) {
      typename std::ranges::range_value_t<R>::element;
      { a.node(0) } -> std::convertible_to<NodeRef>;
    };

// Applies combine(nodes) to the inputs, component by component.
template <int Rank, class T, class R, class Combine>
auto for_components_of_all(const R& arrays, Combine combine) {
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) {
    std::vector<NodeRef> parts;
    for (const auto& a : arrays) parts.push_back(a.node(c));
    nodes[c] = combine(parts);
  }
  return Array<Rank, canonical_t<T>>(std::move(nodes));
}

template <int D, class T, class R>
auto concat_arrays(const R& arrays, int axis, const Location& where) {
  return for_components_of_all<D, T>(
      arrays, [&](const std::vector<NodeRef>& parts) { return concat(parts, axis, where); });
}
template <int D, class T, class R>
auto stack_arrays(const R& arrays, int axis, const Location& where) {
  static_assert(D < max_rank, "an Array has at most 8 dimensions");
  return for_components_of_all<D + 1, T>(
      arrays, [&](const std::vector<NodeRef>& parts) { return stack(parts, axis, where); });
}

}  // namespace detail

// Concatenates arrays along an axis: concat({a, b, c}, axis). Their other extents must be equal.
template <int D, class T>
requires(D > 0)
Array<D, canonical_t<T>> concat(
    std::initializer_list<Array<D, T>> arrays, int axis = 0,
    const std::source_location& where = std::source_location::current()) {
  return detail::concat_arrays<D, T>(arrays, axis, where);
}
template <detail::ArrayRange R>
requires(std::ranges::range_value_t<R>::rank > 0)
auto concat(const R& arrays, int axis = 0,
            const std::source_location& where = std::source_location::current()) {
  using A = std::ranges::range_value_t<R>;
  return detail::concat_arrays<A::rank, typename A::element>(arrays, axis, where);
}

// Joins arrays of one shape along a new axis: stack({a, b, c}, axis). Scalars become a vector.
template <int D, class T>
Array<D + 1, canonical_t<T>> stack(
    std::initializer_list<Array<D, T>> arrays, int axis = 0,
    const std::source_location& where = std::source_location::current()) {
  return detail::stack_arrays<D, T>(arrays, axis, where);
}
template <detail::ArrayRange R>
auto stack(const R& arrays, int axis = 0,
           const std::source_location& where = std::source_location::current()) {
  using A = std::ranges::range_value_t<R>;
  return detail::stack_arrays<A::rank, typename A::element>(arrays, axis, where);
}

// Turns the components of tuples into a new axis, and an axis of extent N into tuples.
template <int D, class T>
requires(components<T> > 1)
Array<D + 1, scalar_t<T>> components_to_axis(
    const Array<D, T>& a, int axis = D,
    const std::source_location& where = std::source_location::current()) {
  return Array<D + 1, scalar_t<T>>(detail::stack(a.nodes(), axis, where));
}
template <int N, int D, ScalarType T>
requires(D > 0)
Array<D - 1, canonical_t<Value<N, T>>> axis_to_components(
    const Array<D, T>& a, int axis = D - 1,
    const std::source_location& where = std::source_location::current()) {
  detail::Extents shape = a.shape().extents();
  if (axis < 0 || axis >= D || shape[axis] != N)
    throw ShapeError("axis_to_components: axis " + std::to_string(axis) + " of the shape " +
                     detail::to_string(shape) + " does not hold " + std::to_string(N) +
                     " components" + detail::at(where));
  std::array<detail::NodeRef, N> nodes;
  for (int c = 0; c < N; ++c) {
    std::vector<Range> part;
    for (int i = 0; i < D; ++i) part.push_back(i == axis ? Range{c, 1} : Range{0, shape[i]});
    nodes[c] = detail::drop_dimension(detail::section(a.node(), part, where), axis, where);
  }
  return Array<D - 1, canonical_t<Value<N, T>>>(std::move(nodes));
}

}  // namespace tutti
TUTTI_END_EXPORTS
