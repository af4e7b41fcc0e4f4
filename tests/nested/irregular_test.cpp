// Irregular programs as users would write them, against plain C++: lists of lists, recursion
// that ends at different depths, graphs, texts.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "support/sample_numbers.hpp"

namespace tutti::test {
namespace {

using Lists = std::vector<std::vector<int>>;

Lists random_lists(int seed, int count, int longest, int below) {
  SampleNumbers random(static_cast<uint64_t>(seed));
  Lists result(static_cast<size_t>(count));
  for (auto& list : result) list = random.ints(random.below(longest + 1), below);
  return result;
}

template <class F>
Lists for_each_list(Lists lists, F f) {
  for (auto& list : lists) list = f(list);
  return lists;
}

// ---- lists of lists

TEST(Irregular, RunLengthCoding) {
  const Lists lists = random_lists(1, 50, 30, 3);
  const auto coded = each(Seq<Seq<int>>(lists), [](Seq<int> list) {
    Seq<int> i = iota(length(list));
    Seq<int> first = filter(i, i == 0 || list != list[max(i - 1, 0)]);
    Seq<int> count =
        concat(drop(first, min(length(first), 1)), take(seq(length(list)), min(length(first), 1))) -
        first;
    return zip(list[first], count);
  });
  const auto decoded = each(coded, [](auto runs) {
    return flatten(each(unzip<0>(runs), unzip<1>(runs),
                        [](Scalar<int> x, Scalar<int> n) { return distribute(x, n); }));
  });
  EXPECT_EQ(decoded.to_nested_vector(), lists);
  const std::vector<int> runs = lengths(coded).to_vector();
  for (size_t k = 0; k < lists.size(); ++k) {
    std::vector<int> copy = lists[k];
    copy.erase(std::unique(copy.begin(), copy.end()), copy.end());
    EXPECT_EQ(runs[k], static_cast<int>(copy.size()));
  }
}

TEST(Irregular, TheThreeGreatestOfEach) {
  const Lists lists = random_lists(2, 80, 9, 100);
  const auto best = each(Seq<Seq<int>>(lists), [](Seq<int> list) {
    return take(sort(list, Order::descending), min(3, length(list)));
  });
  EXPECT_EQ(best.to_nested_vector(), for_each_list(lists, [](std::vector<int> list) {
              std::sort(list.rbegin(), list.rend());
              list.resize(std::min<size_t>(3, list.size()));
              return list;
            }));
}

TEST(Irregular, PrefixSumsOfListsOfLists) {
  const std::vector<Lists> nested{random_lists(3, 7, 5, 10), {}, random_lists(4, 3, 20, 10)};
  const auto sums = each(Seq<Seq<Seq<int>>>(nested), [](Seq<Seq<int>> lists) {
    return each(lists, [](Seq<int> list) { return sum_scan(list); });
  });
  std::vector<Lists> want;
  for (const Lists& lists : nested)
    want.push_back(for_each_list(lists, [](std::vector<int> list) {
      std::partial_sum(list.begin(), list.end(), list.begin());
      return list;
    }));
  EXPECT_EQ(sums.to_nested_vector(), want);
}

TEST(Irregular, ColumnsOfRaggedRows) {
  const Lists rows = random_lists(5, 40, 12, 1000);
  const Seq<Seq<int>> nested = rows;
  Seq<int> column = flatten(each(nested, [](Seq<int> row) { return iota(length(row)); }));
  Seq<int> sorted = sort(column);
  Seq<int> wide = iota(max_val(column) + 1);
  Seq<int> counts = upper_bound(sorted, wide) - lower_bound(sorted, wide);
  const Lists got = partition(sort_by(column, flatten(nested)), counts).to_nested_vector();
  Lists want;
  for (const auto& row : rows)
    for (size_t c = 0; c < row.size(); ++c) {
      if (want.size() <= c) want.emplace_back();
      want[c].push_back(row[c]);
    }
  EXPECT_EQ(got, want);
}

TEST(Irregular, LongestAscendingRun) {
  const Lists lists = random_lists(6, 60, 25, 50);
  const auto longest = each(Seq<Seq<int>>(lists), [](Seq<int> list) {
    Seq<int> i = iota(length(list));
    Seq<int> start = max_scan(cond(i == 0 || list <= list[max(i - 1, 0)], i, 0));
    return max(max_val(i - start + 1), 0);
  });
  std::vector<int> want;
  for (const auto& list : lists) {
    int best = 0, run = 0;
    for (size_t i = 0; i < list.size(); ++i)
      best = std::max(best, run = i > 0 && list[i] > list[i - 1] ? run + 1 : 1);
    want.push_back(best);
  }
  EXPECT_EQ(longest.to_vector(), want);
}

TEST(Irregular, AreasOfPolygons) {
  SampleNumbers random(7);
  std::vector<std::vector<std::tuple<float, float>>> polygons(30);
  for (auto& polygon : polygons)
    for (int k = 3 + random.below(9); k > 0; --k)
      polygon.emplace_back(static_cast<float>(random.below(64)),
                           static_cast<float>(random.below(64)));
  const Seq<Seq<std::tuple<float, float>>> nested = polygons;
  const auto areas = each(nested, [](auto corners) {
    auto next = rotate(corners, -1);
    return sum(unzip<0>(corners) * unzip<1>(next) - unzip<0>(next) * unzip<1>(corners)) / 2.0f;
  });
  std::vector<float> want;
  for (const auto& polygon : polygons) {
    float twice = 0;  // exact: small integers
    for (size_t i = 0; i < polygon.size(); ++i) {
      const auto [x, y] = polygon[i];
      const auto [u, v] = polygon[(i + 1) % polygon.size()];
      twice += x * v - u * y;
    }
    want.push_back(twice / 2);
  }
  EXPECT_EQ(areas.to_vector(), want);
}

TEST(Irregular, JoinOfTwoTables) {
  SampleNumbers random(8);
  const std::vector<int> left = random.ints(200, 40), right = random.ints(300, 40);
  const Seq<int> a = left, b = right, order = sort_by(b, iota(300)), sorted = sort(b);
  Seq<int> first = lower_bound(sorted, a), last = upper_bound(sorted, a);
  const auto pairs =
      flatten(each(iota(200), first, last, [&](Scalar<int> i, Scalar<int> f, Scalar<int> l) {
        return zip(distribute(i, l - f), slice(order, f, l - f));
      }));
  std::vector<std::tuple<int, int>> want;
  for (int i = 0; i < 200; ++i)
    for (int k = 0; k < 300; ++k)
      if (left[static_cast<size_t>(i)] == right[static_cast<size_t>(k)]) want.emplace_back(i, k);
  EXPECT_EQ(pairs.to_vector(), want);
}

// ---- recursion that ends at different depths

Scalar<int> collatz(const Scalar<int>& n) {
  return if_(
      n == 1, [&] { return Scalar<int>(0); },
      [&] { return collatz(select(n % 2 == 0, n / 2, 3 * n + 1)) + 1; });
}
TEST(Irregular, StepsOfCollatz) {
  std::vector<int> want;
  for (int n = 1; n <= 60; ++n) {
    int steps = 0;
    for (int k = n; k != 1; k = k % 2 ? 3 * k + 1 : k / 2) ++steps;
    want.push_back(steps);
  }
  EXPECT_EQ(each(iota(60) + 1, collatz).to_vector(), want);
}

Scalar<int> divisor(const Scalar<int>& a, const Scalar<int>& b) {
  return if_(b == 0, [&] { return a; }, [&] { return divisor(b, a % b); });
}
TEST(Irregular, GreatestCommonDivisors) {
  SampleNumbers random(9);
  const std::vector<int> a = random.ints(500, 1000), b = random.ints(500, 1000);
  std::vector<int> want;
  for (size_t i = 0; i < a.size(); ++i) want.push_back(std::gcd(a[i], b[i]));
  EXPECT_EQ(each(Seq<int>(a), Seq<int>(b), divisor).to_vector(), want);
}

Scalar<double> area_under(const Scalar<double>& from, const Scalar<double>& to) {
  const auto f = [](const Scalar<double>& x) { return 1.0 / (1.0 + 100.0 * x * x); };
  Scalar<double> middle = (from + to) * 0.5, width = to - from;
  Scalar<double> once = (f(from) + f(to)) * width * 0.5;
  Scalar<double> twice = (f(from) + 2.0 * f(middle) + f(to)) * width * 0.25;
  return if_(
      abs(once - twice) < 1e-6, [&] { return twice; },
      [&] { return sum(each(seq(from, middle), seq(middle, to), area_under)); });
}
TEST(Irregular, AdaptiveQuadrature) {
  EXPECT_NEAR(area_under(-1.0, 1.0).item(), 0.2 * std::atan(10.0), 1e-4);
}

Seq<int> kth_smallest(const Seq<int>& list, const Scalar<int>& k) {  // in a sequence of one
  Scalar<int> pivot = list[length(list) / 2];
  Seq<int> lesser = filter(list, list < pivot), greater = filter(list, list > pivot);
  Scalar<int> upto = length(list) - length(greater);
  return if_(
      k < length(lesser), [&] { return kth_smallest(lesser, k); },
      [&] {
        return if_(
            k < upto, [&] { return seq(pivot); }, [&] { return kth_smallest(greater, k - upto); });
      });
}
TEST(Irregular, MediansByQuickselect) {
  Lists lists = random_lists(10, 50, 60, 30);
  for (auto& list : lists) list.push_back(7);
  const auto medians = flatten(each(
      Seq<Seq<int>>(lists), [](Seq<int> list) { return kth_smallest(list, length(list) / 2); }));
  std::vector<int> want;
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    want.push_back(list[list.size() / 2]);
  }
  EXPECT_EQ(medians.to_vector(), want);
}

Seq<int> merge_sort(const Seq<int>& list) {
  return if_(
      length(list) < 2, [&] { return list; },
      [&] {
        Scalar<int> half = length(list) / 2;
        Seq<Seq<int>> sorted = each(seq(take(list, half), drop(list, half)), merge_sort);
        return merge(sorted[0], sorted[1]);
      });
}
TEST(Irregular, MergeSort) {
  const Lists lists = random_lists(11, 20, 70, 1000);
  EXPECT_EQ(each(Seq<Seq<int>>(lists), merge_sort).to_nested_vector(),
            for_each_list(lists, [](std::vector<int> list) {
              std::sort(list.begin(), list.end());
              return list;
            }));
}

Seq<Seq<int>> permutations(const Seq<int>& list) {
  return if_(
      length(list) < 2, [&] { return seq(list); },
      [&] {
        return flatten(each(iota(length(list)), [&](Scalar<int> i) {
          Seq<int> rest = concat(take(list, i), drop(list, i + 1));
          return each(permutations(rest), [&](Seq<int> p) { return concat(seq(list[i]), p); });
        }));
      });
}
TEST(Irregular, AllPermutations) {
  Lists want;
  std::vector<int> list{1, 2, 3, 4, 5};
  do want.push_back(list);
  while (std::next_permutation(list.begin(), list.end()));
  EXPECT_EQ(permutations(seq(1, 2, 3, 4, 5)).to_nested_vector(), want);
}

// The value of a position for the one to move; a heap from which 1, 2 or 4 may be taken.
Scalar<int> game(const Scalar<int>& heap) {
  return if_(
      heap == 0, [&] { return Scalar<int>(-1); },
      [&] {
        Seq<int> moves = seq(1, 2, 4);
        return -min_val(
            each(filter(moves, moves <= heap), [&](Scalar<int> m) { return game(heap - m); }));
      });
}
TEST(Irregular, GameTree) {
  std::vector<int> want{-1};
  for (int heap = 1; heap <= 11; ++heap) {
    int best = -1;
    for (int m : {1, 2, 4})
      if (m <= heap) best = std::max(best, -want[static_cast<size_t>(heap - m)]);
    want.push_back(best);
  }
  EXPECT_EQ(each(iota(12), game).to_vector(), want);
}

Seq<int> primes(int below) {
  if (below <= 2) return filter(iota(0), iota(0) > 0);
  const int root = static_cast<int>(std::ceil(std::sqrt(below)));
  Seq<int> small = primes(root);
  Seq<int> composite =
      flatten(each(small, [&](Scalar<int> p) { return (iota((below - 1) / p - 1) + 2) * p; }));
  Seq<bool> is_prime = put(distribute(Scalar<bool>(true), below), composite,
                           distribute(Scalar<bool>(false), length(composite)));
  Seq<int> number = iota(below);
  return filter(number, is_prime && number > 1);
}
TEST(Irregular, Primes) {
  std::vector<int> want;
  for (int n = 2; n < 1000; ++n) {
    bool prime = true;
    for (int d = 2; d * d <= n; ++d) prime &= n % d != 0;
    if (prime) want.push_back(n);
  }
  EXPECT_EQ(primes(1000).to_vector(), want);
}

// ---- places of extremes

// The first of the extreme elements of a list, -1 if it is empty; a NaN is both extremes.
template <class T, class Before>
int first_extreme(const std::vector<T>& list, Before before) {
  int best = list.empty() ? -1 : 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] != list[i]) return static_cast<int>(i);
    if (before(list[i], list[static_cast<size_t>(best)])) best = static_cast<int>(i);
  }
  return best;
}

template <class T>
void expect_extremes(const std::vector<std::vector<T>>& lists) {
  const Seq<Seq<T>> nested = lists;
  std::vector<int> greatest, least;
  for (const auto& list : lists) {
    greatest.push_back(first_extreme(list, std::greater<T>()));
    least.push_back(first_extreme(list, std::less<T>()));
  }
  EXPECT_EQ(each(nested, [](Seq<T> list) { return max_index(list); }).to_vector(), greatest);
  EXPECT_EQ(each(nested, [](Seq<T> list) { return min_index(list); }).to_vector(), least);
}

TEST(ExtremeIndex, IsTheFirstOfEqualOnes) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  expect_extremes<float>({{0.0f, -0.0f, 0.0f},
                          {-0.0f, 0.0f},
                          {1, nan, 2, nan},
                          {-inf, inf, -inf, inf},
                          {},
                          {-1e-45f, -2.5f, 1e-45f, 0},
                          {nan}});
  expect_extremes<double>({{0.0, -0.0}, {}, {1e300, -1e300, 1e300}, {2, std::nan(""), 1}});
  constexpr int most = std::numeric_limits<int>::max(), least = std::numeric_limits<int>::min();
  expect_extremes<int>({{most, least, most, least}, {}, {0, -1, 1, -1, 1}, {least}, {most}});
  expect_extremes<unsigned>({{3000000000u, 5u, 3000000000u}, {0u, 0u}, {}});
  expect_extremes<int64_t>({{int64_t{1} << 40, -(int64_t{1} << 40)}, {}});
}

TEST(ExtremeIndex, OfRandomLists) {
  const Lists lists = random_lists(31, 300, 40, 12);  // many equal ones
  expect_extremes(lists);
  std::vector<std::vector<float>> floats;
  for (const auto& list : lists) floats.emplace_back(list.begin(), list.end());
  expect_extremes(floats);
}

// Reductions of a sequence from outside of a choice: for nearly all instances, and for few.
TEST(Irregular, SequencesFromOutsideAreFoldedInAChoice) {
  const Lists lists = random_lists(32, 200, 30, 50);
  for (const int least : {1, 29}) {
    const auto got = each(Seq<Seq<int>>(lists), [&](Seq<int> list) {
      return if_(
          length(list) < least, [&] { return Scalar<int>(-1); },
          [&] { return sum(list) + 1000 * max_index(list) + 100000 * max_val(list); });
    });
    std::vector<int> want;
    for (const auto& list : lists)
      want.push_back(static_cast<int>(list.size()) < least
                         ? -1
                         : std::accumulate(list.begin(), list.end(), 0) +
                               1000 * first_extreme(list, std::greater<int>()) +
                               100000 * *std::max_element(list.begin(), list.end()));
    EXPECT_EQ(got.to_vector(), want);
  }
}

}  // namespace
}  // namespace tutti::test
