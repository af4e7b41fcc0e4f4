// Operators and functions of the table on Values, component by component. A single number is
// combined with all components. Comparisons return tuples of bool.
#pragma once
#include <algorithm>

#include "tutti/detail/export.hpp"
#include "tutti/detail/op_traits.hpp"
#include "tutti/value.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

template <class X>
struct ValueOperandTraits {
  using scalar = X;
};
template <IsValue X>
struct ValueOperandTraits<X> {
  using scalar = typename ValueOf<X>::scalar;
};

template <class X>
concept IsValueOperand = IsValue<X> || ScalarType<X>;

// Returns the common element type of operands: as for arrays, a plain number adapts to a Value
// unless it is of a wider kind.
template <class A, class B>
constexpr auto meet_values() {
  using a = typename ValueOperandTraits<A>::scalar;
  using b = typename ValueOperandTraits<B>::scalar;
  if constexpr (IsValue<A> == IsValue<B>)
    return promote<a, b>();
  else if constexpr (IsValue<A>)
    return MixedWithScalar<a, b>{};
  else
    return MixedWithScalar<b, a>{};
}
template <class A, class B>
using MeetValues = decltype(meet_values<A, B>());

template <class... X>
constexpr int value_parts = std::max({PartTraits<X>::components...});

template <class S, class X>
NodeRef value_node(const X& x, int c, const Location& where) {
  if constexpr (IsValue<X>)
    return record_cast(x.node(ValueOf<X>::size == 1 ? 0 : c), element_type<S>, where);
  else
    return record_constant(scalar_value(static_cast<S>(x)));
}
template <class S, class X>
S value_number(const X& x, int c) {
  if constexpr (IsValue<X>)
    return static_cast<S>(x.get(ValueOf<X>::size == 1 ? 0 : c));
  else
    return static_cast<S>(x);
}

// Computes an operation on numbers. Operators of C++ are used where they agree with the table.
template <Op op, class Out, class In, class... More>
Out compute(In a, More... more) {
  if constexpr (std::is_floating_point_v<In> && op <= Op::divide && sizeof...(More) == 1) {
    const In b = std::get<0>(std::tuple(more...));
    if constexpr (op == Op::add) return a + b;
    if constexpr (op == Op::subtract) return a - b;
    if constexpr (op == Op::multiply) return a * b;
    if constexpr (op == Op::divide) return a / b;
  } else {
    const ScalarValue operands[] = {scalar_value(a), scalar_value(more)...};
    return number<Out>(operate(op, element_type<Out>, operands));
  }
}

template <Op op, class S, class... X>
auto apply_to_values(const Location& where, const X&... x) {
  constexpr Rule rule = OpTraits<op>::rule;
  constexpr int parts = value_parts<X...>;
  static_assert(((PartTraits<X>::components == 1 || PartTraits<X>::components == parts) && ...),
                "tuples combine with tuples of the same size or with numbers");
  static_assert(rule != Rule::integer || kind<S> < 2, "this operation takes integers");
  using In = OperandOf<rule, S>;
  using Out = ResultOf<rule, In>;
  if (capturing()) {
    std::array<NodeRef, parts> nodes;
    for (int c = 0; c < parts; ++c) {
      const NodeRef inputs[] = {value_node<In>(x, c, where)...};
      nodes[c] = record(op, inputs, where);
    }
    return Value<parts, Out>(FromNodes{}, nodes);
  }
  Value<parts, Out> result;
  for (int c = 0; c < parts; ++c) result.set(c, compute<op, Out>(value_number<In>(x, c)...));
  return result;
}

// The results of a == b and a != b on tuples: one flag for each component. Converted to bool they
// mean that all components are equal, or that some differ.
template <int N>
class Differing;
template <int N>
class Equality : public Value<N, bool> {
 public:
  explicit Equality(const Value<N, bool>& equal) : Value<N, bool>(equal) {}
  explicit operator bool() const {
    bool all = true;
    for (int i = 0; i < N; ++i) all &= this->get(i);
    return all;
  }
};
template <int N>
class Differing : public Value<N, bool> {
 public:
  explicit Differing(const Value<N, bool>& differs) : Value<N, bool>(differs) {}
  explicit operator bool() const {
    bool any = false;
    for (int i = 0; i < N; ++i) any |= this->get(i);
    return any;
  }
};
template <int N>
Value<N, bool> equality(const Value<N, bool>& equal)
requires(N == 1)
{
  return equal;
}
template <int N>
Equality<N> equality(const Value<N, bool>& equal) {
  return Equality<N>(equal);
}
template <int N>
Value<N, bool> difference(const Value<N, bool>& differs)
requires(N == 1)
{
  return differs;
}
template <int N>
Differing<N> difference(const Value<N, bool>& differs) {
  return Differing<N>(differs);
}

}  // namespace detail

#define TUTTI_BINARY_OPERATOR(symbol, id)                                                       \
  template <detail::IsValueOperand A, detail::IsValueOperand B>                                 \
  requires(detail::IsValue<A> || detail::IsValue<B>)                                            \
  auto operator symbol(const A& a, const B& b) {                                                \
    return detail::apply_to_values<Op::id, detail::MeetValues<A, B>>(std::source_location(), a, \
                                                                     b);                        \
  }
#include "tutti/detail/operators.def"
#undef TUTTI_BINARY_OPERATOR

// Compare component by component. In a condition of C++, a == b means that all components are
// equal, a != b that some differ.
template <detail::IsValueOperand A, detail::IsValueOperand B>
requires(detail::IsValue<A> || detail::IsValue<B>)
auto operator==(const A& a, const B& b) {
  return detail::equality(
      detail::apply_to_values<Op::equal, detail::MeetValues<A, B>>(std::source_location(), a, b));
}
template <detail::IsValueOperand A, detail::IsValueOperand B>
requires(detail::IsValue<A> || detail::IsValue<B>)
auto operator!=(const A& a, const B& b) {
  return detail::difference(detail::apply_to_values<Op::not_equal, detail::MeetValues<A, B>>(
      std::source_location(), a, b));
}

template <detail::IsValue A>
auto operator-(const A& a) {
  return detail::apply_to_values<Op::negate, typename A::scalar>(std::source_location(), a);
}
template <detail::IsValue A>
detail::ValueOf<A> operator+(const A& a) {
  return a;
}
template <detail::IsValue A>
auto operator!(const A& a) {
  return detail::apply_to_values<Op::logical_not, bool>(std::source_location(), a);
}
template <int N>
auto operator!(const detail::Equality<N>& a) {
  return detail::Differing<N>(!static_cast<const Value<N, bool>&>(a));
}
template <int N>
auto operator!(const detail::Differing<N>& a) {
  return detail::Equality<N>(!static_cast<const Value<N, bool>&>(a));
}
template <detail::IsValue A>
auto operator~(const A& a) {
  return detail::apply_to_values<Op::bit_not, typename A::scalar>(std::source_location(), a);
}

// Increments and decrements of variables and their swizzles.
template <class X>
requires detail::IsValue<std::remove_reference_t<X>>
X&& operator++(X&& x) {
  x += 1;
  return std::forward<X>(x);
}
template <class X>
requires detail::IsValue<std::remove_reference_t<X>>
X&& operator--(X&& x) {
  x -= 1;
  return std::forward<X>(x);
}
template <class X>
requires detail::IsValue<std::remove_reference_t<X>>
auto operator++(X&& x, int) {
  const detail::ValueOf<std::remove_reference_t<X>> before = x;
  x += 1;
  return before;
}
template <class X>
requires detail::IsValue<std::remove_reference_t<X>>
auto operator--(X&& x, int) {
  const detail::ValueOf<std::remove_reference_t<X>> before = x;
  x -= 1;
  return before;
}

#define TUTTI_FUNCTION1(id)                                                                  \
  template <detail::IsValue A>                                                               \
  auto id(const A& a, const std::source_location& where = std::source_location::current()) { \
    return detail::apply_to_values<Op::id, typename A::scalar>(where, a);                    \
  }
#define TUTTI_FUNCTION2(id)                                                        \
  template <detail::IsValueOperand A, detail::IsValueOperand B>                    \
  requires(detail::IsValue<A> || detail::IsValue<B>)                               \
  auto id(const A& a, const B& b,                                                  \
          const std::source_location& where = std::source_location::current()) {   \
    return detail::apply_to_values<Op::id, detail::MeetValues<A, B>>(where, a, b); \
  }
#define TUTTI_FUNCTION3(id)                                                               \
  template <detail::IsValueOperand A, detail::IsValueOperand B, detail::IsValueOperand C> \
  requires(detail::IsValue<A> || detail::IsValue<B> || detail::IsValue<C>)                \
  auto id(const A& a, const B& b, const C& c,                                             \
          const std::source_location& where = std::source_location::current()) {          \
    using First = Value<1, detail::MeetValues<A, B>>;                                     \
    return detail::apply_to_values<Op::id, detail::MeetValues<First, C>>(where, a, b, c); \
  }
#include "tutti/detail/functions.def"

}  // namespace tutti
TUTTI_END_EXPORTS
