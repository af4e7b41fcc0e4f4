// Products and views of complex matrices in the last two axes of arrays. A product is four products
// of real matrices. matrices.hpp has the factorisations.
#pragma once
#include "tutti/complex_reduce.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/matrices.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Combines the four products of parts that make a product of complex numbers.
template <int A, int B, class T, class F>
auto product_of_parts(const Array<A, std::complex<T>>& a, const Array<B, std::complex<T>>& b,
                      const F& product) {
  return complex_of(product(a.real(), b.real()) - product(a.imag(), b.imag()),
                    product(a.real(), b.imag()) + product(a.imag(), b.real()));
}

}  // namespace detail

// Contracts the last axis of a with the first of b, without conjugating: the scalar product of
// vectors is inner_product(conj(a), b).
template <int A, int B, class T>
requires(A > 0 && B > 0)
Array<A + B - 2, std::complex<T>> inner_product(
    const Array<A, std::complex<T>>& a, const Array<B, std::complex<T>>& b,
    const std::source_location& where = std::source_location::current()) {
  return detail::product_of_parts(
      a, b, [&](const auto& x, const auto& y) { return inner_product(x, y, where); });
}
// Returns result[i..., j...] = a[i...] * b[j...].
template <int A, int B, class T>
requires(A + B <= max_rank)
Array<A + B, std::complex<T>> outer_product(
    const Array<A, std::complex<T>>& a, const Array<B, std::complex<T>>& b,
    const std::source_location& where = std::source_location::current()) {
  return detail::product_of_parts(
      a, b, [&](const auto& x, const auto& y) { return outer_product(x, y, where); });
}
// Multiplies the matrices in the last two axes, as for real elements.
template <int A, int B, class T>
requires(A > 0 && B > 0 && (B <= 2 || A > 1))
Array<detail::product_rank(A, B), std::complex<T>> matmul(
    const Array<A, std::complex<T>>& a, const Array<B, std::complex<T>>& b,
    const std::source_location& where = std::source_location::current()) {
  return detail::product_of_parts(
      a, b, [&](const auto& x, const auto& y) { return matmul(x, y, where); });
}
// Sums products of one or two complex arrays, with a letter for each axis.
template <int R, int D, class T>
Array<R, std::complex<T>> einsum(std::string_view subscripts, const Array<D, std::complex<T>>& a) {
  return detail::complex_of(einsum<R>(subscripts, a.real()), einsum<R>(subscripts, a.imag()));
}
template <int R, int A, int B, class T>
Array<R, std::complex<T>> einsum(std::string_view subscripts, const Array<A, std::complex<T>>& a,
                                 const Array<B, std::complex<T>>& b) {
  return detail::product_of_parts(
      a, b, [&](const auto& x, const auto& y) { return einsum<R>(subscripts, x, y); });
}

// Exchanges the last two axes; conjugate_transpose() also conjugates.
template <int D, class T>
requires(D >= 2)
Array<D, std::complex<T>> matrix_transpose(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  return detail::complex_of(matrix_transpose(a.real(), where), matrix_transpose(a.imag(), where));
}
template <int D, class T>
requires(D >= 2)
Array<D, std::complex<T>> conjugate_transpose(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  return matrix_transpose(conj(a), where);
}
// Returns a diagonal, and the sum of the main one.
template <int D, class T>
requires(D >= 2)
Array<D - 1, std::complex<T>> diagonal(
    const Array<D, std::complex<T>>& a, int64_t which = 0,
    const std::source_location& where = std::source_location::current()) {
  return detail::complex_of(diagonal(a.real(), which, where), diagonal(a.imag(), which, where));
}
template <int D, class T>
requires(D >= 2)
Array<D - 2, std::complex<T>> trace(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  return sum(diagonal(a, 0, where), D - 2, where);
}

// Solves a x = b for vectors, and returns the inverse. A singular matrix yields infinities and NaN.
template <int D, class T>
requires(D >= 2)
Array<D - 1, std::complex<T>> solve(
    const Array<D, std::complex<T>>& a, const Array<D - 1, std::complex<T>>& b,
    const std::source_location& where = std::source_location::current()) {
  return drop_dimension(solve(a, add_dimension(b, D - 1, 1, where), where), D - 1, where);
}
template <int D, class T>
requires(D >= 2)
Array<D, std::complex<T>> inverse(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  const detail::Extents shape = a.shape().extents();
  const Array<D, int32_t> row(detail::index(shape, D - 2, where));
  const Array<D, int32_t> column(detail::index(shape, D - 1, where));
  return solve(a, Array<D, std::complex<T>>(cast<T>(row == column)), where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
