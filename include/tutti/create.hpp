// Arrays given by a formula: ranges, grids, the identity, triangles. Nothing is stored; kernels
// that use them compute their elements.
#pragma once
#include <array>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Returns start + step * i for i < count. Floating-point elements are computed in double, integers
// in 64 bits, and then converted.
NodeRef ramp(ScalarValue start, ScalarValue step, int64_t count, ElementType type,
             const Location& where);
// Returns the number of elements of the range from `start` to `stop`, exclusive.
int64_t ramp_count(double start, double stop, double step, const Location& where);
int64_t ramp_count(int64_t start, int64_t stop, int64_t step, const Location& where);
int64_t ramp_count(uint64_t start, uint64_t stop, int64_t step, const Location& where);
// Throws ShapeError if an element of the range does not fit the type.
void check_ramp(int64_t start, int64_t step, int64_t count, ElementType type,
                const Location& where);
inline void check_ramp(uint64_t, int64_t, int64_t, ElementType, const Location&) {}

// The types of the ends and of the step of a range. A step of unsigned elements may be negative.
template <class T>
using RampStep = std::conditional_t<kind<T> == 2, double, int64_t>;
template <class T>
using RampEnd = std::conditional_t<std::is_unsigned_v<T> && sizeof(T) == 8, uint64_t, RampStep<T>>;
NodeRef linspace(double start, double stop, int64_t count, bool endpoint, ElementType type,
                 const Location& where);
// Returns a matrix with 1 where the column is the row plus `diagonal`, and 0 elsewhere.
NodeRef eye(int64_t rows, int64_t columns, int64_t diagonal, ElementType type,
            const Location& where);
// Returns the matrices of the last two axes with 0 above the diagonal (below it, if `upper`).
NodeRef triangle(const NodeRef& a, int64_t diagonal, bool upper, const Location& where);

}  // namespace detail

// Returns start, start + step, ... before stop. Floating-point elements are start + i * step in
// double, rounded to T. Throws ShapeError if an integer of the range does not fit T.
template <ScalarType T = float>
requires(!std::is_same_v<T, bool>)
Array<1, T> arange(detail::RampEnd<T> start, detail::RampEnd<T> stop, detail::RampStep<T> step = 1,
                   const std::source_location& where = std::source_location::current()) {
  const int64_t count = detail::ramp_count(start, stop, step, where);
  if constexpr (detail::kind<T> == 1)
    detail::check_ramp(start, step, count, element_type<T>, where);
  return Array<1, T>(
      detail::ramp(scalar_value(start), scalar_value(step), count, element_type<T>, where));
}

// Returns `count` elements at equal distances from start to stop. The last one is stop, unless
// `endpoint` is false: then stop would be the element after the last.
template <ScalarType T = float>
requires(detail::kind<T> == 2)
Array<1, T> linspace(double start, double stop, int64_t count, bool endpoint = true,
                     const std::source_location& where = std::source_location::current()) {
  return Array<1, T>(detail::linspace(start, stop, count, endpoint, element_type<T>, where));
}

// Returns the identity, or a matrix with 1 on the diagonal that is `diagonal` columns to the right
// of the main one.
template <ScalarType T = float>
Array<2, T> eye(int64_t size, const std::source_location& where = std::source_location::current()) {
  return Array<2, T>(detail::eye(size, size, 0, element_type<T>, where));
}
template <ScalarType T = float>
Array<2, T> eye(int64_t rows, int64_t columns, int64_t diagonal = 0,
                const std::source_location& where = std::source_location::current()) {
  return Array<2, T>(detail::eye(rows, columns, diagonal, element_type<T>, where));
}

// Returns the matrix, or the matrices in the last two axes, with 0 above (below) a diagonal.
template <int D, class T>
requires(D >= 2)
auto tril(const Array<D, T>& a, int64_t diagonal = 0,
          const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::triangle(node, diagonal, false, where);
  });
}
template <int D, class T>
requires(D >= 2)
auto triu(const Array<D, T>& a, int64_t diagonal = 0,
          const std::source_location& where = std::source_location::current()) {
  return detail::for_each_component<D>(a, [&](const detail::NodeRef& node, int) {
    return detail::triangle(node, diagonal, true, where);
  });
}

// Returns the coordinates of a grid, one array for each axis: auto [y, x] = meshgrid(rows,
// columns). The array of axis k repeats vector k along all other axes.
template <class T, class... V>
requires(std::is_same_v<V, Array<1, T>> && ...)
std::array<Array<1 + sizeof...(V), canonical_t<T>>, 1 + sizeof...(V)> meshgrid(
    const Array<1, T>& first, const V&... rest) {
  constexpr int D = 1 + static_cast<int>(sizeof...(V));
  const Array<1, T>* vectors[] = {&first, &rest...};
  Shape<D> shape;
  for (int axis = 0; axis < D; ++axis) shape[axis] = vectors[axis]->size();
  std::array<Array<D, canonical_t<T>>, D> result;
  for (int axis = 0; axis < D; ++axis) {
    Shape<D> own;
    for (int k = 0; k < D; ++k) own[k] = k == axis ? shape[axis] : 1;
    result[static_cast<size_t>(axis)] =
        broadcast(reshape(*vectors[axis], own, std::source_location()), shape);
  }
  return result;
}

}  // namespace tutti
TUTTI_END_EXPORTS
