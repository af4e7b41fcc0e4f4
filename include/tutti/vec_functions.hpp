// Operators and functions on vectors: the operations of arrays under the same names, shifts, and
// reductions, whose results are Numbers.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/vec.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

#define TUTTI_BINARY_OPERATOR(symbol, id)                                        \
  template <detail::IsTerm A, detail::IsTerm B>                                  \
  requires(detail::IsExpression<A> || detail::IsExpression<B>)                   \
  auto operator symbol(A&& a, B&& b) {                                           \
    return detail::applied<Op::id, detail::MeetTerms<A, B>>(std::forward<A>(a),  \
                                                            std::forward<B>(b)); \
  }
#include "tutti/detail/operators.def"
TUTTI_BINARY_OPERATOR(==, equal)
TUTTI_BINARY_OPERATOR(!=, not_equal)
#undef TUTTI_BINARY_OPERATOR

#define TUTTI_UNARY_OPERATOR(symbol, id, S)                \
  template <detail::IsExpression A>                        \
  auto operator symbol(A&& a) {                            \
    return detail::applied<Op::id, S>(std::forward<A>(a)); \
  }
TUTTI_UNARY_OPERATOR(-, negate, typename std::decay_t<A>::scalar)
TUTTI_UNARY_OPERATOR(!, logical_not, bool)
TUTTI_UNARY_OPERATOR(~, bit_not, typename std::decay_t<A>::scalar)
#undef TUTTI_UNARY_OPERATOR

template <detail::IsExpression A>
std::decay_t<A> operator+(A&& a) {
  return std::forward<A>(a);
}

// Every other operation of the table is a function of the same name.
#define TUTTI_FUNCTION1(id)                                                               \
  template <detail::IsExpression A>                                                       \
  auto id(A&& a) {                                                                        \
    return detail::applied<Op::id, typename std::decay_t<A>::scalar>(std::forward<A>(a)); \
  }
#define TUTTI_FUNCTION2(id)                                                      \
  template <detail::IsTerm A, detail::IsTerm B>                                  \
  requires(detail::IsExpression<A> || detail::IsExpression<B>)                   \
  auto id(A&& a, B&& b) {                                                        \
    return detail::applied<Op::id, detail::MeetTerms<A, B>>(std::forward<A>(a),  \
                                                            std::forward<B>(b)); \
  }
#define TUTTI_FUNCTION3(id)                                                               \
  template <detail::IsTerm A, detail::IsTerm B, detail::IsTerm C>                         \
  requires(detail::IsExpression<A> || detail::IsExpression<B> || detail::IsExpression<C>) \
  auto id(A&& a, B&& b, C&& c) {                                                          \
    return detail::applied<Op::id, detail::MeetTerms3<A, B, C>>(                          \
        std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));                      \
  }
#include "tutti/detail/functions.def"

// cond(a, b, c) returns b where a holds, c elsewhere.
template <detail::IsExpression A, detail::IsTerm B, detail::IsTerm C>
requires std::is_same_v<typename std::decay_t<A>::scalar, bool>
auto cond(A&& a, B&& b, C&& c) {
  return detail::chosen<detail::MeetTerms<B, C>>(std::forward<A>(a), std::forward<B>(b),
                                                 std::forward<C>(c));
}

// clamp(x, low, high) returns low where x is below low, and high where it is above high.
template <detail::IsExpression A, detail::IsTerm B, detail::IsTerm C>
auto clamp(A&& x, B&& low, C&& high) {
  return tutti::min(tutti::max(std::forward<A>(x), std::forward<B>(low)), std::forward<C>(high));
}

// Converts each element. Floating point to integer truncates and saturates; NaN becomes 0.
template <ScalarType To, detail::IsExpression A>
auto cast(A&& a) {
  return detail::Converted<To, std::decay_t<A>>(std::forward<A>(a));
}

// Returns result[i] = a[i - by]. Outside of a, the boundary rule decides.
template <detail::IsVector A>
auto shift(A&& a, int64_t by, const Boundary& boundary = Boundary::clamp()) {
  return detail::Shifted<std::decay_t<A>>(std::forward<A>(a), by, boundary);
}

namespace detail {

template <Reduction reduction, class Out, class E>
Number<Out> reduced(const E& e, const Location& where) {
  const OperandList<E> list(e);
  common_length(list.operands().stored, where);
  return Number<Out>(kernels_of<Reduced<reduction, Out, E>>().compute(list.operands(), one_number,
                                                                      nullptr, where));
}

}  // namespace detail

// Sums follow the same fixed tree as sums of arrays. Narrow integers are summed in 32 bits.
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc)  \
  template <detail::IsVector E>                                                                    \
  auto function(const E& e, const std::source_location& where = std::source_location::current()) { \
    using Out = detail::ReducedType<detail::ReductionResult::result, typename E::scalar>;          \
    return detail::reduced<Reduction::id, Out>(e, where);                                          \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

// Returns the sum of the products of elements.
template <detail::IsVector A, detail::IsVector B>
auto dot(const A& a, const B& b,
         const std::source_location& where = std::source_location::current()) {
  return sum(a * b, where);
}

// norm1() returns the sum of magnitudes, norm2() the root of the sum of squares, norm_inf() the
// greatest magnitude. Without elements they are 0. norm2() overflows if the sum of squares does.
template <detail::IsVector A>
auto norm1(const A& a, const std::source_location& where = std::source_location::current()) {
  return sum(abs(a), where);
}
template <detail::IsVector A>
auto norm2(const A& a, const std::source_location& where = std::source_location::current()) {
  return sqrt(sum(a * a, where));
}
template <detail::IsVector A>
auto norm_inf(const A& a, const std::source_location& where = std::source_location::current()) {
  return max(max_val(abs(a), where), typename A::scalar{});
}

}  // namespace tutti
TUTTI_END_EXPORTS
