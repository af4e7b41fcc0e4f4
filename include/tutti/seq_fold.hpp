// Reductions and scans of sequences with operators of the program's own: any associative function
// of two elements, of any element type, in any each(). Neighbours are combined pair by pair, so the
// number of rounds is the logarithm of the length, and the order of elements is kept.
#pragma once
#include "tutti/seq_functions.hpp"

namespace tutti {
namespace detail {

// Of at least one element.
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

}  // namespace detail

// s[0] f s[1] f ...; the identity of no elements.
template <class T, class F>
detail::lifted_t<T> reduce(const Seq<T>& s, const detail::lifted_t<T>& identity, const F& f) {
  return if_(
      length(s) == 0, [&] { return identity; }, [&] { return detail::reduce_some(s, f); });
}

// result[i] = identity f s[0] f ... f s[i - 1].
template <class T, class F>
Seq<T> scan(const Seq<T>& s, const detail::lifted_t<T>& identity, const F& f) {
  using Element = detail::lifted_t<T>;
  Scalar<int> n = length(s);
  return if_(
      n < 2, [&] { return distribute(identity, n); },
      [&] {
        Seq<T> pairs = each(iota((n + 1) / 2), [&](Scalar<int> k) {
          Element last = select(k * 2 + 1 < n, s[min(k * 2 + 1, n - 1)], identity);
          return Element(f(s[k * 2], last));
        });
        Seq<T> before_pair = scan(pairs, identity, f);
        return each(iota(n), [&](Scalar<int> i) {
          Element before = before_pair[i / 2];
          return select(i % 2 == 0, before, Element(f(before, s[max(i - 1, 0)])));
        });
      });
}

}  // namespace tutti
