// Elements that are set, different elements, reductions by keys: against maps of the standard
// library.
#include <tutti/sets.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

TEST(Sets, Nonzero) {
  for (const Shape<2>& shape : {Shape<2>(5, 7), Shape<2>(300, 400), Shape<2>(0, 3)}) {
    const Array<2, int> a = plain_array<2, int>(shape) % 3;
    std::vector<int> rows, columns;
    const std::vector<int> elements = a.to_vector();
    for (int i = 0; i < shape.size(); ++i)
      if (elements[static_cast<size_t>(i)] != 0) {
        rows.push_back(i / static_cast<int>(shape[1]));
        columns.push_back(i % static_cast<int>(shape[1]));
      }
    const Array<1, Value2i> found = nonzero(a);
    EXPECT_EQ(found.component(0).to_vector(), rows);
    EXPECT_EQ(found.component(1).to_vector(), columns);
    if (shape.size() > 0) {
      EXPECT_FALSE(bool(any(a[found] == 0)));
    }
  }
  EXPECT_EQ(nonzero(Array<1, float>(std::vector<float>{0, -0.0f, 2, NAN})).to_vector(),
            (std::vector<int>{2, 3}));
  EXPECT_EQ(nonzero(Array<1, bool>(Shape<1>(3), true)).to_vector(), (std::vector<int>{0, 1, 2}));
}

TEST(Sets, UniqueWithCountsAndInverse) {
  for (const Shape<2>& shape : {Shape<2>(4, 5), Shape<2>(500, 300), Shape<2>(1, 1)}) {
    const Array<2, int> a = plain_array<2, int>(shape) % 101;
    const std::vector<int> elements = a.to_vector();
    std::map<int, std::pair<int, int>> expected;  // count, first
    for (size_t i = 0; i < elements.size(); ++i) {
      const auto [at, is_new] = expected.try_emplace(elements[i], 0, static_cast<int>(i));
      ++at->second.first;
    }
    std::vector<int> values, counts, first;
    for (const auto& [value, rest] : expected) {
      values.push_back(value);
      counts.push_back(rest.first);
      first.push_back(rest.second);
    }
    const auto found = unique_all(a);
    EXPECT_EQ(found.values.to_vector(), values);
    EXPECT_EQ(found.counts.to_vector(), counts);
    EXPECT_EQ(found.first.to_vector(), first);
    EXPECT_EQ(found.inverse.shape(), a.shape());
    EXPECT_EQ(found.values[found.inverse].to_vector(), elements);
    expect_same([&] { return unique_all(a).inverse; });
  }
  const auto none = unique_all(Array<2, float>(0, 3));
  EXPECT_EQ(none.values.size(), 0);
  EXPECT_EQ(none.inverse.shape(), Shape<2>(0, 3));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(
      unique_all(Array<1, float>(std::vector<float>{nan, 1, nan, -0.0f, 0.0f})).counts.to_vector(),
      (std::vector<int>{2, 1, 1, 1}));
}

TEST(Sets, ReductionsByKey) {
  for (const int64_t n : {0, 1, 1000, 200000})
    for (const int64_t keys : {3, 50000}) {
      const Array<1, int64_t> key = (plain_array<1, int64_t>(Shape<1>(n)) * int64_t{7919}) % keys;
      const Array<1, int> value = plain_array<1, int>(Shape<1>(n));
      std::map<int64_t, std::pair<int, int>> expected;  // sum, greatest
      const auto k = key.to_vector();
      const auto v = value.to_vector();
      for (size_t i = 0; i < k.size(); ++i) {
        const auto [at, is_new] = expected.try_emplace(k[i], 0, v[i]);
        at->second.first += v[i];
        at->second.second = std::max(at->second.second, v[i]);
      }
      std::vector<int64_t> found;
      std::vector<int> sums, greatest;
      for (const auto& [which, rest] : expected) {
        found.push_back(which);
        sums.push_back(rest.first);
        greatest.push_back(rest.second);
      }
      const auto totals = sum_by_key(key, value);
      EXPECT_EQ(totals.keys.to_vector(), found);
      EXPECT_EQ(totals.values.to_vector(), sums);
      EXPECT_EQ(max_by_key(key, value).values.to_vector(), greatest);
      const Array<1, float> floats(mixed<float>(n, 2), n);
      expect_same([&] { return sum_by_key(key, floats).values; });
    }
}

TEST(Sets, Errors) {
  const Array<1, int> keys(5);
  EXPECT_NE(message_of<ShapeError>([&] {
              sum_by_key(keys, Array<1, float>(4));
            }).find("reduce_by_key: keys of the shape {5} and values of {4}"),
            std::string::npos);
  const detail::NodeRef scalar = Array<0, int>(3).node();
  EXPECT_THROW(detail::nonzero(scalar, {}), ShapeError);
  const Array<1, float> huge(Shape<1>(int64_t{1} << 32), 1.0f);
  EXPECT_THROW(unique_all(huge), ShapeError);
  EXPECT_THROW(nonzero(huge), ShapeError);
}

}  // namespace
}  // namespace tutti::test
