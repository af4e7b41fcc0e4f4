// Transformations: arrays made of the elements of another by an affine map of the coordinates. They
// are not computed separately: the map is applied where elements are read.
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Applies build(node, component) to each component of a tuple.
template <int Rank, int D, class T, class Build>
auto for_each_component(const Array<D, T>& a, Build build) {
  std::array<NodeRef, components<T>> nodes;
  for (int c = 0; c < components<T>; ++c) nodes[c] = build(a.node(c), c);
  return Array<Rank, canonical_t<T>>(std::move(nodes));
}

// An extent in braces. From a list of them, unlike from Shape<D>, the rank follows.
struct ListedExtent {
  template <Integer I>
  ListedExtent(I extent) : extent(static_cast<int64_t>(extent)) {}
  int64_t extent;
};
template <size_t N>
Shape<static_cast<int>(N)> listed_shape(const ListedExtent (&list)[N]) {
  static_assert(N <= max_rank, "an Array has between 0 and 8 dimensions");
  Shape<static_cast<int>(N)> result;
  for (size_t axis = 0; axis < N; ++axis) result[static_cast<int>(axis)] = list[axis].extent;
  return result;
}

}  // namespace detail

// Returns result[i] = a[i - by]. Outside of a, the boundary rule decides.
template <int D, class T>
auto shift(const Array<D, T>& a, const Shape<D>& by, const Boundary& boundary = Boundary::clamp(),
           const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int c) {
    return detail::shift(node, std::span(by.begin(), by.end()), boundary, c, where);
  });
}

// Returns result[i] = a[(i - by) mod extent].
template <int D, class T>
auto rotate(const Array<D, T>& a, const Shape<D>& by,
            const std::source_location& where = std::source_location::current()) {
  return shift(a, by, Boundary::wrap(), where);
}

// Returns result[i] = a[begin + stride * i] for i < count, on each axis. The range must be inside
// of a; a negative stride walks backwards.
template <int D, class T>
auto section(const Array<D, T>& a, const PerAxis<Range>& ranges,
             const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::section(node, ranges.items(), where);
  });
}

// Returns an array of the given shape that repeats a on every axis: result[i] = a[i mod extent].
template <int D, class T>
auto replicate(const Array<D, T>& a, const Shape<D>& shape,
               const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::replicate(node, shape.extents(), where);
  });
}

// Adds margins around a, filled by the boundary rule.
template <int D, class T>
auto expand(const Array<D, T>& a, const PerAxis<Margin>& margins,
            const Boundary& boundary = Boundary::wrap(),
            const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int c) {
    return detail::expand(node, margins.items(), boundary, c, "expand", where);
  });
}

// Adds margins of a constant around a.
template <int D, class T>
auto pad(const Array<D, T>& a, const PerAxis<Margin>& margins, const canonical_t<T>& value,
         const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int c) {
    return detail::expand(node, margins.items(), Boundary::constant(value), c, "pad", where);
  });
}

// Permutes the axes: axis k of the result is axis axes[k] of a. Without axes their order is
// reversed.
template <int D, class T>
auto transpose(const Array<D, T>& a, const Shape<D>& axes,
               const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::transpose(node, std::span(axes.begin(), axes.end()), where);
  });
}
template <int D, class T>
auto transpose(const Array<D, T>& a,
               const std::source_location& where = std::source_location::current()) {
  Shape<D> axes;
  for (int k = 0; k < D; ++k) axes[k] = D - 1 - k;
  return transpose(a, axes, where);
}

// Returns the elements of a whose coordinate on the axis is 0, without that axis.
template <int D, class T>
requires(D > 0)
auto drop_dimension(const Array<D, T>& a, int axis,
                    const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D - 1>(a, [&](const detail::NodeRef& node, int) {
    return detail::drop_dimension(node, axis, where);
  });
}

// Inserts an axis, along which a repeats `extent` times.
template <int D, class T>
auto add_dimension(const Array<D, T>& a, int axis, int64_t extent = 1,
                   const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D + 1>(a, [&](const detail::NodeRef& node, int) {
    return detail::add_dimension(node, axis, extent, where);
  });
}

// Repeats a along axes of extent 1, and along new leading axes, to the given shape.
template <int R, int D, class T>
auto broadcast(const Array<D, T>& a, const Shape<R>& shape,
               const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<R>(a, [&](const detail::NodeRef& node, int) {
    return detail::broadcast(node, shape.extents(), where);
  });
}
template <class T, int D, size_t N>
auto broadcast(const Array<D, T>& a, const detail::ListedExtent (&shape)[N],
               const std::source_location& where = std::source_location::current()) {
  return broadcast(a, detail::listed_shape(shape), where);
}

// Returns the same elements in row-major order in another shape of the same size.
template <int R, int D, class T>
auto reshape(const Array<D, T>& a, const Shape<R>& shape,
             const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<R>(a, [&](const detail::NodeRef& node, int) {
    return detail::reshape(node, shape.extents(), where);
  });
}
template <class T, int D, size_t N>
auto reshape(const Array<D, T>& a, const detail::ListedExtent (&shape)[N],
             const std::source_location& where = std::source_location::current()) {
  return reshape(a, detail::listed_shape(shape), where);
}

// Element types of index arrays.
template <class I>
concept IndexType = std::is_same_v<I, int32_t> || std::is_same_v<I, int64_t>;

// Returns an array whose elements are their own coordinates on one axis. Nothing is stored.
template <int D>
Array<D, int32_t> index(const Shape<D>& shape, int axis,
                        const std::source_location& where = std::source_location::current()) {
  return Array<D, int32_t>(detail::index(shape.extents(), axis, where));
}
// Does the same in 64 bits, for axes of more than 2^31 elements: index<int64_t>(shape, axis).
template <IndexType I, int D>
Array<D, I> index(const Shape<D>& shape, int axis,
                  const std::source_location& where = std::source_location::current()) {
  return Array<D, I>(detail::index(shape.extents(), axis, where, element_type<I>));
}
template <IndexType I = int32_t, size_t N>
auto index(const detail::ListedExtent (&shape)[N], int axis,
           const std::source_location& where = std::source_location::current()) {
  return tutti::index<I>(detail::listed_shape(shape), axis, where);
}

namespace detail {
template <int D, class T, int R, class F, class... I>
auto gather_at(const Location& where, const Array<D, T>& a, const Boundary& boundary,
               const Array<R, F>& first, const Array<R, I>&... rest) {
  static_assert(sizeof...(I) + 1 == D, "gather: one index array for each axis of the array");
  static_assert(IndexType<F> && (IndexType<I> && ...),
                "gather: index arrays have elements of int32_t or int64_t");
  const NodeRef indices[] = {first.node(), rest.node()...};
  return for_each_component<R>(
      a, [&](const NodeRef& node, int c) { return gather(node, indices, boundary, c, where); });
}
}  // namespace detail

// Returns gather(a, i, j, ...)[k] = a[i[k], j[k], ...], with one index array for each axis of a.
// Coordinates outside of a follow the boundary rule. The result has the shape of the index arrays,
// each of which is int32 or int64.
template <int D, class T, int R, class F, class... I>
auto gather(const Array<D, T>& a, const Boundary& boundary, const Array<R, F>& first,
            const Array<R, I>&... rest) {
  return detail::gather_at(std::source_location(), a, boundary, first, rest...);
}
template <int D, class T, int R, class F, class... I>
auto gather(const Array<D, T>& a, const Array<R, F>& first, const Array<R, I>&... rest) {
  return detail::gather_at(std::source_location(), a, Boundary::clamp(), first, rest...);
}
// The same for vectors, images and volumes, with the source line. (No default argument can follow
// the pack.)
template <class T, int R, class I>
auto gather(const Array<1, T>& a, const Boundary& boundary, const Array<R, I>& i,
            const std::source_location& where = std::source_location::current()) {
  return detail::gather_at(where, a, boundary, i);
}
template <class T, int R, class I>
auto gather(const Array<1, T>& a, const Array<R, I>& i,
            const std::source_location& where = std::source_location::current()) {
  return detail::gather_at(where, a, Boundary::clamp(), i);
}
template <class T, int R, class I, class J>
auto gather(const Array<2, T>& a, const Boundary& boundary, const Array<R, I>& i,
            const Array<R, J>& j,
            const std::source_location& where = std::source_location::current()) {
  return detail::gather_at(where, a, boundary, i, j);
}
template <class T, int R, class I, class J>
auto gather(const Array<2, T>& a, const Array<R, I>& i, const Array<R, J>& j,
            const std::source_location& where = std::source_location::current()) {
  return detail::gather_at(where, a, Boundary::clamp(), i, j);
}
template <class T, int R, class I, class J, class K>
auto gather(const Array<3, T>& a, const Boundary& boundary, const Array<R, I>& i,
            const Array<R, J>& j, const Array<R, K>& k,
            const std::source_location& where = std::source_location::current()) {
  return detail::gather_at(where, a, boundary, i, j, k);
}
template <class T, int R, class I, class J, class K>
auto gather(const Array<3, T>& a, const Array<R, I>& i, const Array<R, J>& j, const Array<R, K>& k,
            const std::source_location& where = std::source_location::current()) {
  return detail::gather_at(where, a, Boundary::clamp(), i, j, k);
}

}  // namespace tutti
TUTTI_END_EXPORTS
