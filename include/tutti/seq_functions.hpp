// Functions on sequences: each, if_, and everything that makes, folds, reorders, cuts and joins
// them. All of them can be called inside each(), to any depth.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/reduce.hpp"
#include "tutti/seq.hpp"
#include "tutti/seq_program.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Calls f once for all elements; not at all where there are none.
template <class F, class... T>
auto call_each(const nested::Elements& elements, const F& f, const std::tuple<T...>*) {
  return [&]<size_t... I>(std::index_sequence<I...>) {
    using Element = lowered_t<std::invoke_result_t<const F&, lifted_t<T>...>>;
    if (nested::instances(elements.context) == 0)
      return Seq<Element>(nested::leave(elements, nested::zero(Lift<Element>::type())));
    const nested::ScopedContext inside(elements.context);
    return Seq<Element>(nested::leave(elements, value_of(f(Lift<T>::make(elements.values[I])...))));
  }(std::index_sequence_for<T...>{});
}

// A function on Values is captured first.
template <class F, class... T>
auto each_of(const F& f, const Location& where, const Seq<T>&... seqs) {
  if constexpr (std::is_invocable_v<const F&, lifted_t<T>...>) {
    const nested::Value values[] = {seqs.value()...};
    const nested::Elements elements = nested::enter(nested::current(), values, "each", where);
    return call_each(elements, f, static_cast<const std::tuple<T...>*>(nullptr));
  } else {
    return each_of(captured(f, where), where, seqs...);
  }
}

template <class F>
nested::Value call_in(const nested::ContextRef& context, const F& f) {
  const nested::ScopedContext inside(context);
  return value_of(f());
}

}  // namespace detail

// ---- apply to each, and choices

// f of every element; of several sequences, which must have one length.
template <class A, class F>
auto each(const Seq<A>& a, const F& f,
          const std::source_location& where = std::source_location::current()) {
  return detail::each_of(f, where, a);
}
template <class A, class B, class F>
auto each(const Seq<A>& a, const Seq<B>& b, const F& f,
          const std::source_location& where = std::source_location::current()) {
  return detail::each_of(f, where, a, b);
}
template <class A, class B, class C, class F>
auto each(const Seq<A>& a, const Seq<B>& b, const Seq<C>& c, const F& f,
          const std::source_location& where = std::source_location::current()) {
  return detail::each_of(f, where, a, b, c);
}
template <class A, class B, class C, class D, class... More>
requires(sizeof...(More) > 0)
auto each(const Seq<A>& a, const Seq<B>& b, const Seq<C>& c, const Seq<D>& d, const More&... more) {
  const auto arguments = std::tie(a, b, c, d, more...);
  return [&]<size_t... I>(std::index_sequence<I...>) {
    return detail::each_of(std::get<3 + sizeof...(More)>(arguments), std::source_location(),
                           std::get<I>(arguments)...);
  }(std::make_index_sequence<3 + sizeof...(More)>{});
}

// Every instance takes its side; a side that none takes is not run.
template <class F, class G>
auto if_(const Scalar<bool>& condition, const F& then_side, const G& else_side,
         const std::source_location& where = std::source_location::current()) {
  using Element = detail::lowered_t<std::invoke_result_t<const F&>>;
  static_assert(std::is_same_v<Element, detail::lowered_t<std::invoke_result_t<const G&>>>,
                "both sides of if_ return the same type");
  using Result = detail::Lift<Element>;
  const nested::Branches branches = nested::branch(nested::current(), condition.value(), where);
  if (!branches.else_side) return Result::make(detail::call_in(branches.then_side, then_side));
  if (!branches.then_side) return Result::make(detail::call_in(branches.else_side, else_side));
  const nested::Value yes = detail::call_in(branches.then_side, then_side);
  const nested::Value no = detail::call_in(branches.else_side, else_side);
  return Result::make(nested::merge(branches, yes, no, where));
}

// One of two values that have both been computed, of any structure.
template <class L>
L select(const Scalar<bool>& condition, const L& yes, const L& no,
         const std::source_location& where = std::source_location::current()) {
  return detail::Lift<detail::lowered_t<L>>::make(nested::select(
      nested::current(), condition.value(), detail::value_of(yes), detail::value_of(no), where));
}

// ---- making sequences

// A sequence of the values given: seq(1, 2, 3), seq(lesser, greater).
template <class L, class... More>
auto seq(const L& first, const More&... more) {
  using Element = detail::lowered_t<L>;
  const nested::Value values[] = {
      detail::value_of(first), detail::value_of(static_cast<detail::lifted_t<Element>>(more))...};
  return Seq<Element>(nested::literal(nested::current(), values, std::source_location()));
}

// 0, 1, ..., count - 1.
inline Seq<int> iota(const Scalar<int>& count,
                     const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::iota(nested::current(), count.value(), where));
}

// The same value, count times.
template <class L>
auto distribute(const L& value, const Scalar<int>& count,
                const std::source_location& where = std::source_location::current()) {
  return Seq<detail::lowered_t<L>>(
      nested::distribute(nested::current(), detail::value_of(value), count.value(), where));
}

template <class T, class... More>
requires(std::is_same_v<More, Seq<T>> && ...)
Seq<T> concat(const Seq<T>& first, const More&... more) {
  const nested::Value values[] = {first.value(), more.value()...};
  return Seq<T>(nested::concat(nested::current(), values, std::source_location()));
}

template <class T>
Seq<T> flatten(const Seq<Seq<T>>& s,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::flatten(nested::current(), s.value(), where));
}

// Cuts a sequence into pieces of the given lengths, which add up to its own.
template <class T>
Seq<Seq<T>> partition(const Seq<T>& s, const Seq<int>& counts,
                      const std::source_location& where = std::source_location::current()) {
  return Seq<Seq<T>>(nested::partition(nested::current(), s.value(), counts.value(), where));
}

// The elements whose flag holds.
template <class T>
Seq<T> filter(const Seq<T>& s, const Seq<bool>& flags,
              const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::filter(nested::current(), s.value(), flags.value(), where));
}

// Sequences of one length as a sequence of tuples, and one part of those tuples again.
template <class A, class B>
Seq<std::tuple<A, B>> zip(const Seq<A>& a, const Seq<B>& b,
                          const std::source_location& where = std::source_location::current()) {
  const nested::Value values[] = {a.value(), b.value()};
  return Seq<std::tuple<A, B>>(nested::zip(nested::current(), values, where));
}
template <class A, class B, class C>
Seq<std::tuple<A, B, C>> zip(const Seq<A>& a, const Seq<B>& b, const Seq<C>& c,
                             const std::source_location& where = std::source_location::current()) {
  const nested::Value values[] = {a.value(), b.value(), c.value()};
  return Seq<std::tuple<A, B, C>>(nested::zip(nested::current(), values, where));
}
template <size_t I, class... T>
auto unzip(const Seq<std::tuple<T...>>& s) {
  return Seq<std::tuple_element_t<I, std::tuple<T...>>>(
      nested::unzip(s.value(), static_cast<int>(I)));
}

// ---- lengths and parts

template <class T>
Scalar<int> length(const Seq<T>& s) {
  return Scalar<int>(nested::length(s.value()));
}
template <class T>
Seq<int> lengths(const Seq<Seq<T>>& s,
                 const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::lengths(nested::current(), s.value(), where));
}
// `count` elements from `begin` on; the first `count`; all but the first `count`.
template <class T>
Seq<T> slice(const Seq<T>& s, const Scalar<int>& begin, const Scalar<int>& count,
             const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::slice(nested::current(), s.value(), begin.value(), count.value(), where));
}
template <class T>
Seq<T> take(const Seq<T>& s, const Scalar<int>& count,
            const std::source_location& where = std::source_location::current()) {
  return slice(s, Scalar<int>(0), count, where);
}
template <class T>
Seq<T> drop(const Seq<T>& s, const Scalar<int>& count,
            const std::source_location& where = std::source_location::current()) {
  return slice(s, count, length(s) - count, where);
}

// ---- folding

#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  template <ScalarType T>                                                                         \
  auto function(const Seq<T>& s,                                                                  \
                const std::source_location& where = std::source_location::current()) {            \
    using Out = detail::ReducedType<detail::ReductionResult::result, T>;                          \
    return Scalar<Out>(nested::reduce(nested::current(), Reduction::id,                           \
                                      detail::nested_operand<Out>(s, where), where));             \
  }                                                                                               \
  template <ScalarType T>                                                                         \
  auto id##_scan(const Seq<T>& s, Scan kind = Scan::inclusive,                                    \
                 const std::source_location& where = std::source_location::current()) {           \
    using Out = detail::ReducedType<detail::ReductionResult::result, T>;                          \
    return Seq<Out>(nested::scan(nested::current(), Reduction::id,                                \
                                 detail::nested_operand<Out>(s, where), kind == Scan::exclusive,  \
                                 where));                                                         \
  }
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION

inline Scalar<int> count(const Seq<bool>& s,
                         const std::source_location& where = std::source_location::current()) {
  return sum(s, where);
}
// Where the first greatest or least element is; -1 of no elements.
template <ScalarType T>
Scalar<int> max_index(const Seq<T>& s,
                      const std::source_location& where = std::source_location::current()) {
  return Scalar<int>(nested::extreme_index(nested::current(), Reduction::max, s.value(), where));
}
template <ScalarType T>
Scalar<int> min_index(const Seq<T>& s,
                      const std::source_location& where = std::source_location::current()) {
  return Scalar<int>(nested::extreme_index(nested::current(), Reduction::min, s.value(), where));
}

// Equality of whole values, sequences included.
template <class L>
requires requires { typename detail::lowered_t<L>; }
Scalar<bool> equal(const L& a, const L& b,
                   const std::source_location& where = std::source_location::current()) {
  return Scalar<bool>(
      nested::equal(nested::current(), detail::value_of(a), detail::value_of(b), where));
}

// ---- reordering

template <ScalarType T>
Seq<T> sort(const Seq<T>& s, Order order = Order::ascending,
            const std::source_location& where = std::source_location::current()) {
  return Seq<T>(
      nested::sort(nested::current(), s.value(), s.value(), order == Order::descending, where));
}
// values in the order of their keys; equal keys keep their order.
template <ScalarType K, class T>
Seq<T> sort_by(const Seq<K>& keys, const Seq<T>& values, Order order = Order::ascending,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::sort(nested::current(), keys.value(), values.value(),
                             order == Order::descending, where));
}
// The position that each element has after sorting.
template <ScalarType T>
Seq<int> rank(const Seq<T>& s, Order order = Order::ascending,
              const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::rank(nested::current(), s.value(), order == Order::descending, where));
}
template <class T>
Seq<T> reverse(const Seq<T>& s,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::reverse(nested::current(), s.value(), where));
}
// To the right by a number of elements; those that leave at the end enter at the beginning.
template <class T>
Seq<T> rotate(const Seq<T>& s, const Scalar<int>& by,
              const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::rotate(nested::current(), s.value(), by.value(), where));
}
// result[indices[k]] = values[k], where the indices are a permutation.
template <class T>
Seq<T> permute(const Seq<T>& values, const Seq<int>& indices,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::permute(nested::current(), values.value(), indices.value(), where));
}
// `into` with values[k] at indices[k]; of several values for one index the last stays, or numbers
// are combined, also with what was there: Collision::sum, min, max.
template <class T>
Seq<T> put(const Seq<T>& into, const Seq<int>& indices, const std::type_identity_t<Seq<T>>& values,
           Collision collision = Collision::last,
           const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::put(nested::current(), values.value(), indices.value(), into.value(),
                            collision, where));
}

// Those whose flag does not hold, and those whose flag does.
template <class T>
Seq<Seq<T>> split(const Seq<T>& s, const Seq<bool>& flags,
                  const std::source_location& where = std::source_location::current()) {
  return seq(filter(s, !flags, where), filter(s, flags, where));
}
// The first of each run of equal elements: of a sorted sequence, its different elements.
template <ScalarType T>
Seq<T> unique(const Seq<T>& s,
              const std::source_location& where = std::source_location::current()) {
  const Seq<int> i = iota(length(s), where);
  return filter(s, i == 0 || s[max(i - 1, 0)] != s, where);
}
// result[k] = how many elements are k, for k < bins; others are not counted.
inline Seq<int> histogram(const Seq<int>& s, const Scalar<int>& bins,
                          const std::source_location& where = std::source_location::current()) {
  const Seq<int> counted = filter(s, s >= 0 && s < bins, where);
  return put(distribute(0, bins, where), counted, distribute(1, length(counted), where),
             Collision::sum, where);
}

// How many elements of a sorted sequence are less than each query; with upper_bound, less or equal.
template <ScalarType T>
Seq<int> lower_bound(const Seq<T>& sorted, const std::type_identity_t<Seq<T>>& queries,
                     const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::search(nested::current(), sorted.value(), queries.value(), false, where));
}
template <ScalarType T>
Seq<int> upper_bound(const Seq<T>& sorted, const std::type_identity_t<Seq<T>>& queries,
                     const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::search(nested::current(), sorted.value(), queries.value(), true, where));
}
// Two sorted sequences as one; of equal elements those of a are first.
template <ScalarType T>
Seq<T> merge(const Seq<T>& a, const std::type_identity_t<Seq<T>>& b,
             const std::source_location& where = std::source_location::current()) {
  return sort(concat(a, b), Order::ascending, where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
