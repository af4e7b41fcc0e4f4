// Element-wise operators and functions on Scalar and Seq. A number or a Scalar is combined with
// each element of a sequence. Two sequences are combined element by element and must have one
// length.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/seq.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

template <class A, class B>
concept NestedOperands = IsNestedOperand<A> && IsNestedOperand<B> && (IsNested<A> || IsNested<B>);
template <class A, class B>
constexpr bool same_seq = false;
template <class T>
constexpr bool same_seq<Seq<T>, Seq<T>> = true;

}  // namespace detail

// Two sequences of one type use the operators declared in Seq, which know their source line.
#define TUTTI_BINARY_OPERATOR(symbol, id)                                                        \
  template <class A, class B>                                                                    \
  requires(detail::NestedOperands<A, B> && !detail::same_seq<A, B>)                              \
  auto operator symbol(const A& a, const B& b) {                                                 \
    return detail::apply_nested<Op::id, detail::NestedMeet<A, B>>(std::source_location(), a, b); \
  }
#include "tutti/detail/operators.def"
#undef TUTTI_BINARY_OPERATOR

template <class A, class B>
requires detail::NestedOperands<A, B>
auto operator==(const A& a, const B& b) {
  return detail::apply_nested<Op::equal, detail::NestedMeet<A, B>>(std::source_location(), a, b);
}
template <class A, class B>
requires detail::NestedOperands<A, B>
auto operator!=(const A& a, const B& b) {
  return detail::apply_nested<Op::not_equal, detail::NestedMeet<A, B>>(std::source_location(), a,
                                                                       b);
}
template <detail::IsNested A>
auto operator-(const A& a) {
  return detail::apply_nested<Op::negate, detail::nested_scalar<A>>(std::source_location(), a);
}
template <detail::IsNested A>
auto operator!(const A& a) {
  return detail::apply_nested<Op::logical_not, bool>(std::source_location(), a);
}
template <detail::IsNested A>
auto operator~(const A& a) {
  return detail::apply_nested<Op::bit_not, detail::nested_scalar<A>>(std::source_location(), a);
}

// Every other operation of the table is a function of the same name: sqrt(a), max(a, b), ...
#define TUTTI_FUNCTION1(id)                                                                  \
  template <detail::IsNested A>                                                              \
  auto id(const A& a, const std::source_location& where = std::source_location::current()) { \
    return detail::apply_nested<Op::id, detail::nested_scalar<A>>(where, a);                 \
  }
#define TUTTI_FUNCTION2(id)                                                      \
  template <class A, class B>                                                    \
  requires detail::NestedOperands<A, B>                                          \
  auto id(const A& a, const B& b,                                                \
          const std::source_location& where = std::source_location::current()) { \
    return detail::apply_nested<Op::id, detail::NestedMeet<A, B>>(where, a, b);  \
  }
#define TUTTI_FUNCTION3(id)                                                                    \
  template <detail::IsNested A, detail::IsNestedOperand B, detail::IsNestedOperand C>          \
  auto id(const A& a, const B& b, const C& c,                                                  \
          const std::source_location& where = std::source_location::current()) {               \
    using S = decltype(detail::promote<detail::NestedMeet<A, B>, detail::NestedMeet<A, C>>()); \
    return detail::apply_nested<Op::id, S>(where, a, b, c);                                    \
  }
#define TUTTI_FUNCTION_logical(id, arity)
#define TUTTI_FUNCTION_compare(id, arity)
#include "tutti/detail/functions.def"

// cond(a, b, c) returns b where a holds, c elsewhere, element by element; both are computed.
template <detail::IsNested A, detail::IsNestedOperand B, detail::IsNestedOperand C>
auto cond(const A& a, const B& b, const C& c,
          const std::source_location& where = std::source_location::current()) {
  using S = decltype(detail::promote<detail::nested_scalar<B>, detail::nested_scalar<C>>());
  const nested::Value operands[] = {detail::nested_operand<bool>(a, where),
                                    detail::nested_operand<S>(b, where),
                                    detail::nested_operand<S>(c, where)};
  constexpr int depth =
      std::max({detail::nested_depth<A>, detail::nested_depth<B>, detail::nested_depth<C>});
  return typename detail::SeqOfDepth<depth, S>::type(
      nested::elementwise(nested::current(), Op::choose, operands, where));
}

// Converts each number: cast<float>(s).
template <ScalarType To, detail::IsNested A>
auto cast(const A& a, const std::source_location& where = std::source_location::current()) {
  return typename detail::SeqOfDepth<detail::nested_depth<A>, To>::type(
      nested::cast(nested::current(), a.value(), element_type<To>, where));
}

}  // namespace tutti
TUTTI_END_EXPORTS
