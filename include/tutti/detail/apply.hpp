// Applies element-wise operations to arrays, host scalars and tuples: the common element type of
// the operands, the rank and type of the result, and the call that builds the nodes.
#pragma once
#include <algorithm>
#include <array>

#include "tutti/detail/export.hpp"
#include "tutti/detail/graph.hpp"
#include "tutti/detail/op_traits.hpp"
#include "tutti/value.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

template <int D, class T>
class Array;

namespace detail {

// Returns component c of an operand as a node of element type S.
template <class S, int D, class T>
NodeRef operand(const Array<D, T>& a, int c, const Location& where) {
  const NodeRef& node = a.node(components<T> == 1 ? 0 : c);
  if constexpr (std::is_same_v<scalar_t<T>, S>)
    return node;
  else
    return cast(node, element_type<S>, where);
}
template <class S, ScalarType T>
NodeRef operand(T value, int, const Location& where) {
  return constant(scalar_value(static_cast<S>(value)), Extents{}, where);
}
template <class S, int N, class T>
NodeRef operand(const Value<N, T>& value, int c, const Location& where) {
  return constant(scalar_value(static_cast<S>(value.get(N == 1 ? 0 : c))), Extents{}, where);
}

template <class X>
struct OperandTraits;  // rank (-1 for host scalars), scalar, components
template <int D, class T>
struct OperandTraits<Array<D, T>> {
  static constexpr int rank = D;
  using scalar = scalar_t<T>;
  static constexpr int parts = components<T>;
};
template <ScalarType T>
struct OperandTraits<T> {
  static constexpr int rank = -1;
  using scalar = T;
  static constexpr int parts = 1;
};
template <IsValue X>
struct OperandTraits<X> {
  static constexpr int rank = -1;
  using scalar = typename ValueOf<X>::scalar;
  static constexpr int parts = ValueOf<X>::size;
};

template <class X>
concept IsArray = requires { OperandTraits<X>::rank; } && (OperandTraits<X>::rank >= 0);
template <class X>
concept IsHostValue = requires { OperandTraits<X>::rank; } && (OperandTraits<X>::rank < 0);
template <class X>
concept IsOperand = IsArray<X> || IsHostValue<X>;

// Returns the common element type of operands.
template <class A, class B>
constexpr auto meet() {
  using a = typename OperandTraits<A>::scalar;
  using b = typename OperandTraits<B>::scalar;
  if constexpr (IsArray<A> == IsArray<B>)
    return promote<a, b>();
  else if constexpr (IsArray<A>)
    return MixedWithScalar<a, b>{};
  else
    return MixedWithScalar<b, a>{};
}
template <class A, class B>
using Meet = decltype(meet<A, B>());

template <class... X>
constexpr int result_rank = std::max({OperandTraits<X>::rank...});
template <class... X>
constexpr int result_parts = std::max({OperandTraits<X>::parts...});
template <class S, int parts>
using ElementOf = std::conditional_t<parts == 1, S, Value<parts, S>>;

// Applies op to operands whose common type is S.
template <Op op, class S, class... X>
auto apply(const Location& where, const X&... x) {
  constexpr Rule rule = OpTraits<op>::rule;
  constexpr int parts = result_parts<X...>;
  static_assert(((OperandTraits<X>::parts == 1 || OperandTraits<X>::parts == parts) && ...),
                "tuples combine with tuples of the same size or with scalars");
  static_assert(rule != Rule::integer || kind<S> < 2, "this operation takes integers");
  using In = OperandOf<rule, S>;
  std::array<NodeRef, parts> nodes;
  for (int c = 0; c < parts; ++c) {
    const NodeRef inputs[] = {operand<In>(x, c, where)...};
    nodes[c] = elementwise(op, inputs, where);
  }
  return Array<result_rank<X...>, ElementOf<ResultOf<rule, In>, parts>>(std::move(nodes));
}

template <class A, class B, class C>
using Meet3 =
    decltype(promote<Meet<A, B>, std::conditional_t<IsArray<C>, typename OperandTraits<C>::scalar,
                                                    Meet<A, C>>>());

// Returns b where `mask` holds, c elsewhere; S is the common type of b and c.
template <class S, class M, class B, class C>
auto choose(const Location& where, const M& mask, const B& b, const C& c) {
  constexpr int parts = result_parts<M, B, C>;
  std::array<NodeRef, parts> nodes;
  for (int i = 0; i < parts; ++i) {
    const NodeRef inputs[] = {operand<bool>(mask, i, where), operand<S>(b, i, where),
                              operand<S>(c, i, where)};
    nodes[i] = elementwise(Op::choose, inputs, where);
  }
  return Array<result_rank<M, B, C>, ElementOf<S, parts>>(std::move(nodes));
}

template <class A, class B>
constexpr bool same_array = false;
template <int D, class T>
constexpr bool same_array<Array<D, T>, Array<D, T>> = D > 0;

// At least one array, and not two of one rank and element type (those use Array's own operators).
template <class A, class B>
concept MixedOperands = (IsArray<A> || IsArray<B>) && !same_array<A, B>;

}  // namespace detail

}  // namespace tutti
TUTTI_END_EXPORTS
