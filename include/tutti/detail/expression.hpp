// The types of vector expressions. An expression holds its operands: vectors and numbers by counted
// reference, host numbers by value. Its type determines everything else, and owns the code.
//
// Every expression has: scalar, rank (1: a vector, 0: a number) and the counts of its operands.
// collect() lists the operands. build() makes nodes of the expression; it takes the operands in the
// same order.
#pragma once
#include <algorithm>
#include <tuple>

#include "tutti/detail/apply.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/detail/expression_kernel.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

template <ScalarType T>
class Number;

// The base of all expressions. It is in this namespace so that lookup finds the operators.
template <class E, class S, int Rank>
class VecExpression {
 public:
  using scalar = S;
  static constexpr int rank = Rank;

  // Computes a number and waits for it.
  operator S() const
  requires(Rank == 0)
  {
    return Number<S>(static_cast<const E&>(*this)).item();
  }
};

namespace detail {

template <class E, class S, int Rank>
std::true_type is_expression(const VecExpression<E, S, Rank>*);
std::false_type is_expression(...);

template <class X>
concept IsExpression = decltype(is_expression(static_cast<std::decay_t<X>*>(nullptr)))::value;
template <class X>
concept IsVector = IsExpression<X> && std::decay_t<X>::rank == 1;
template <class X>
concept IsNumber = IsExpression<X> && std::decay_t<X>::rank == 0;
// A type that can occur in an expression.
template <class X>
concept IsTerm = IsExpression<X> || ScalarType<std::decay_t<X>>;

struct Counts {
  int stored = 0, numbers = 0, shifts = 0;
  friend constexpr Counts operator+(Counts a, Counts b) {
    return {a.stored + b.stored, a.numbers + b.numbers, a.shifts + b.shifts};
  }
};

// The list of the operands of an expression of type E.
template <class E>
class OperandList {
 public:
  explicit OperandList(const E& expression) { expression.collect(*this); }

  void add(const BufferRef& buffer, ElementType type, int64_t length) {
    stored_[next_.stored++] = {buffer ? &buffer : &empty_buffer(), type, length};
  }
  void add(ScalarValue number) { numbers_[next_.numbers++] = number; }
  void add(const ShiftOperand& shift) { shifts_[next_.shifts++] = shift; }

  Operands operands() const { return {stored_, numbers_, shifts_}; }

 private:
  static constexpr Counts counts = E::counts;
  std::array<StoredOperand, counts.stored> stored_;
  std::array<ScalarValue, counts.numbers> numbers_;
  std::array<ShiftOperand, counts.shifts> shifts_;
  Counts next_;
};

// A host number.
template <class T>
class HostNumber : public VecExpression<HostNumber<T>, T, 0> {
 public:
  static constexpr Counts counts{0, 1, 0};
  explicit HostNumber(T value) : value_(value) {}
  template <class List>
  void collect(List& list) const {
    list.add(scalar_value(value_));
  }
  static NodeRef build(ExpressionGraph& graph) { return graph.number(); }

 private:
  T value_;
};

// An operation of the table on operands that are converted to the type In.
template <Op op, class In, class... E>
class Applied : public VecExpression<Applied<op, In, E...>, ResultOf<OpTraits<op>::rule, In>,
                                     std::max({E::rank...})> {
 public:
  static constexpr Counts counts = (E::counts + ...);
  explicit Applied(E... operands) : operands_(std::move(operands)...) {}
  template <class List>
  void collect(List& list) const {
    std::apply([&](const E&... operand) { (operand.collect(list), ...); }, operands_);
  }
  static NodeRef build(ExpressionGraph& graph) {
    const NodeRef inputs[] = {graph.converted(E::build(graph), element_type<In>)...};
    return graph.apply(op, inputs);
  }

 private:
  std::tuple<E...> operands_;
};

// B where M holds, C elsewhere; both are converted to the type S.
template <class S, class M, class B, class C>
class Chosen : public VecExpression<Chosen<S, M, B, C>, S, std::max({M::rank, B::rank, C::rank})> {
 public:
  static constexpr Counts counts = M::counts + B::counts + C::counts;
  Chosen(M mask, B yes, C no) : mask_(std::move(mask)), yes_(std::move(yes)), no_(std::move(no)) {}
  template <class List>
  void collect(List& list) const {
    mask_.collect(list);
    yes_.collect(list);
    no_.collect(list);
  }
  static NodeRef build(ExpressionGraph& graph) {
    const NodeRef inputs[] = {graph.converted(M::build(graph), ElementType::b8),
                              graph.converted(B::build(graph), element_type<S>),
                              graph.converted(C::build(graph), element_type<S>)};
    return graph.apply(Op::choose, inputs);
  }

 private:
  M mask_;
  B yes_;
  C no_;
};

template <class To, class E>
class Converted : public VecExpression<Converted<To, E>, To, E::rank> {
 public:
  static constexpr Counts counts = E::counts;
  explicit Converted(E operand) : operand_(std::move(operand)) {}
  template <class List>
  void collect(List& list) const {
    operand_.collect(list);
  }
  static NodeRef build(ExpressionGraph& graph) {
    return graph.converted(E::build(graph), element_type<To>);
  }

 private:
  E operand_;
};

template <class E>
class Shifted : public VecExpression<Shifted<E>, typename E::scalar, 1> {
 public:
  static constexpr Counts counts = E::counts + Counts{0, 1, 1};
  Shifted(E operand, int64_t by, const Boundary& boundary)
      : operand_(std::move(operand)),
        shift_{by, boundary.kind()},
        fill_(convert(boundary.value(0), element_type<typename E::scalar>)) {}
  template <class List>
  void collect(List& list) const {
    operand_.collect(list);
    list.add(shift_);
    list.add(fill_);
  }
  static NodeRef build(ExpressionGraph& graph) { return graph.shifted(E::build(graph)); }

 private:
  E operand_;
  ShiftOperand shift_;
  ScalarValue fill_;
};

// Not an expression: the graph of a reduction, and the owner of its code.
template <Reduction reduction, class Out, class E>
struct Reduced {
  static NodeRef build(ExpressionGraph& graph) {
    return graph.reduced(reduction, graph.converted(E::build(graph), element_type<Out>));
  }
};

// Returns the common element type of two terms: as for arrays, host numbers adapt.
template <class A, class B>
constexpr auto meet_terms() {
  if constexpr (IsExpression<A> && IsExpression<B>)
    return promote<typename A::scalar, typename B::scalar>();
  else if constexpr (IsExpression<A>)
    return MixedWithScalar<typename A::scalar, B>{};
  else if constexpr (IsExpression<B>)
    return MixedWithScalar<typename B::scalar, A>{};
  else
    return promote<A, B>();
}
template <class A, class B>
using MeetTerms = decltype(meet_terms<std::decay_t<A>, std::decay_t<B>>());
template <class A, class B, class C>
using MeetTerms3 = decltype(promote<MeetTerms<A, B>, MeetTerms<A, C>>());

// Returns a term as an operand of an operation in S. Host numbers are converted here.
template <class S, class X>
auto as_operand(X&& x) {
  if constexpr (requires { x.operand(); } && std::is_lvalue_reference_v<X>)
    return x.operand();
  else if constexpr (IsExpression<X>)
    return std::decay_t<X>(std::forward<X>(x));
  else
    return HostNumber<S>(static_cast<S>(x));
}

template <Op op, class S, class... X>
auto applied(X&&... x) {
  constexpr Rule rule = OpTraits<op>::rule;
  static_assert(rule != Rule::integer || kind<S> < 2, "this operation takes integers");
  using In = OperandOf<rule, S>;
  return Applied<op, In, decltype(as_operand<In>(std::forward<X>(x)))...>(
      as_operand<In>(std::forward<X>(x))...);
}

template <class S, class M, class B, class C>
auto chosen(M&& mask, B&& yes, C&& no) {
  return Chosen<S, decltype(as_operand<bool>(std::forward<M>(mask))),
                decltype(as_operand<S>(std::forward<B>(yes))),
                decltype(as_operand<S>(std::forward<C>(no)))>(
      as_operand<bool>(std::forward<M>(mask)), as_operand<S>(std::forward<B>(yes)),
      as_operand<S>(std::forward<C>(no)));
}

}  // namespace detail
}  // namespace tutti
TUTTI_END_EXPORTS
