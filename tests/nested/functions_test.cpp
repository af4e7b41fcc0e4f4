// Every operation on sequences against plain loops: flat, inside each(), two deep, with empty
// sequences, one huge among many tiny, a million of them.
#include <gtest/gtest.h>

#include <random>

#include "nested/programs.hpp"

namespace tutti::test {
namespace {

using Rows = std::vector<Ints>;

std::mt19937 generator(11);

Ints random_ints(int count) {
  Ints result;
  for (int i = 0; i < count; ++i) result.push_back(static_cast<int>(generator() % 200) - 60);
  return result;
}
int up_to(int most) { return static_cast<int>(generator() % static_cast<unsigned>(most + 1)); }

Rows expected(const Function& f, const Rows& rows) {
  Rows result;
  for (const Ints& row : rows) result.push_back(f.plain(row));
  return result;
}

class EveryFunction : public ::testing::TestWithParam<int> {
 protected:
  const Function& f = functions()[static_cast<size_t>(GetParam())];

  void check(const Rows& rows) {
    const Rows got =
        each(Seq<Seq<int>>(rows), [&](Seq<int> row) { return f.lifted(row); }).to_nested_vector();
    ASSERT_EQ(got.size(), rows.size()) << f.name;
    const Rows want = expected(f, rows);
    for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(got[i], want[i]) << f.name << ", row " << i;
  }
};

TEST_P(EveryFunction, Flat) {
  for (int size : {0, 1, 2, 5, 100, 3001}) {
    const Ints v = random_ints(size);
    EXPECT_EQ(f.lifted(Seq<int>(v)).to_vector(), f.plain(v)) << f.name << " of " << size;
  }
}

TEST_P(EveryFunction, InEach) {
  check({});
  check({{}});
  check({{}, {}, {}});
  check({{3}});
  check({{1, 2, 3}, {}, {4, 5, 6}, {7}, {}});
  Rows rows;
  for (int i = 0; i < 60; ++i) rows.push_back(random_ints(up_to(12)));
  check(rows);
}

TEST_P(EveryFunction, OneHugeAmongTiny) {
  Rows rows;
  for (int i = 0; i < 40; ++i) rows.push_back(random_ints(i == 17 ? 30'000 : up_to(2)));
  check(rows);
}

TEST_P(EveryFunction, TwoDeep) {
  std::vector<Rows> groups;
  for (int i = 0; i < 12; ++i) {
    groups.emplace_back();
    for (int k = up_to(4); k > 0; --k) groups.back().push_back(random_ints(up_to(9)));
  }
  const std::vector<Rows> got = each(Seq<Seq<Seq<int>>>(groups), [&](Seq<Seq<int>> rows) {
                                  return each(rows, [&](Seq<int> row) { return f.lifted(row); });
                                }).to_nested_vector();
  ASSERT_EQ(got.size(), groups.size());
  for (size_t i = 0; i < groups.size(); ++i) EXPECT_EQ(got[i], expected(f, groups[i])) << f.name;
}

INSTANTIATE_TEST_SUITE_P(Functions, EveryFunction,
                         ::testing::Range(0, static_cast<int>(functions().size())));

TEST(ManySegments, AMillion) {
  Rows rows(1'000'000);
  for (size_t i = 0; i < rows.size(); ++i)
    if (i % 3 != 0) rows[i] = {static_cast<int>(i % 1000), static_cast<int>(i * 7 % 1000)};
  const Seq<Seq<int>> s(rows);
  const Ints sums = each(s, [](Seq<int> row) { return sum(row) + length(row); }).to_vector();
  const Rows sorted =
      each(s, [](Seq<int> row) { return sort(filter(row, row % 2 == 0)); }).to_nested_vector();
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(sums[i], loops::sum(rows[i]) + loops::size(rows[i]));
    Ints want = loops::keep(rows[i], [](int x) { return x % 2 == 0; });
    std::sort(want.begin(), want.end());
    ASSERT_EQ(sorted[i], want);
  }
}

}  // namespace
}  // namespace tutti::test
