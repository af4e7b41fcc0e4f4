// Transformations: arrays made of the elements of another, by an affine map of the coordinates.
// They cost nothing by themselves: the map is applied where the data is read.
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

// result[i] = a[i - by]; where that is outside of a, the boundary rule decides.
template <int D, class T>
auto shift(const Array<D, T>& a, const Shape<D>& by, const Boundary& boundary = Boundary::clamp(),
           const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int c) {
    return detail::shift(node, std::span(by.begin(), by.end()), boundary, c, where);
  });
}

// result[i] = a[(i - by) mod extent].
template <int D, class T>
auto rotate(const Array<D, T>& a, const Shape<D>& by,
            const std::source_location& where = std::source_location::current()) {
  return shift(a, by, Boundary::wrap(), where);
}

// result[i] = a[begin + stride * i] for i < count, on each axis. The range must lie inside of a; a
// negative stride walks backwards.
template <int D, class T>
auto section(const Array<D, T>& a, const PerAxis<Range>& ranges,
             const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::section(node, ranges.items(), where);
  });
}

// An array of the given shape that repeats a on every axis: result[i] = a[i mod extent].
template <int D, class T>
auto replicate(const Array<D, T>& a, const Shape<D>& shape,
               const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::replicate(node, shape.extents(), where);
  });
}

// a with margins around it, filled by the boundary rule.
template <int D, class T>
auto expand(const Array<D, T>& a, const PerAxis<Margin>& margins,
            const Boundary& boundary = Boundary::wrap(),
            const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int c) {
    return detail::expand(node, margins.items(), boundary, c, "expand", where);
  });
}

// a with margins of a constant around it.
template <int D, class T>
auto pad(const Array<D, T>& a, const PerAxis<Margin>& margins, const canonical_t<T>& value,
         const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int c) {
    return detail::expand(node, margins.items(), Boundary::constant(value), c, "pad", where);
  });
}

// Axis k of the result is axis axes[k] of a; without axes, in reverse order.
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

// The elements of a whose coordinate on the axis is 0, without that axis.
template <int D, class T>
requires(D > 0)
auto drop_dimension(const Array<D, T>& a, int axis,
                    const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D - 1>(a, [&](const detail::NodeRef& node, int) {
    return detail::drop_dimension(node, axis, where);
  });
}

// a with a new axis, along which it repeats `extent` times.
template <int D, class T>
auto add_dimension(const Array<D, T>& a, int axis, int64_t extent = 1,
                   const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D + 1>(a, [&](const detail::NodeRef& node, int) {
    return detail::add_dimension(node, axis, extent, where);
  });
}

// a repeated along axes of extent 1, and along new leading axes, to the given shape.
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

// The same elements in row-major order under another shape of the same size.
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

// An array whose elements are their own coordinates on one axis; nothing is stored.
template <int D>
Array<D, int32_t> index(const Shape<D>& shape, int axis,
                        const std::source_location& where = std::source_location::current()) {
  return Array<D, int32_t>(detail::index(shape.extents(), axis, where));
}
// In 64 bits: index<int64_t>(shape, axis), for axes of more than 2^31 elements.
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

// gather(a, i, j, ...)[k] = a[i[k], j[k], ...], one index array for each axis of a; coordinates
// outside of a follow the boundary rule. The result has the shape of the index arrays, each of
// which is int32 or int64.
template <int D, class T, int R, IndexType F, IndexType... I>
requires(sizeof...(I) + 1 == D)
auto gather(const Array<D, T>& a, const Boundary& boundary, const Array<R, F>& first,
            const Array<R, I>&... rest) {
  const detail::NodeRef indices[] = {first.node(), rest.node()...};
  return detail::for_each_component<R>(a, [&](const detail::NodeRef& node, int c) {
    return detail::gather(node, indices, boundary, c, std::source_location());
  });
}
template <int D, class T, int R, IndexType F, IndexType... I>
requires(sizeof...(I) + 1 == D)
auto gather(const Array<D, T>& a, const Array<R, F>& first, const Array<R, I>&... rest) {
  return gather(a, Boundary::clamp(), first, rest...);
}

}  // namespace tutti
TUTTI_END_EXPORTS
