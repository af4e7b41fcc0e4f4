// Operators on complex arrays, real arrays and numbers, choices between them, and their parts. A
// real operand stays real: it is not converted to a complex number with the imaginary part 0, so
// that signs of zeros and infinities are kept. Division does not square the divisor.
#pragma once
#include "tutti/complex_array.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/elementwise.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

struct ComplexNodes {
  NodeRef real, imag;
};
// Divides by Smith's method: the greater part of the divisor is divided out, so that nothing
// overflows unless the quotient is within a factor of 2 of overflowing.
ComplexNodes complex_divide(const ComplexNodes& a, const ComplexNodes& b, const Location& where);

template <int D, class T>
Array<D, std::complex<T>> array_of(ComplexNodes nodes) {
  return Array<D, std::complex<T>>(std::array{std::move(nodes.real), std::move(nodes.imag)});
}
template <int D, class T>
ComplexNodes nodes_of(const Array<D, std::complex<T>>& a) {
  return {a.node(0), a.node(1)};
}

// Complex arrays and parts of them, which derive from Array.
template <int D, class T>
struct ComplexKind {
  using part = T;
};
template <int D, class T>
ComplexKind<D, T> complex_kind(const Array<D, std::complex<T>>&);
template <class X>
concept IsComplexArray = requires(const X& x) { complex_kind(x); };
template <class X>
constexpr bool is_complex_number = false;
template <ComplexPart T>
constexpr bool is_complex_number<std::complex<T>> = true;
template <class X>
constexpr bool is_real_array = false;
template <IsArray X>
constexpr bool is_real_array<X> = OperandTraits<X>::parts == 1;

template <class X>
concept RealOperand = ScalarType<X> || is_real_array<X>;
template <class X>
concept ComplexOperand = RealOperand<X> || IsComplexArray<X> || is_complex_number<X>;
// At least one array, and at least one complex operand.
template <class A, class B>
concept ComplexOperands =
    ComplexOperand<A> && ComplexOperand<B> && !(RealOperand<A> && RealOperand<B>) &&
    (IsComplexArray<A> || IsComplexArray<B> || is_real_array<A> || is_real_array<B>);
// At least one complex operand.
template <class A, class B>
concept ComplexChoice =
    ComplexOperand<A> && ComplexOperand<B> && !(RealOperand<A> && RealOperand<B>);

// The type of the parts in which operands meet. Arrays meet as real arrays do. A number takes the
// type of the array, unless that consists of integers or half.
template <class X>
constexpr auto part_of_operand() {
  if constexpr (IsComplexArray<X>)
    return typename decltype(complex_kind(std::declval<const X&>()))::part{};
  else if constexpr (is_complex_number<X>)
    return typename X::value_type{};
  else if constexpr (is_real_array<X>)
    return typename OperandTraits<X>::scalar{};
  else
    return X{};
}
template <class A, class B>
constexpr auto meet_complex() {
  using a = decltype(part_of_operand<A>());
  using b = decltype(part_of_operand<B>());
  constexpr bool first = IsComplexArray<A> || is_real_array<A>;
  constexpr bool second = IsComplexArray<B> || is_real_array<B>;
  if constexpr (first && !second && ComplexPart<a>)
    return a{};
  else if constexpr (second && !first && ComplexPart<b>)
    return b{};
  else
    return promote<a, b>();
}
template <class A, class B>
using ComplexMeet = decltype(meet_complex<A, B>());

// Converts an operand to a complex array with parts of type T.
template <class T, int D, class U>
Array<D, std::complex<T>> as_complex(const Array<D, std::complex<U>>& a) {
  return Array<D, std::complex<T>>(a);
}
template <class T, int D, ScalarType U>
Array<D, std::complex<T>> as_complex(const Array<D, U>& a) {
  return Array<D, std::complex<T>>(cast<T>(a));
}
template <class T, ScalarType S>
Array<0, std::complex<T>> as_complex(const S& number) {
  return Array<0, std::complex<T>>(std::complex<T>(static_cast<T>(number)));
}
template <class T, class S>
Array<0, std::complex<T>> as_complex(const std::complex<S>& number) {
  return Array<0, std::complex<T>>(std::complex<T>(number));
}
// Converts a real operand to an array or a number of type T.
template <class T, RealOperand X>
auto as_real(const X& x) {
  if constexpr (ScalarType<X>)
    return static_cast<T>(x);
  else
    return cast<T>(x);
}

// Combines two arrays. A part that does not depend on the operand with more axes is repeated.
template <int D, class T, int E>
auto complex_of(const Array<D, T>& real, const Array<E, T>& imag) {
  constexpr int R = std::max(D, E);
  const Extents a = real.shape().extents(), b = imag.shape().extents();
  if (a == b) return Array<R, std::complex<T>>(std::array{real.node(), imag.node()});
  const bool from_real = D > E || (D == E && a.size() >= b.size());
  const Extents& shape = from_real ? a : b;
  return Array<R, std::complex<T>>(std::array{broadcast(real.node(), shape, Location()),
                                              broadcast(imag.node(), shape, Location())});
}

template <class...>
constexpr bool never = false;

}  // namespace detail

// Sums and differences.
#define TUTTI_COMPLEX_OPERATOR(symbol)                                                 \
  template <class A, class B>                                                          \
  requires detail::ComplexOperands<A, B>                                               \
  auto operator symbol(const A& first, const B& second) {                              \
    using T = detail::ComplexMeet<A, B>;                                               \
    if constexpr (detail::RealOperand<B>) {                                            \
      const auto x = detail::as_complex<T>(first);                                     \
      return detail::complex_of(x.real() symbol detail::as_real<T>(second), x.imag()); \
    } else if constexpr (detail::RealOperand<A>) {                                     \
      const auto y = detail::as_complex<T>(second);                                    \
      return detail::complex_of(detail::as_real<T>(first) symbol y.real(),             \
                                detail::signed_like(symbol y.imag()));                 \
    } else {                                                                           \
      const auto x = detail::as_complex<T>(first);                                     \
      const auto y = detail::as_complex<T>(second);                                    \
      return detail::complex_of(x.real() symbol y.real(), x.imag() symbol y.imag());   \
    }                                                                                  \
  }
namespace detail {
template <int D, class T>
Array<D, T> signed_like(const Array<D, T>& a) {
  return a;
}
}  // namespace detail
TUTTI_COMPLEX_OPERATOR(+)
TUTTI_COMPLEX_OPERATOR(-)
#undef TUTTI_COMPLEX_OPERATOR

// The product by the textbook formula, without the corrections for infinities that C++ makes.
template <class A, class B>
requires detail::ComplexOperands<A, B>
auto operator*(const A& first, const B& second) {
  using T = detail::ComplexMeet<A, B>;
  if constexpr (detail::RealOperand<B>) {
    const auto x = detail::as_complex<T>(first);
    const auto by = detail::as_real<T>(second);
    return detail::complex_of(x.real() * by, x.imag() * by);
  } else if constexpr (detail::RealOperand<A>) {
    return second * first;
  } else {
    const auto x = detail::as_complex<T>(first);
    const auto y = detail::as_complex<T>(second);
    return detail::complex_of(x.real() * y.real() - x.imag() * y.imag(),
                              x.real() * y.imag() + x.imag() * y.real());
  }
}

// The quotient. No intermediate result overflows or vanishes where the quotient does not, except
// within a factor of 2 of the ends of the range.
template <class A, class B>
requires detail::ComplexOperands<A, B>
auto operator/(const A& first, const B& second) {
  using T = detail::ComplexMeet<A, B>;
  const auto x = detail::as_complex<T>(first);
  if constexpr (detail::RealOperand<B>) {
    const auto by = detail::as_real<T>(second);
    return detail::complex_of(x.real() / by, x.imag() / by);
  } else {
    const auto y = detail::as_complex<T>(second);
    constexpr int D = std::max(decltype(x)::rank, decltype(y)::rank);
    return detail::array_of<D, T>(
        detail::complex_divide(detail::nodes_of(x), detail::nodes_of(y), std::source_location()));
  }
}

// Negates, or compares element by element. A real operand has the imaginary part 0.
template <int D, class T>
Array<D, std::complex<T>> operator-(const Array<D, std::complex<T>>& a) {
  return detail::complex_of(Array<D, T>(-a.real()), Array<D, T>(-a.imag()));
}
template <class A, class B>
requires detail::ComplexOperands<A, B>
auto operator==(const A& first, const B& second) {
  using T = detail::ComplexMeet<A, B>;
  const auto x = detail::as_complex<T>(first);
  const auto y = detail::as_complex<T>(second);
  return x.real() == y.real() && x.imag() == y.imag();
}
template <class A, class B>
requires detail::ComplexOperands<A, B>
auto operator!=(const A& first, const B& second) {
  return !(first == second);
}

// What complex numbers do not have is explained by the compiler.
#define TUTTI_NOT_COMPLEX(symbol, why)                 \
  template <class A, class B>                          \
  requires detail::ComplexOperands<A, B>               \
  Array<0, bool> operator symbol(const A&, const B&) { \
    static_assert(detail::never<A, B>, why);           \
    return {};                                         \
  }
#define TUTTI_NO_ORDER(symbol) \
  TUTTI_NOT_COMPLEX(symbol, "complex numbers have no order: compare abs(z) or real(z)")
#define TUTTI_NO_BITS(symbol) \
  TUTTI_NOT_COMPLEX(symbol, "complex numbers have no remainders, bits and truth values")
TUTTI_NO_ORDER(<)
TUTTI_NO_ORDER(<=)
TUTTI_NO_ORDER(>)
TUTTI_NO_ORDER(>=)
TUTTI_NO_BITS(%)
TUTTI_NO_BITS(&)
TUTTI_NO_BITS(|)
TUTTI_NO_BITS(^)
TUTTI_NO_BITS(&&)
TUTTI_NO_BITS(||)
#undef TUTTI_NO_ORDER
#undef TUTTI_NO_BITS
#undef TUTTI_NOT_COMPLEX

// cond(flags, b, c) returns b where the flag is set, c elsewhere; select(a, b, c) b where a > 0.
template <int D, class B, class C>
requires detail::ComplexChoice<B, C>
auto cond(const Array<D, bool>& flags, const B& b, const C& c,
          const std::source_location& where = std::source_location::current()) {
  using T = detail::ComplexMeet<B, C>;
  const auto yes = detail::as_complex<T>(b);
  const auto no = detail::as_complex<T>(c);
  return detail::complex_of(cond(flags, yes.real(), no.real(), where),
                            cond(flags, yes.imag(), no.imag(), where));
}
template <int D, ScalarType T, class B, class C>
requires detail::ComplexChoice<B, C>
auto select(const Array<D, T>& a, const B& b, const C& c,
            const std::source_location& where = std::source_location::current()) {
  return cond(Array<D, bool>(a > T{}), b, c, where);
}

// real() and imag() return the parts, conj() the conjugate, abs() the magnitude, arg() the angle.
template <int D, class T>
Array<D, T> real(const Array<D, std::complex<T>>& a) {
  return a.real();
}
template <int D, class T>
Array<D, T> imag(const Array<D, std::complex<T>>& a) {
  return a.imag();
}
template <int D, class T>
Array<D, std::complex<T>> conj(const Array<D, std::complex<T>>& a) {
  return detail::complex_of(a.real(), Array<D, T>(-a.imag()));
}
template <int D, class T>
Array<D, T> abs(const Array<D, std::complex<T>>& a) {
  return hypot(a.real(), a.imag());
}
template <int D, class T>
Array<D, T> arg(const Array<D, std::complex<T>>& a) {
  return atan2(a.imag(), a.real());
}
// Returns the square of abs(a).
template <int D, class T>
Array<D, T> norm(const Array<D, std::complex<T>>& a) {
  return a.real() * a.real() + a.imag() * a.imag();
}
// Makes complex numbers of magnitude and angle, arrays or one of them a number.
template <class L, class A>
requires(detail::RealOperand<L> && detail::RealOperand<A> &&
         (detail::is_real_array<L> || detail::is_real_array<A>) &&
         detail::ComplexPart<detail::Meet<L, A>>)
auto polar(const L& length, const A& angle) {
  using T = detail::Meet<L, A>;
  if constexpr (detail::is_real_array<A>) {
    const auto turn = cast<T>(angle);
    return detail::complex_of(length * cos(turn), length * sin(turn));
  } else {
    const auto turn = static_cast<T>(angle);
    return detail::complex_of(length * std::cos(turn), length * std::sin(turn));
  }
}

// Classify elements by both parts: is_nan() if one is NaN, is_inf() if one is infinite.
template <int D, class T>
Array<D, bool> is_nan(const Array<D, std::complex<T>>& a) {
  return is_nan(a.real()) || is_nan(a.imag());
}
template <int D, class T>
Array<D, bool> is_inf(const Array<D, std::complex<T>>& a) {
  return is_inf(a.real()) || is_inf(a.imag());
}
template <int D, class T>
Array<D, bool> is_finite(const Array<D, std::complex<T>>& a) {
  return is_finite(a.real()) && is_finite(a.imag());
}

}  // namespace tutti
TUTTI_END_EXPORTS
