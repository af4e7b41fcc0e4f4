// Quicksort: both halves of all parts are sorted at once.
#pragma once
#include <tutti/tutti.hpp>

namespace programs {
using namespace tutti;

inline Seq<int> quicksort(Seq<int> a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        Scalar<int> pivot = a[length(a) / 2];
        Seq<int> lesser = filter(a, a < pivot);
        Seq<int> equal = filter(a, a == pivot);
        Seq<int> greater = filter(a, a > pivot);
        Seq<Seq<int>> sorted = each(seq(lesser, greater), quicksort);
        return concat(sorted[0], equal, sorted[1]);
      });
}

}  // namespace programs
