// Functions of complex arrays: roots, powers, logarithms, trigonometric and hyperbolic functions
// and their inverses. Branch cuts are those of C99: where the sign of a zero decides, it does. No
// intermediate result overflows where the result does not, except near the largest number itself.
#pragma once
#include "tutti/complex_operators.hpp"
#include "tutti/complex_reduce.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

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
// 0 to the power of 0 is 1; to another power with a positive real part, 0.
ComplexNodes complex_power(const ComplexNodes& a, const ComplexNodes& b, const Location& where);

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

// reciprocal() returns 1 / a, sign() a / abs(a), or 0 for 0.
TUTTI_COMPLEX_FUNCTION(reciprocal)
TUTTI_COMPLEX_FUNCTION(sign)
#undef TUTTI_COMPLEX_FUNCTION

// Functions that need an order of the numbers, or are not defined for complex ones here.
#define TUTTI_NOT_COMPLEX(name)                                                                \
  template <int D, class T>                                                                    \
  Array<D, T> name(const Array<D, std::complex<T>>& a,                                         \
                   const std::source_location& = std::source_location::current()) {            \
    static_assert(detail::never<T>, #name " takes no complex numbers: apply it to the parts"); \
    return a.real();                                                                           \
  }
TUTTI_NOT_COMPLEX(floor)
TUTTI_NOT_COMPLEX(ceil)
TUTTI_NOT_COMPLEX(trunc)
TUTTI_NOT_COMPLEX(round)
TUTTI_NOT_COMPLEX(rint)
TUTTI_NOT_COMPLEX(cbrt)
TUTTI_NOT_COMPLEX(rsqrt)
TUTTI_NOT_COMPLEX(exp2)
TUTTI_NOT_COMPLEX(exp10)
TUTTI_NOT_COMPLEX(erf)
TUTTI_NOT_COMPLEX(erfc)
TUTTI_NOT_COMPLEX(tgamma)
TUTTI_NOT_COMPLEX(lgamma)
#undef TUTTI_NOT_COMPLEX

// Returns a to the power b, on the principal branch. 0 to the power 0 is 1.
template <class A, class B>
requires detail::ComplexOperands<A, B>
auto pow(const A& a, const B& b,
         const std::source_location& where = std::source_location::current()) {
  using T = detail::ComplexMeet<A, B>;
  const auto x = detail::as_complex<T>(a);
  const auto y = detail::as_complex<T>(b);
  constexpr int D = std::max(decltype(x)::rank, decltype(y)::rank);
  return detail::array_of<D, T>(
      detail::complex_power(detail::nodes_of(x), detail::nodes_of(y), where));
}
// An integer power is a product of squares, which is exact where the products are.
template <int D, class T, detail::Integer I>
Array<D, std::complex<T>> pow(const Array<D, std::complex<T>>& a, I power,
                              const std::source_location& where = std::source_location::current()) {
  const auto wide = static_cast<int64_t>(power);
  auto rest = wide < 0 ? uint64_t{0} - static_cast<uint64_t>(wide) : static_cast<uint64_t>(wide);
  Array<D, std::complex<T>> result(a.shape(), std::complex<T>(1), where), square = a;
  for (bool first = true; rest != 0; rest >>= 1) {
    if (rest & 1) result = first ? square : result * square;
    first = first && (rest & 1) == 0;
    if (rest > 1) square = square * square;
  }
  return wide < 0 ? reciprocal(result, where) : result;
}

}  // namespace tutti
TUTTI_END_EXPORTS
