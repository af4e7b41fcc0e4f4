// Element-wise operators and functions, with NumPy's broadcasting: axes are matched from the last,
// and an axis that is missing or has extent 1 repeats. A host scalar takes the element type of the
// array unless it is of a wider kind (an int array times 0.5f is a float array).
#pragma once
#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Two arrays of one rank and type use the operators declared in Array, which know their source
// line. These take all other pairs with at least one array.
#define TUTTI_BINARY_OPERATOR(symbol, id)                                           \
  template <detail::IsOperand A, detail::IsOperand B>                               \
  requires detail::MixedOperands<A, B>                                              \
  auto operator symbol(const A& a, const B& b) {                                    \
    return detail::apply<Op::id, detail::Meet<A, B>>(std::source_location(), a, b); \
  }
#include "tutti/detail/operators.def"
#undef TUTTI_BINARY_OPERATOR

// These two take all pairs: C++ also tries equality with exchanged operands, which requires both
// parameters to have the same form.
template <detail::IsOperand A, detail::IsOperand B>
requires(detail::IsArray<A> || detail::IsArray<B>)
auto operator==(const A& a, const B& b) {
  return detail::apply<Op::equal, detail::Meet<A, B>>(std::source_location(), a, b);
}
template <detail::IsOperand A, detail::IsOperand B>
requires(detail::IsArray<A> || detail::IsArray<B>)
auto operator!=(const A& a, const B& b) {
  return detail::apply<Op::not_equal, detail::Meet<A, B>>(std::source_location(), a, b);
}

// Unary operators, element by element.
template <int D, class T>
auto operator-(const Array<D, T>& a) {
  return detail::apply<Op::negate, scalar_t<T>>(std::source_location(), a);
}
template <int D, class T>
auto operator+(const Array<D, T>& a) {
  return Array<D, canonical_t<T>>(a);
}
template <int D, class T>
auto operator!(const Array<D, T>& a) {
  return detail::apply<Op::logical_not, bool>(std::source_location(), a);
}
template <int D, class T>
auto operator~(const Array<D, T>& a) {
  return detail::apply<Op::bit_not, scalar_t<T>>(std::source_location(), a);
}

// Every other operation of the table is a function of the same name: sqrt(a), max(a, b), ...
// At least one argument is an array.
#define TUTTI_FUNCTION1(id)                                                      \
  template <int D, class T>                                                      \
  auto id(const Array<D, T>& a,                                                  \
          const std::source_location& where = std::source_location::current()) { \
    return detail::apply<Op::id, scalar_t<T>>(where, a);                         \
  }
#define TUTTI_FUNCTION2(id)                                                      \
  template <detail::IsOperand A, detail::IsOperand B>                            \
  requires(detail::IsArray<A> || detail::IsArray<B>)                             \
  auto id(const A& a, const B& b,                                                \
          const std::source_location& where = std::source_location::current()) { \
    return detail::apply<Op::id, detail::Meet<A, B>>(where, a, b);               \
  }
#define TUTTI_FUNCTION3(id)                                                      \
  template <detail::IsOperand A, detail::IsOperand B, detail::IsOperand C>       \
  requires(detail::IsArray<A> || detail::IsArray<B> || detail::IsArray<C>)       \
  auto id(const A& a, const B& b, const C& c,                                    \
          const std::source_location& where = std::source_location::current()) { \
    return detail::apply<Op::id, detail::Meet3<A, B, C>>(where, a, b, c);        \
  }
#include "tutti/detail/functions.def"

// cond(a, b, c) returns b where a holds, c elsewhere.
template <int D, detail::IsOperand B, detail::IsOperand C>
auto cond(const Array<D, bool>& a, const B& b, const C& c,
          const std::source_location& where = std::source_location::current()) {
  return detail::choose<detail::Meet<B, C>>(where, a, b, c);
}

// select(a, b, c) returns b where a > 0, c elsewhere.
template <int D, class T, detail::IsOperand B, detail::IsOperand C>
auto select(const Array<D, T>& a, const B& b, const C& c,
            const std::source_location& where = std::source_location::current()) {
  const auto positive = detail::apply<Op::greater, scalar_t<T>>(where, a, scalar_t<T>{});
  return detail::choose<detail::Meet<B, C>>(where, positive, b, c);
}

// clamp(x, low, high) returns low where x is below low, and high where it is above high.
template <int D, class T, detail::IsOperand Low, detail::IsOperand High>
auto clamp(const Array<D, T>& x, const Low& low, const High& high,
           const std::source_location& where = std::source_location::current()) {
  return tutti::min(tutti::max(x, low, where), high, where);
}

// lerp(a, b, t) returns a + t * (b - a).
template <int D, class T, detail::IsOperand B, detail::IsOperand C>
auto lerp(const Array<D, T>& a, const B& b, const C& t,
          const std::source_location& where = std::source_location::current()) {
  return tutti::fma(t, b - a, a, where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
