// Functions on std::complex<Value1f>. The standard library computes them with host branches, which
// programs cannot take. Argument-dependent lookup finds these: write abs(z), not std::abs(z).
// Operators, conj, norm, real and imag are those of std.
#pragma once
#include <complex>

#include "tutti/detail/export.hpp"
#include "tutti/value_functions.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Operators of std take a Value beside a complex number, and no number.
#define TUTTI_COMPLEX_VALUE_OPERATOR(symbol)                                                  \
  template <class T, ScalarType S>                                                            \
  std::complex<Value<1, T>> operator symbol(const std::complex<Value<1, T>>& z, const S& x) { \
    return z symbol Value<1, T>(x);                                                           \
  }                                                                                           \
  template <class T, ScalarType S>                                                            \
  std::complex<Value<1, T>> operator symbol(const S& x, const std::complex<Value<1, T>>& z) { \
    return Value<1, T>(x) symbol z;                                                           \
  }
TUTTI_COMPLEX_VALUE_OPERATOR(+)
TUTTI_COMPLEX_VALUE_OPERATOR(-)
TUTTI_COMPLEX_VALUE_OPERATOR(*)
TUTTI_COMPLEX_VALUE_OPERATOR(/)
#undef TUTTI_COMPLEX_VALUE_OPERATOR

// abs() returns the magnitude, arg() the angle, polar() the number with these. log() is on its
// principal branch.
template <class T>
Value<1, T> abs(const std::complex<Value<1, T>>& z) {
  return hypot(z.real(), z.imag());
}
template <class T>
Value<1, T> arg(const std::complex<Value<1, T>>& z) {
  return atan2(z.imag(), z.real());
}
template <class T>
std::complex<Value<1, T>> polar(const Value<1, T>& length, const Value<1, T>& angle) {
  return {length * cos(angle), length * sin(angle)};
}
template <class T>
std::complex<Value<1, T>> exp(const std::complex<Value<1, T>>& z) {
  return tutti::polar(Value<1, T>(exp(z.real())), z.imag());
}
template <class T>
std::complex<Value<1, T>> log(const std::complex<Value<1, T>>& z) {
  return {log(abs(z)), arg(z)};
}
// Returns the root whose real part is not negative. The formula avoids cancellation.
template <class T>
std::complex<Value<1, T>> sqrt(const std::complex<Value<1, T>>& z) {
  const Value<1, T> large = sqrt((abs(z) + abs(z.real())) * T(0.5f));
  const Value<1, T> small = cond(large == T(0), Value<1, T>(0), abs(z.imag()) / (large + large));
  const Value<1, bool> right = z.real() >= T(0);
  return {cond(right, large, small), copysign(cond(right, small, large), z.imag())};
}
// Returns z to the power `to`. The power of 0 is NaN, because log(0) has no angle.
template <class T>
std::complex<Value<1, T>> pow(const std::complex<Value<1, T>>& z,
                              const std::complex<Value<1, T>>& to) {
  return exp(to * log(z));
}

}  // namespace tutti
TUTTI_END_EXPORTS
