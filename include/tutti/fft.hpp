// Discrete Fourier transforms along any axis, of any length: result[k] = sum of a[j] exp(-2 pi i j
// k / n). Inverse transforms have the opposite sign and divide by n. Lengths whose prime factors
// are at most 7 take one stage for each factor; others use Bluestein's algorithm. The order of
// operations is fixed, so the bits are the same on every device.
#pragma once
#include "tutti/complex_functions.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

ComplexNodes fft(const ComplexNodes& a, int axis, bool inverse, const Location& where);
// Returns the first n / 2 + 1 elements of the transform of n real numbers. The rest are conjugates.
ComplexNodes real_fft(const NodeRef& a, int axis, const Location& where);
// Returns n real numbers from the first n / 2 + 1 elements of their transform.
NodeRef inverse_real_fft(const ComplexNodes& a, int64_t n, int axis, const Location& where);

template <int D>
Shape<D> half_turn(const Shape<D>& shape, bool back) {
  Shape<D> by;
  for (int axis = 0; axis < D; ++axis) by[axis] = back ? -(shape[axis] / 2) : shape[axis] / 2;
  return by;
}

}  // namespace detail

// Transforms each line along one axis separately.
template <int D, class T>
requires(D > 0)
Array<D, std::complex<T>> fft(const Array<D, std::complex<T>>& a, int axis = D - 1,
                              const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D, T>(detail::fft(detail::nodes_of(a), axis, false, where));
}
template <int D, class T>
requires(D > 0)
Array<D, std::complex<T>> ifft(
    const Array<D, std::complex<T>>& a, int axis = D - 1,
    const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D, T>(detail::fft(detail::nodes_of(a), axis, true, where));
}

// Transforms real numbers to as many complex ones. Use rfft() to compute half of them.
template <int D, detail::ComplexPart T>
requires(D > 0)
Array<D, std::complex<T>> fft(const Array<D, T>& a, int axis = D - 1,
                              const std::source_location& where = std::source_location::current()) {
  return fft(Array<D, std::complex<T>>(a, where), axis, where);
}

// Transforms n real numbers to n / 2 + 1 complex ones, and back. The transform does not determine
// n: irfft() assumes an even n unless it is given.
template <int D, detail::ComplexPart T>
requires(D > 0)
Array<D, std::complex<T>> rfft(
    const Array<D, T>& a, int axis = D - 1,
    const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D, T>(detail::real_fft(a.node(), axis, where));
}
template <int D, class T>
requires(D > 0)
Array<D, T> irfft(const Array<D, std::complex<T>>& a, int axis = D - 1, int64_t n = -1,
                  const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::inverse_real_fft(detail::nodes_of(a), n, axis, where));
}

// Transforms along all axes, or along the given ones.
template <int D, class T>
requires(D > 0)
Array<D, std::complex<T>> fftn(Array<D, std::complex<T>> a, const std::source_location& where =
                                                                std::source_location::current()) {
  for (int axis = D - 1; axis >= 0; --axis) a = fft(a, axis, where);
  return a;
}
template <int D, class T>
requires(D > 0)
Array<D, std::complex<T>> ifftn(Array<D, std::complex<T>> a, const std::source_location& where =
                                                                 std::source_location::current()) {
  for (int axis = D - 1; axis >= 0; --axis) a = ifft(a, axis, where);
  return a;
}
template <int D, class T, int K>
Array<D, std::complex<T>> fftn(
    Array<D, std::complex<T>> a, const int (&axes)[K],
    const std::source_location& where = std::source_location::current()) {
  for (const int axis : axes) a = fft(a, axis, where);
  return a;
}
template <int D, class T, int K>
Array<D, std::complex<T>> ifftn(
    Array<D, std::complex<T>> a, const int (&axes)[K],
    const std::source_location& where = std::source_location::current()) {
  for (const int axis : axes) a = ifft(a, axis, where);
  return a;
}

// Moves the element of frequency 0 to the middle, along all axes; ifftshift() moves it back.
template <int D, class T>
auto fftshift(const Array<D, T>& a,
              const std::source_location& where = std::source_location::current()) {
  return rotate(a, detail::half_turn(a.shape(), false), where);
}
template <int D, class T>
auto ifftshift(const Array<D, T>& a,
               const std::source_location& where = std::source_location::current()) {
  return rotate(a, detail::half_turn(a.shape(), true), where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
