// Functions on sequences: each, if_, and functions that make, fold, reorder, cut and join them. All
// of them can be called inside each(), to any depth.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/reduce.hpp"
#include "tutti/seq.hpp"
#include "tutti/seq_program.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Calls f once for all elements, or not at all if there are none.
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

// Applies f to the elements. A function on Values is captured first.
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

// Applies f to every element, or to the elements of several sequences of one length.
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

// Each instance takes the branch that its condition selects. A branch that no instance takes is not
// run.
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

// Selects one of two values that have both been computed, of any structure.
template <class L>
L select(const Scalar<bool>& condition, const L& yes, const L& no,
         const std::source_location& where = std::source_location::current()) {
  return detail::Lift<detail::lowered_t<L>>::make(nested::select(
      nested::current(), condition.value(), detail::value_of(yes), detail::value_of(no), where));
}

// ---- making sequences

// Makes a sequence of the given values: seq(1, 2, 3), seq(lesser, greater).
template <class L, class... More>
auto seq(const L& first, const More&... more) {
  using Element = detail::lowered_t<L>;
  const nested::Value values[] = {
      detail::value_of(first), detail::value_of(static_cast<detail::lifted_t<Element>>(more))...};
  return Seq<Element>(nested::literal(nested::current(), values, std::source_location()));
}

// Returns 0, 1, ..., count - 1.
inline Seq<int> iota(const Scalar<int>& count,
                     const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::iota(nested::current(), count.value(), where));
}

// Returns a sequence of `count` equal values.
template <class L>
auto distribute(const L& value, const Scalar<int>& count,
                const std::source_location& where = std::source_location::current()) {
  return Seq<detail::lowered_t<L>>(
      nested::distribute(nested::current(), detail::value_of(value), count.value(), where));
}

// Concatenates sequences.
template <class T, class... More>
requires(std::is_same_v<More, Seq<T>> && ...)
Seq<T> concat(const Seq<T>& first, const More&... more) {
  const nested::Value values[] = {first.value(), more.value()...};
  return Seq<T>(nested::concat(nested::current(), values, std::source_location()));
}

// Concatenates the elements of a sequence of sequences.
template <class T>
Seq<T> flatten(const Seq<Seq<T>>& s,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::flatten(nested::current(), s.value(), where));
}

// Cuts a sequence into pieces of the given lengths, which must add up to its own.
template <class T>
Seq<Seq<T>> partition(const Seq<T>& s, const Seq<int>& counts,
                      const std::source_location& where = std::source_location::current()) {
  return Seq<Seq<T>>(nested::partition(nested::current(), s.value(), counts.value(), where));
}

// Returns the elements whose flag is true.
template <class T>
Seq<T> filter(const Seq<T>& s, const Seq<bool>& flags,
              const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::filter(nested::current(), s.value(), flags.value(), where));
}

// zip() combines sequences of one length into a sequence of tuples; unzip<I>() returns part I of
// the tuples.
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

// Returns the number of elements; lengths() those of all elements of a sequence of sequences.
template <class T>
Scalar<int> length(const Seq<T>& s) {
  return Scalar<int>(nested::length(s.value()));
}
template <class T>
Seq<int> lengths(const Seq<Seq<T>>& s,
                 const std::source_location& where = std::source_location::current()) {
  return Seq<int>(nested::lengths(nested::current(), s.value(), where));
}
// slice() returns `count` elements from `begin` on, take() the first `count`, drop() all others.
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

// Reduces each sequence, or scans it: sum_scan(s)[i] = s[0] + ... + s[i].
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

// Counts the elements that are true.
inline Scalar<int> count(const Seq<bool>& s,
                         const std::source_location& where = std::source_location::current()) {
  return sum(s, where);
}
// Returns the index of the first greatest (least) element, or -1 if there are no elements.
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

// Compares whole values, sequences included.
template <class L>
requires requires { typename detail::lowered_t<L>; }
Scalar<bool> equal(const L& a, const L& b,
                   const std::source_location& where = std::source_location::current()) {
  return Scalar<bool>(
      nested::equal(nested::current(), detail::value_of(a), detail::value_of(b), where));
}

// ---- reordering

// Sorts a sequence; equal elements keep their order.
template <ScalarType T>
Seq<T> sort(const Seq<T>& s, Order order = Order::ascending,
            const std::source_location& where = std::source_location::current()) {
  return Seq<T>(
      nested::sort(nested::current(), s.value(), s.value(), order == Order::descending, where));
}
// Returns the values in the order of their keys; equal keys keep their order.
template <ScalarType K, class T>
Seq<T> sort_by(const Seq<K>& keys, const Seq<T>& values, Order order = Order::ascending,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::sort(nested::current(), keys.value(), values.value(),
                             order == Order::descending, where));
}
// Returns the position that each element has after sorting.
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
// Moves the elements to the right; elements that leave at the end enter at the beginning.
template <class T>
Seq<T> rotate(const Seq<T>& s, const Scalar<int>& by,
              const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::rotate(nested::current(), s.value(), by.value(), where));
}
// Returns result[indices[k]] = values[k]. The indices must be a permutation.
template <class T>
Seq<T> permute(const Seq<T>& values, const Seq<int>& indices,
               const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::permute(nested::current(), values.value(), indices.value(), where));
}
// Returns `into` with values[k] at indices[k]. Of several values for one index the last is kept.
// With Collision::sum, min or max numbers are combined, also with the element of `into`.
template <class T>
Seq<T> put(const Seq<T>& into, const Seq<int>& indices, const std::type_identity_t<Seq<T>>& values,
           Collision collision = Collision::last,
           const std::source_location& where = std::source_location::current()) {
  return Seq<T>(nested::put(nested::current(), values.value(), indices.value(), into.value(),
                            collision, where));
}

// Returns two sequences: the elements whose flag is false, and those whose flag is true.
template <class T>
Seq<Seq<T>> split(const Seq<T>& s, const Seq<bool>& flags,
                  const std::source_location& where = std::source_location::current()) {
  return seq(filter(s, !flags, where), filter(s, flags, where));
}
// Returns the first of each run of equal elements; of a sorted sequence, its distinct elements.
template <ScalarType T>
Seq<T> unique(const Seq<T>& s,
              const std::source_location& where = std::source_location::current()) {
  const Seq<int> i = iota(length(s), where);
  return filter(s, i == 0 || s[max(i - 1, 0)] != s, where);
}
// Returns result[k] = the number of elements equal to k, for k < bins. Others are not counted.
inline Seq<int> histogram(const Seq<int>& s, const Scalar<int>& bins,
                          const std::source_location& where = std::source_location::current()) {
  const Seq<int> counted = filter(s, s >= 0 && s < bins, where);
  return put(distribute(0, bins, where), counted, distribute(1, length(counted), where),
             Collision::sum, where);
}

// Counts for each query the elements of a sorted sequence that are less; upper_bound() counts those
// that are less or equal.
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
// Merges two sorted sequences; of equal elements those of a are first.
template <ScalarType T>
Seq<T> merge(const Seq<T>& a, const std::type_identity_t<Seq<T>>& b,
             const std::source_location& where = std::source_location::current()) {
  return sort(concat(a, b), Order::ascending, where);
}

}  // namespace tutti
TUTTI_END_EXPORTS
