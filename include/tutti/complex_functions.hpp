// Functions of complex arrays: roots, powers, logarithms, trigonometric and hyperbolic functions
// and their inverses. Branch cuts are those of C99: where the sign of a zero decides, it does. No
// intermediate result overflows where the result does not, except near the largest number itself.
#pragma once
#include "tutti/complex_array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

struct ComplexNodes {
  NodeRef real, imag;
};

enum class ComplexFunction : uint8_t {
  sqrt,
  exp,
  expm1,
  log,
  log2,
  log10,
  log1p,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  reciprocal,
  sign
};
ComplexNodes apply(ComplexFunction function, const ComplexNodes& a, const Location& where);
// Divides without overflow of the square of the divisor.
ComplexNodes complex_divide(const ComplexNodes& a, const ComplexNodes& b, const Location& where);
// 0 to the power of 0 is 1; to another power with a positive real part, 0.
ComplexNodes complex_power(const ComplexNodes& a, const ComplexNodes& b, const Location& where);

template <int D, class T>
Array<D, std::complex<T>> array_of(ComplexNodes nodes) {
  return Array<D, std::complex<T>>(std::array{std::move(nodes.real), std::move(nodes.imag)});
}
template <int D, class T>
ComplexNodes nodes_of(const Array<D, std::complex<T>>& a) {
  return {a.node(0), a.node(1)};
}

}  // namespace detail

#define TUTTI_COMPLEX_FUNCTION(name)                                               \
  template <int D, class T>                                                        \
  Array<D, std::complex<T>> name(                                                  \
      const Array<D, std::complex<T>>& a,                                          \
      const std::source_location& where = std::source_location::current()) {       \
    return detail::array_of<D, T>(                                                 \
        detail::apply(detail::ComplexFunction::name, detail::nodes_of(a), where)); \
  }
TUTTI_COMPLEX_FUNCTION(sqrt)
TUTTI_COMPLEX_FUNCTION(exp)
TUTTI_COMPLEX_FUNCTION(expm1)
TUTTI_COMPLEX_FUNCTION(log)
TUTTI_COMPLEX_FUNCTION(log2)
TUTTI_COMPLEX_FUNCTION(log10)
TUTTI_COMPLEX_FUNCTION(log1p)
TUTTI_COMPLEX_FUNCTION(sin)
TUTTI_COMPLEX_FUNCTION(cos)
TUTTI_COMPLEX_FUNCTION(tan)
TUTTI_COMPLEX_FUNCTION(asin)
TUTTI_COMPLEX_FUNCTION(acos)
TUTTI_COMPLEX_FUNCTION(atan)
TUTTI_COMPLEX_FUNCTION(sinh)
TUTTI_COMPLEX_FUNCTION(cosh)
TUTTI_COMPLEX_FUNCTION(tanh)
TUTTI_COMPLEX_FUNCTION(asinh)
TUTTI_COMPLEX_FUNCTION(acosh)
TUTTI_COMPLEX_FUNCTION(atanh)
#undef TUTTI_COMPLEX_FUNCTION

template <int D, class T>
Array<D, std::complex<T>> pow(const Array<D, std::complex<T>>& a,
                              const Array<D, std::complex<T>>& b,
                              const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D, T>(
      detail::complex_power(detail::nodes_of(a), detail::nodes_of(b), where));
}

}  // namespace tutti
TUTTI_END_EXPORTS
