// Functions from a sequence of ints to a sequence of ints, each written twice: with Seq and as
// plain loops. The tests apply them flat, in each(), deeper, and one after the other at random.
// They take any ints: overflow wraps, also in the loops, which are compiled with -fwrapv.
#pragma once
#include <tutti/tutti.hpp>

#include <algorithm>
#include <climits>
#include <numeric>
#include <string>
#include <vector>

namespace tutti::test {

using Ints = std::vector<int>;

struct Function {
  const char* name;
  Seq<int> (*lifted)(const Seq<int>&);
  Ints (*plain)(const Ints&);
};

namespace loops {

inline int size(const Ints& v) { return static_cast<int>(v.size()); }
template <class F>
Ints map(const Ints& v, F f) {
  Ints result;
  for (int x : v) result.push_back(f(x));
  return result;
}
template <class F>
Ints keep(const Ints& v, F f) {
  Ints result;
  for (int x : v)
    if (f(x)) result.push_back(x);
  return result;
}
inline int sum(const Ints& v) {
  unsigned total = 0;
  for (int x : v) total += static_cast<unsigned>(x);
  return static_cast<int>(total);
}
// Keeps numbers small, so that nothing overflows however often it is applied.
inline int small(int x) { return x % 1000; }

}  // namespace loops

inline Seq<int> lifted_quicksort(const Seq<int>& a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        Scalar<int> pivot = a[length(a) / 2];
        Seq<Seq<int>> sorted =
            each(seq(filter(a, a < pivot), filter(a, a > pivot)), lifted_quicksort);
        return concat(sorted[0], filter(a, a == pivot), sorted[1]);
      });
}

inline const std::vector<Function>& functions() {
  static const std::vector<Function> table = {
      {"arithmetic", [](const Seq<int>& a) { return Seq<int>((a * 3 + 1) % 1000 - a); },
       [](const Ints& v) { return loops::map(v, [](int x) { return (x * 3 + 1) % 1000 - x; }); }},
      {"with a scalar", [](const Seq<int>& a) { return Seq<int>((a + length(a)) % 1000); },
       [](const Ints& v) {
         return loops::map(v, [&](int x) { return (x + loops::size(v)) % 1000; });
       }},
      {"each",
       [](const Seq<int>& a) {
         Scalar<int> total = sum(a);
         return each(a, [&](Scalar<int> x) { return (x * 7 - total) % 1000; });
       },
       [](const Ints& v) {
         const int total = loops::sum(v);
         return loops::map(v, [&](int x) { return (x * 7 - total) % 1000; });
       }},
      {"cond", [](const Seq<int>& a) { return Seq<int>(cond(a % 2 == 0, a, -a)); },
       [](const Ints& v) { return loops::map(v, [](int x) { return x % 2 == 0 ? x : -x; }); }},
      {"filter", [](const Seq<int>& a) { return filter(a, a % 3 != 0); },
       [](const Ints& v) { return loops::keep(v, [](int x) { return x % 3 != 0; }); }},
      {"filter by position", [](const Seq<int>& a) { return filter(a, iota(length(a)) % 2 == 1); },
       [](const Ints& v) {
         Ints result;
         for (size_t i = 1; i < v.size(); i += 2) result.push_back(v[i]);
         return result;
       }},
      {"iota", [](const Seq<int>& a) { return iota(length(a)); },
       [](const Ints& v) {
         Ints result(v.size());
         std::iota(result.begin(), result.end(), 0);
         return result;
       }},
      {"distribute", [](const Seq<int>& a) { return distribute(sum(a) % 1000, length(a) / 2); },
       [](const Ints& v) { return Ints(v.size() / 2, loops::small(loops::sum(v))); }},
      {"literal", [](const Seq<int>& a) { return seq(length(a), 7, sum(a) % 1000); },
       [](const Ints& v) { return Ints{loops::size(v), 7, loops::small(loops::sum(v))}; }},
      {"concat", [](const Seq<int>& a) { return concat(take(a, length(a) / 3), seq(5), a); },
       [](const Ints& v) {
         Ints result(v.begin(), v.begin() + static_cast<long>(v.size() / 3));
         result.push_back(5);
         result.insert(result.end(), v.begin(), v.end());
         return result;
       }},
      {"reverse", [](const Seq<int>& a) { return reverse(a); },
       [](const Ints& v) { return Ints(v.rbegin(), v.rend()); }},
      {"rotate", [](const Seq<int>& a) { return rotate(rotate(a, sum(a) % 17), -2); },
       [](const Ints& v) {
         const int n = loops::size(v), by = loops::sum(v) % 17 - 2;
         Ints result(v.size());
         for (int i = 0; i < n; ++i)
           result[static_cast<size_t>(((i + by) % n + n) % n)] = v[static_cast<size_t>(i)];
         return result;
       }},
      {"drop", [](const Seq<int>& a) { return drop(a, length(a) / 2); },
       [](const Ints& v) { return Ints(v.begin() + static_cast<long>(v.size() / 2), v.end()); }},
      {"slice of slice",
       [](const Seq<int>& a) {
         Seq<int> half = slice(a, length(a) / 4, length(a) / 2);
         return slice(half, length(half) / 4, length(half) / 2);
       },
       [](const Ints& v) {
         const auto part = [](const Ints& w) {
           const auto begin = w.begin() + static_cast<long>(w.size() / 4);
           return Ints(begin, begin + static_cast<long>(w.size() / 2));
         };
         return part(part(v));
       }},
      {"gather", [](const Seq<int>& a) { return a[(iota(length(a)) * 7 + 3) % max(length(a), 1)]; },
       [](const Ints& v) {
         Ints result;
         for (size_t i = 0; i < v.size(); ++i) result.push_back(v[(i * 7 + 3) % v.size()]);
         return result;
       }},
      {"sort", [](const Seq<int>& a) { return sort(a); },
       [](const Ints& v) {
         Ints result = v;
         std::sort(result.begin(), result.end());
         return result;
       }},
      {"sort_by", [](const Seq<int>& a) { return sort_by(a % 5, a, Order::descending); },
       [](const Ints& v) {
         Ints result = v;
         std::stable_sort(result.begin(), result.end(), [](int x, int y) { return x % 5 > y % 5; });
         return result;
       }},
      {"quicksort", lifted_quicksort,
       [](const Ints& v) {
         Ints result = v;
         std::sort(result.begin(), result.end());
         return result;
       }},
      {"rank", [](const Seq<int>& a) { return rank(a); },
       [](const Ints& v) {
         Ints order(v.size()), result(v.size());
         std::iota(order.begin(), order.end(), 0);
         std::stable_sort(order.begin(), order.end(), [&](int x, int y) {
           return v[static_cast<size_t>(x)] < v[static_cast<size_t>(y)];
         });
         for (size_t i = 0; i < order.size(); ++i)
           result[static_cast<size_t>(order[i])] = static_cast<int>(i);
         return result;
       }},
      {"permute", [](const Seq<int>& a) { return permute(a, rank(a % 7)); },
       [](const Ints& v) {
         Ints result = v;
         std::stable_sort(result.begin(), result.end(), [](int x, int y) { return x % 7 < y % 7; });
         return result;
       }},
      {"put",
       [](const Seq<int>& a) {
         Seq<int> places = iota(length(a)) / 2;
         return put(a, places, a * 2 % 1000);
       },
       [](const Ints& v) {
         Ints result = v;
         for (size_t i = 0; i < v.size(); ++i) result[i / 2] = v[i] * 2 % 1000;
         return result;
       }},
      {"scans",
       [](const Seq<int>& a) {
         return Seq<int>(
             (sum_scan(a % 10) + sum_scan(a % 10, Scan::exclusive) + max_scan(a) - min_scan(a)) %
             1000);
       },
       [](const Ints& v) {
         Ints result;
         int sum = 0, most = INT_MIN, least = INT_MAX;
         for (int x : v) {
           const int before = sum;
           sum += x % 10;
           most = std::max(most, x);
           least = std::min(least, x);
           result.push_back((sum + before + most - least) % 1000);
         }
         return result;
       }},
      {"reductions",
       [](const Seq<int>& a) {
         Seq<bool> odd = a % 2 != 0;
         return seq(sum(a) % 1000, max_val(a) / 2, min_val(a) / 2, count(odd),
                    Scalar<int>(cast<int>(any(odd)) * 2 + cast<int>(all(odd))), max_index(a),
                    min_index(a));
       },
       [](const Ints& v) {
         const int odd =
             static_cast<int>(std::count_if(v.begin(), v.end(), [](int x) { return x % 2 != 0; }));
         const auto most = std::max_element(v.begin(), v.end());
         const auto least = std::min_element(v.begin(), v.end());
         return Ints{loops::small(loops::sum(v)),
                     (v.empty() ? INT_MIN : *most) / 2,
                     (v.empty() ? INT_MAX : *least) / 2,
                     odd,
                     (odd > 0) * 2 + (odd == loops::size(v)),
                     v.empty() ? -1 : static_cast<int>(most - v.begin()),
                     v.empty() ? -1 : static_cast<int>(least - v.begin())};
       }},
      {"split", [](const Seq<int>& a) { return flatten(split(a, a % 3 == 0)); },
       [](const Ints& v) {
         Ints result = v;
         std::stable_partition(result.begin(), result.end(), [](int x) { return x % 3 != 0; });
         return result;
       }},
      {"unique", [](const Seq<int>& a) { return unique(sort(a / 4)); },
       [](const Ints& v) {
         Ints result = loops::map(v, [](int x) { return x / 4; });
         std::sort(result.begin(), result.end());
         result.erase(std::unique(result.begin(), result.end()), result.end());
         return result;
       }},
      {"histogram", [](const Seq<int>& a) { return histogram(a, 9); },
       [](const Ints& v) {
         Ints result(9);
         for (int x : v)
           if (x >= 0 && x < 9) ++result[static_cast<size_t>(x)];
         return result;
       }},
      {"search",
       [](const Seq<int>& a) {
         Seq<int> sorted = sort(a / 2);
         return Seq<int>(lower_bound(sorted, a) * 2 + upper_bound(sorted, a));
       },
       [](const Ints& v) {
         Ints sorted = loops::map(v, [](int x) { return x / 2; });
         std::sort(sorted.begin(), sorted.end());
         return loops::map(v, [&](int x) {
           return static_cast<int>(
               (std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin()) * 2 +
               (std::upper_bound(sorted.begin(), sorted.end(), x) - sorted.begin()));
         });
       }},
      {"merge", [](const Seq<int>& a) { return merge(sort(a), sort(-a)); },
       [](const Ints& v) {
         Ints result = v;
         for (int x : v) result.push_back(-x);
         std::sort(result.begin(), result.end());
         return result;
       }},
      {"put with sums",
       [](const Seq<int>& a) {
         return Seq<int>(put(a, iota(length(a)) / 3, a, Collision::sum) % 1000);
       },
       [](const Ints& v) {
         Ints result = v;
         for (size_t i = 0; i < v.size(); ++i) result[i / 3] += v[i];
         return loops::map(result, loops::small);
       }},
      {"own operators",
       [](const Seq<int>& a) {
         // Not commutative: the last that is not zero.
         const auto last = [](Scalar<int> x, Scalar<int> y) { return cond(y == 0, x, y); };
         Seq<int> some = cond(a % 3 == 0, a, 0);
         return concat(scan(some, Scalar<int>(-7), last), seq(reduce(some, Scalar<int>(-7), last)));
       },
       [](const Ints& v) {
         Ints result;
         int last = -7;
         for (int x : v) {
           result.push_back(last);
           if (x % 3 == 0 && x != 0) last = x;
         }
         // The identity takes part in the scan only.
         const bool none =
             std::none_of(v.begin(), v.end(), [](int x) { return x % 3 == 0 && x != 0; });
         result.push_back(v.empty() ? -7 : none ? 0 : last);
         return result;
       }},
      {"partition and flatten",
       [](const Seq<int>& a) {
         Scalar<int> n = length(a);
         Seq<Seq<int>> pieces = partition(a, seq(n / 3, 0, n - n / 3));
         return flatten(each(pieces, [](Seq<int> piece) { return reverse(piece); }));
       },
       [](const Ints& v) {
         Ints result = v;
         const auto middle = result.begin() + static_cast<long>(v.size() / 3);
         std::reverse(result.begin(), middle);
         std::reverse(middle, result.end());
         return result;
       }},
      {"pieces of many lengths",
       [](const Seq<int>& a) {
         // Each element says how many copies of its position there are.
         Seq<int> copies = abs(a % 3);
         return flatten(each(copies, iota(length(a)),
                             [](Scalar<int> n, Scalar<int> i) { return distribute(i, n); }));
       },
       [](const Ints& v) {
         Ints result;
         for (size_t i = 0; i < v.size(); ++i)
           result.insert(result.end(), static_cast<size_t>(std::abs(v[i] % 3)),
                         static_cast<int>(i));
         return result;
       }},
      {"choice per element",
       [](const Seq<int>& a) {
         return each(a, [](Scalar<int> x) {
           return if_(
               x < 10, [&] { return x + 100; },
               [&] { return if_(x % 2 == 0, [&] { return x / 2; }, [&] { return -x; }); });
         });
       },
       [](const Ints& v) {
         return loops::map(v, [](int x) { return x < 10 ? x + 100 : x % 2 == 0 ? x / 2 : -x; });
       }},
      {"choice per sequence",
       [](const Seq<int>& a) {
         return if_(
             length(a) % 2 == 0, [&] { return concat(a, seq(1)); },
             [&] { return filter(a, a > 0); });
       },
       [](const Ints& v) {
         if (v.size() % 2 != 0) return loops::keep(v, [](int x) { return x > 0; });
         Ints result = v;
         result.push_back(1);
         return result;
       }},
      {"select", [](const Seq<int>& a) { return select(sum(a) % 2 == 0, a, reverse(a)); },
       [](const Ints& v) { return loops::sum(v) % 2 == 0 ? v : Ints(v.rbegin(), v.rend()); }},
      {"outer sequence in each",
       [](const Seq<int>& a) {
         // Indexed in place, and summed once.
         return each(a, [&](Scalar<int> x) { return (a[abs(x % length(a))] + sum(a)) % 1000; });
       },
       [](const Ints& v) {
         const int total = loops::sum(v);
         return loops::map(v, [&](int x) {
           return (v[static_cast<size_t>(std::abs(x % loops::size(v)))] + total) % 1000;
         });
       }},
      {"outer sequence copied",
       [](const Seq<int>& a) {
         Seq<int> few = take(a, min(length(a), 4));
         return each(few, [&](Scalar<int> x) { return sum(few * x) % 1000; });
       },
       [](const Ints& v) {
         const Ints few(v.begin(), v.begin() + std::min<long>(4, static_cast<long>(v.size())));
         return loops::map(few, [&](int x) {
           return loops::sum(loops::map(few, [&](int y) { return x * y; })) % 1000;
         });
       }},
      {"loop per element",
       [](const Seq<int>& a) {
         struct Halve {
           static Scalar<int> steps(const Scalar<int>& x) {
             return if_(x == 0, [] { return 0; }, [&] { return steps(x / 2) + 1; });
           }
         };
         return each(a, [](Scalar<int> x) { return Halve::steps(x); });
       },
       [](const Ints& v) {
         return loops::map(v, [](int x) {
           int steps = 0;
           for (; x != 0; x /= 2) ++steps;
           return steps;
         });
       }},
      {"equal",
       [](const Seq<int>& a) {
         return seq(cast<int>(equal(a, reverse(a))), cast<int>(equal(a, drop(a, length(a) / 9))),
                    cast<int>(equal(a, sort(a))));
       },
       [](const Ints& v) {
         return Ints{v == Ints(v.rbegin(), v.rend()), v.size() / 9 == 0,
                     std::is_sorted(v.begin(), v.end())};
       }},
  };
  return table;
}

}  // namespace tutti::test
