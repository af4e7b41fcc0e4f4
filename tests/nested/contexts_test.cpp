// Properties of contexts besides results: what is not run, copied or computed twice; elements of
// every kind; the same bits on every evaluator.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cmath>

#include "engine/background.hpp"

namespace tutti::test {
namespace {

using Ints = std::vector<int>;
using Rows = std::vector<Ints>;

TEST(Contexts, SkipBranchesWithoutInstances) {
  int taken = 0, not_taken = 0;
  const Seq<int> s = Ints{1, 2, 3};
  const Ints got = each(s, [&](Scalar<int> x) {
                     return if_(x > 0, [&] { return ++taken, x; }, [&] { return ++not_taken, -x; });
                   }).to_vector();
  EXPECT_EQ(got, (Ints{1, 2, 3}));
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(not_taken, 0);
}

TEST(Contexts, DoNotRunBodiesWithoutElements) {
  int calls = 0;
  const auto body = [&](Scalar<int> x) { return ++calls, x; };
  EXPECT_TRUE(each(Seq<int>(), body).to_vector().empty());
  EXPECT_EQ(each(Seq<Seq<int>>(Rows{{}, {}}), [&](Seq<int> row) { return each(row, body); })
                .to_nested_vector(),
            (Rows{{}, {}}));
  EXPECT_EQ(calls, 0);
}

// A tree is walked until no instance is left; nothing else ends the recursion.
Seq<int> numbers_below(const Scalar<int>& n) {
  return concat(seq(n), flatten(each(iota(n), numbers_below)));
}
TEST(Contexts, RecursionEndsWhenNoInstanceIsLeft) {
  EXPECT_EQ(numbers_below(3).to_vector(), (Ints{3, 0, 1, 0, 2, 0, 1, 0}));
}

Scalar<int> countdown(const Scalar<int>& n) {
  return if_(n == 0, [] { return 0; }, [&] { return countdown(n - 1) + 2; });
}
TEST(Contexts, RecursionMayBeDeep) {
  EXPECT_EQ(each(Seq<int>(Ints{3, 700, 0, 41}), countdown).to_vector(), (Ints{6, 1400, 0, 82}));
}

TEST(Contexts, SharedSequencesAreNotCopied) {
  const int rows = 2000, columns = 1 << 20;
  std::vector<float> v(columns);
  for (int i = 0; i < columns; ++i) v[static_cast<size_t>(i)] = static_cast<float>(i % 1000);
  Rows places(rows);
  for (int i = 0; i < rows; ++i) places[static_cast<size_t>(i)] = {i, i * 17 % columns, 5};
  const Seq<float> shared = v;
  const Seq<Seq<int>> at = places;
  const int64_t before = statistics().bytes_in_use;
  const std::vector<float> got =
      each(at, [&](Seq<int> row) { return sum(shared[row]); }).to_vector();
  // Copied to every row it would be 8 GB.
  EXPECT_LT(statistics().peak_bytes_in_use - before, 64 << 20);
  for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], v[i] + v[i * 17 % columns] + v[5]);
}

// One kernel, or a few, for a body of many operations: not one for each.
TEST(Contexts, BodiesFuse) {
  std::vector<float> numbers(1 << 18);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 97) + 1;
  const Seq<float> s = numbers;
  const auto body = [](Scalar<float> x) {
    Scalar<float> y = x;
    for (int i = 0; i < 20; ++i) y = y * x + 1.0f / (y + 2.0f);
    return sqrt(y) - log(x);
  };
  each(s, body).to_vector();
  const Statistics before = statistics();
  each(s, body).to_vector();
  EXPECT_LE(statistics().kernel_launches - before.kernel_launches, 3);
  EXPECT_LE(statistics().evaluations - before.evaluations, 2);
}

TEST(Contexts, WhatDoesNotDependOnAnElementIsComputedOnce) {
  const Seq<Seq<int>> rows = Rows{{3, 4}, {}, {5}};
  // Were sum(row) computed for each element, rows would be copied: the lengths squared.
  Rows large(3);
  large[1].assign(30'000, 1);
  EXPECT_EQ(
      each(rows,
           [](Seq<int> row) { return each(row, [&](Scalar<int> x) { return x * sum(row); }); })
          .to_nested_vector(),
      (Rows{{21, 28}, {}, {25}}));
  const Rows got = each(Seq<Seq<int>>(large), [](Seq<int> row) {
                     return each(row, [&](Scalar<int> x) { return x + sum(row); });
                   }).to_nested_vector();
  EXPECT_EQ(got[1], Ints(30'000, 30'001));
}

TEST(Elements, OfEveryKind) {
  using Pair = std::tuple<int, float>;
  const std::vector<std::vector<Pair>> rows = {{{1, 1.5f}, {2, 2.5f}}, {}, {{3, 3.5f}}};
  const Seq<Seq<Pair>> s = rows;
  EXPECT_EQ(s.to_nested_vector(), rows);
  const auto twice = each(s, [](Seq<Pair> row) {
    return each(reverse(row), [](std::tuple<Scalar<int>, Scalar<float>> pair) {
      auto [i, x] = pair;
      return std::tuple(x, i * 2);
    });
  });
  EXPECT_EQ(twice.to_nested_vector(), (std::vector<std::vector<std::tuple<float, int>>>{
                                          {{2.5f, 4}, {1.5f, 2}}, {}, {{3.5f, 6}}}));
  EXPECT_EQ(unzip<0>(flatten(s)).to_vector(), (Ints{1, 2, 3}));

  // Sequences within tuples.
  const Seq<std::tuple<Seq<int>, int>> mixed =
      std::vector<std::tuple<Ints, int>>{{Ints{1, 2}, 10}, {Ints{}, 20}, {Ints{3}, 30}};
  EXPECT_EQ(each(mixed,
                 [](std::tuple<Seq<int>, Scalar<int>> element) {
                   auto [numbers, factor] = element;
                   return numbers * factor;
                 })
                .to_nested_vector(),
            (Rows{{10, 20}, {}, {90}}));
  const auto sorted = sort_by(Seq<int>(Ints{3, 1, 2}), mixed).to_vector();
  EXPECT_EQ(sorted,
            (std::vector<std::tuple<Ints, int>>{{Ints{}, 20}, {Ints{3}, 30}, {Ints{1, 2}, 10}}));
}

TEST(Elements, TypesMeetAsArraysDo) {
  const Seq<int> i = Ints{1, 2, 3};
  const Seq<double> d = cast<double>(i);
  EXPECT_EQ(Seq<double>(d / 2).to_vector(), (std::vector<double>{0.5, 1, 1.5}));
  EXPECT_EQ(Seq<float>(i * 0.5f).to_vector(), (std::vector<float>{0.5f, 1, 1.5f}));
  EXPECT_EQ(Seq<double>(sqrt(i * i)).to_vector(), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ((!(i > 1)).to_vector(), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(sum(Seq<int8_t>(std::vector<int8_t>{100, 100})).item(), 200);
  EXPECT_EQ(Seq<Seq<int>>(Seq<Seq<int>>(Rows{{1}, {}, {2, 3}}) * 2).to_nested_vector(),
            (Rows{{2}, {}, {4, 6}}));
}

TEST(Elements, ToAndFromArrays) {
  const Array<1, float> a(std::vector<float>{1, 4, 9});
  EXPECT_EQ(Seq<float>(sqrt(Seq<float>(a))).to_array().to_vector(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(Seq<int>(filter(Seq<int>(Ints{1, 2, 3}), Seq<bool>(std::vector<bool>{1, 0, 1})))
                .to_array()
                .to_vector(),
            (Ints{1, 3}));
}

// Loops on the host, compiled code, one thread or several: the same bits.
TEST(Bits, DoNotDependOnHowTheyAreComputed) {
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 300; ++i) {
    rows.emplace_back();
    for (int k = 0; k < (i == 30 ? 40'000 : i % 7); ++k)
      rows.back().push_back(std::sin(static_cast<float>(i * 31 + k)) * 100);
  }
  const auto run = [&](int64_t small_work, int threads) {
    const Settings before = settings();
    Settings s = before;
    s.small_work = small_work;
    s.threads = threads;
    set_settings(s);
    const auto result =
        each(Seq<Seq<float>>(rows), [](Seq<float> row) {
          return concat(seq(sum(row), product(row * 0.01f)), sum_scan(exp(row * 0.1f)));
        }).to_nested_vector();
    set_settings(before);
    return result;
  };
  const auto want = run(int64_t{1} << 40, 1);
  EXPECT_EQ(run(0, 1), want);
  EXPECT_EQ(run(0, 2), want);
  EXPECT_EQ(run(20'000, 2), want);
}

Seq<int> sorted(const Seq<int>& a) {
  return if_(
      length(a) < 2, [&] { return a; },
      [&] {
        Scalar<int> pivot = a[length(a) / 2];
        Seq<Seq<int>> sides = each(seq(filter(a, a < pivot), filter(a, a > pivot)), sorted);
        return concat(sides[0], filter(a, a == pivot), sides[1]);
      });
}

// Every level of a recursion has other sizes, and every run: they share plans all the same.
TEST(Plans, AreSharedByLevelsAndRuns) {
  const Settings before = settings();
  Settings compiled = before;
  compiled.small_work = 0;
  set_settings(compiled);
  int64_t evaluations = 0, plans = 0;
  for (int run = 0; run < 6; ++run) {
    std::vector<int> numbers;
    for (int i = 0; i < 1500 + 37 * run; ++i) numbers.push_back((i * 7919 + run * 104729) % 30011);
    const Statistics start = statistics();
    const std::vector<int> got = sorted(numbers).to_vector();
    evaluations = statistics().evaluations - start.evaluations;
    plans = statistics().plans_built - start.plans_built;
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(got, numbers);
  }
  set_settings(before);
  EXPECT_LE(plans, evaluations / 3) << "plans of the last run, which had " << evaluations;
}

// What is small is interpreted at first, and compiled by another thread when it is seen again.
TEST(Plans, AreCompiledBesideTheProgram) {
  const ScopedDevice here("cpu");
  const Settings before = settings();
  Settings s = before;
  s.small_work = 20'000;
  set_settings(s);
  clear_kernel_cache();
  Ints numbers(700);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 31 % 97);
  const Seq<int> sequence = numbers;
  const auto run = [&](int k) { return filter(sequence * k + 5, sequence > k).to_vector(); };
  const auto launches_of = [&](int k, Ints& result) {
    const int64_t start = statistics().kernel_launches;
    result = run(k);
    return statistics().kernel_launches - start;
  };
  Ints first, second, third;
  EXPECT_EQ(launches_of(3, first), 0);
  EXPECT_EQ(launches_of(3, second), 0);
  engine::wait_for_background();
  EXPECT_GT(launches_of(3, third), 0);
  set_settings(before);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, third);
}

}  // namespace
}  // namespace tutti::test
