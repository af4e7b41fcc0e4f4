// Reductions and scans of sequences with user-defined operators: tuples, at every depth, and
// operators that cannot be captured as one function.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

namespace tutti::test {
namespace {

using Best = std::tuple<float, int>;
using LiftedBest = std::tuple<Scalar<float>, Scalar<int>>;

// The greater value, and of equal ones the first.
LiftedBest better(LiftedBest a, LiftedBest b) {
  Scalar<bool> second = std::get<0>(b) > std::get<0>(a);
  return {cond(second, std::get<0>(b), std::get<0>(a)),
          cond(second, std::get<1>(b), std::get<1>(a))};
}

std::vector<std::vector<float>> rows() {
  std::vector<std::vector<float>> result;
  for (int r = 0; r < 200; ++r) {
    result.emplace_back();
    for (int i = 0; i < (r == 77 ? 5000 : r % 7); ++i)
      result.back().push_back(static_cast<float>((r * 31 + i * 7919) % 101));
  }
  return result;
}

Best best_of(const std::vector<float>& row) {
  Best best(-1.0f, -1);
  for (size_t i = 0; i < row.size(); ++i)
    if (row[i] > std::get<0>(best)) best = {row[i], static_cast<int>(i)};
  return best;
}

Seq<Best> numbered(const Seq<float>& s) { return zip(s, iota(length(s))); }

TEST(SequenceOperators, ReduceTuplesAtEveryDepth) {
  const auto host = rows();
  const LiftedBest none(Scalar<float>(-1.0f), Scalar<int>(-1));
  const Seq<Seq<float>> all(host);
  const auto got =
      each(all, [&](Seq<float> row) { return reduce(numbered(row), none, better); }).to_vector();
  ASSERT_EQ(got.size(), host.size());
  for (size_t r = 0; r < host.size(); ++r) EXPECT_EQ(got[r], best_of(host[r])) << r;

  const LiftedBest top = reduce(numbered(Seq<float>(host[77])), none, better);
  EXPECT_EQ(Best(std::get<0>(top).item(), std::get<1>(top).item()), best_of(host[77]));

  const Seq<Seq<Seq<float>>> deep(std::vector{host, {}, {{}, host[5]}});
  const auto deepest =
      each(deep, [&](Seq<Seq<float>> lists) {
        return each(lists, [&](Seq<float> row) { return reduce(numbered(row), none, better); });
      }).to_vector();
  EXPECT_EQ(deepest[0], got);
  EXPECT_EQ(deepest[2], (std::vector<Best>{Best(-1.0f, -1), best_of(host[5])}));
}

TEST(SequenceOperators, ScanTuplesInEachSequence) {
  using Step = std::tuple<int, int>;  // x -> a x + b
  using Lifted = std::tuple<Scalar<int>, Scalar<int>>;
  const auto compose = [](Lifted f, Lifted g) {
    return Lifted(std::get<0>(f) * std::get<0>(g),
                  std::get<1>(f) * std::get<0>(g) + std::get<1>(g));
  };
  std::vector<std::vector<Step>> host;
  for (int r = 0; r < 100; ++r) {
    host.emplace_back();
    for (int i = 0; i < r % 9 * 40; ++i) host.back().emplace_back(i % 3 + 1, r - i);
  }
  const Lifted one(Scalar<int>(1), Scalar<int>(0));
  const auto got =
      each(Seq<Seq<Step>>(host), [&](Seq<Step> s) { return scan(s, one, compose); }).to_vector();
  for (size_t r = 0; r < host.size(); ++r) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < host[r].size(); ++i) {
      EXPECT_EQ(got[r][i], Step(static_cast<int>(a), static_cast<int>(b)));
      const auto p = static_cast<uint32_t>(std::get<0>(host[r][i])),
                 q = static_cast<uint32_t>(std::get<1>(host[r][i]));
      a = a * p, b = b * p + q;
    }
  }
}

// An arithmetic operator takes no rounds: a number of kernels that does not grow with the length.
TEST(SequenceOperators, AreFunctionsWhereTheyCan) {
  const auto captured = [&](auto f) { return detail::capture_operator<int>(f) != nullptr; };
  EXPECT_TRUE(captured([](Scalar<int> a, Scalar<int> b) { return max(a, b) * 2; }));
  EXPECT_FALSE(captured([](Scalar<int> a, Scalar<int> b) {
    return if_(a < b, [&] { return a; }, [&] { return b; });
  }));
  const Seq<int> table(std::vector<int>{1, 2, 3});
  EXPECT_FALSE(captured([&](Scalar<int> a, Scalar<int> b) { return table[a] + b; }));
}

// Values of the each() around, a condition, and sequences as elements go the long way.
TEST(SequenceOperators, MayBeMoreThanFunctions) {
  const Seq<Seq<int>> lists(std::vector<std::vector<int>>{{3, 1, 4}, {}, {1, 5, 9, 2, 6}});
  const Seq<int> moduli(std::vector<int>{5, 7, 10});
  EXPECT_EQ(each(lists, moduli,
                 [](Seq<int> s, Scalar<int> m) {
                   return reduce(s, Scalar<int>(0),
                                 [&](Scalar<int> a, Scalar<int> b) { return (a + b) % m; });
                 })
                .to_vector(),
            (std::vector<int>{3, 0, 3}));
  EXPECT_EQ(each(lists,
                 [](Seq<int> s) {
                   return reduce(s, Scalar<int>(-1), [](Scalar<int> a, Scalar<int> b) {
                     return if_(a < b, [&] { return b; }, [&] { return a; });
                   });
                 })
                .to_vector(),
            (std::vector<int>{4, -1, 9}));
  // A neutral element of each sequence's own.
  EXPECT_EQ(each(lists, moduli,
                 [](Seq<int> s, Scalar<int> m) {
                   return scan(s, m, [](Scalar<int> a, Scalar<int> b) { return a * 2 + b * 0; });
                 })
                .to_vector()[2][0],
            10);
}

}  // namespace
}  // namespace tutti::test
