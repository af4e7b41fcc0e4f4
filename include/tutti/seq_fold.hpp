// Reductions and scans of sequences with user-defined operators: any associative function
// of two elements, of any element type, in any each(). The order of elements is kept. An arithmetic
// operator on numbers or tuples runs as a function in few kernels (program/user_reduction.hpp). An
// operator that works on sequences, calls if_() or uses values of an enclosing each() is applied in
// rounds, to pairs of neighbours.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/seq_functions.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// Requires at least one element.
template <class T, class F>
lifted_t<T> reduce_some(const Seq<T>& s, const F& f) {
  return if_(
      length(s) == 1, [&] { return s[0]; },
      [&] {
        Scalar<int> pairs = length(s) / 2;
        Seq<int> first = iota(pairs) * 2;
        Seq<T> combined = each(s[first], s[first + 1], f);
        return reduce_some(concat(combined, drop(s, pairs * 2)), f);
      });
}

template <class T, class F>
nested::OperatorRef capture_operator(const F& f) {
  return nested::capture_operator(
      Lift<T>::type(), [&](const nested::Value& a, const nested::Value& b) {
        return Lift<T>::value(lifted_t<T>(f(Lift<T>::make(a), Lift<T>::make(b))));
      });
}

template <class T, class F>
lifted_t<T> reduce_in_rounds(const Seq<T>& s, const lifted_t<T>& identity, const F& f) {
  return if_(length(s) == 0, [&] { return identity; }, [&] { return reduce_some(s, f); });
}

template <class T, class F>
Seq<T> scan_in_rounds(const Seq<T>& s, const lifted_t<T>& identity, const F& f) {
  using Element = lifted_t<T>;
  Scalar<int> n = length(s);
  return if_(
      n < 2, [&] { return distribute(identity, n); },
      [&] {
        Seq<T> pairs = each(iota((n + 1) / 2), [&](Scalar<int> k) {
          Element last = select(k * 2 + 1 < n, s[min(k * 2 + 1, n - 1)], identity);
          return Element(f(s[k * 2], last));
        });
        Seq<T> before_pair = scan_in_rounds(pairs, identity, f);
        return each(iota(n), [&](Scalar<int> i) {
          Element before = before_pair[i / 2];
          return select(i % 2 == 0, before, Element(f(before, s[max(i - 1, 0)])));
        });
      });
}

}  // namespace detail

// Returns s[0] f s[1] f ...; the identity if there are no elements.
template <class T, class F>
detail::lifted_t<T> reduce(const Seq<T>& s, const detail::lifted_t<T>& identity, const F& f,
                           const std::source_location& where = std::source_location::current()) {
  if (const auto combine = detail::capture_operator<T>(f))
    return detail::Lift<T>::make(nested::reduce(nested::current(), *combine, s.value(),
                                                detail::Lift<T>::value(identity), where));
  return detail::reduce_in_rounds(s, identity, f);
}

// Returns result[i] = identity f s[0] f ... f s[i - 1].
template <class T, class F>
Seq<T> scan(const Seq<T>& s, const detail::lifted_t<T>& identity, const F& f,
            const std::source_location& where = std::source_location::current()) {
  if (const auto combine = detail::capture_operator<T>(f))
    return Seq<T>(nested::scan(nested::current(), *combine, s.value(),
                               detail::Lift<T>::value(identity), where));
  return detail::scan_in_rounds(s, identity, f);
}

}  // namespace tutti
TUTTI_END_EXPORTS
