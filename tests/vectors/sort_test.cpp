// Sorting and searching: every type, both directions, stability, NaNs and zeros, segments.
#include <algorithm>
#include <numeric>

#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

#include "numerics/sort_key.hpp"

namespace tutti::test {
namespace {

// Many equal keys, so that stability shows.
template <class T>
std::vector<T> keys(int64_t n, int64_t different) {
  const std::vector<T> pool = mixed<T>(different, 7);
  std::mt19937 random(9);
  std::vector<T> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(pool[random() % pool.size()]);
  return result;
}

template <class T>
std::vector<int32_t> plain_order(const std::vector<T>& keys, const std::vector<int32_t>& offsets,
                                 bool descending) {
  std::vector<int32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int32_t i) {
    return ir::sort_key<T>(keys[static_cast<size_t>(i)], descending);
  };
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    std::stable_sort(order.begin() + offsets[s], order.begin() + offsets[s + 1],
                     [&](int32_t a, int32_t b) { return key(a) < key(b); });
  return order;
}

TEST(Sort, EveryTypeInBothDirections) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for (const int64_t n : {0, 1, 2, 33, 1000, 5000})
      for (const Order order : {Order::ascending, Order::descending}) {
        SCOPED_TRACE(std::string(name(element_type<T>)) + " of length " + std::to_string(n));
        const std::vector<T> host = keys<T>(n, n / 3 + 1);
        const std::vector<int32_t> want =
            plain_order<T>(host, {0, static_cast<int32_t>(n)}, order == Order::descending);
        std::vector<T> sorted;
        for (int32_t i : want) sorted.push_back(host[static_cast<size_t>(i)]);
        const Array<1, T> a(host);
        expect_values([&] { return sort_permutation(a, order); }, want);
        expect_values([&] { return sort(a, order); }, sorted);
        const Array<1, int32_t> numbers = index(a.shape(), 0);
        expect_values([&] { return sort_by(a, numbers, order); }, want);
      }
  });
}

TEST(Sort, NaNsAreLastAndZerosEqual) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Array<1, float> a(std::vector<float>{nan, 1, 0.0f, -0.0f, -nan, -1, -0.0f});
  EXPECT_EQ(sort_permutation(a).to_vector(), (std::vector<int32_t>{5, 2, 3, 6, 1, 0, 4}));
  EXPECT_EQ(sort_permutation(a, Order::descending).to_vector(),
            (std::vector<int32_t>{1, 2, 3, 6, 5, 0, 4}));
}

TEST(Sort, Segments) {
  for (const Lengths& segments : every_kind_of_segments()) {
    SCOPED_TRACE(segments.what);
    const std::vector<int32_t> offsets = segments.offsets();
    const Array<1, int32_t> ends(offsets);
    for_each_size_of_type([&](auto tag) {
      using T = typename decltype(tag)::type;
      const std::vector<T> host = keys<T>(segments.elements(), 500);
      const Array<1, T> a(host);
      const std::vector<int32_t> want = plain_order<T>(host, offsets, true);
      expect_values(
          [&] {
            return Array<1, int32_t>(
                detail::sort_permutation(a.node(), ends.node(), true, Location::current()));
          },
          want);
      std::vector<T> sorted;
      for (int32_t i : want) sorted.push_back(host[static_cast<size_t>(i)]);
      expect_values([&] { return segmented_sort(a, ends, Order::descending); }, sorted);
    });
  }
}

TEST(Sort, LargeOnAllThreads) {
  const std::vector<int32_t> host = mixed<int32_t>(1'500'000, 4);
  const Array<1, int32_t> a(host);
  std::vector<int32_t> want = host;
  std::sort(want.begin(), want.end());
  EXPECT_TRUE(sort(a).to_vector() == want);
  const std::vector<double> doubles = mixed<double>(600'000, 4);
  const Array<1, double> b(doubles);
  EXPECT_TRUE(sort_permutation(b).to_vector() == plain_order<double>(doubles, {0, 600'000}, false));
}

TEST(Sort, RankIsTheInverse) {
  const Array<1, int32_t> a(std::vector<int32_t>{30, 10, 20, 10});
  EXPECT_EQ(rank(a).to_vector(), (std::vector<int32_t>{3, 0, 2, 1}));
}

TEST(Search, BoundsOfEveryType) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    SCOPED_TRACE(name(element_type<T>));
    const Array<1, T> sorted = sort(Array<1, T>(keys<T>(3000, 900))), queries(keys<T>(5000, 2000));
    sorted.evaluate();
    expect_same([&] { return lower_bound(sorted, queries); });
    expect_same([&] { return upper_bound(sorted, queries); });
  });
  const Array<1, int32_t> a(std::vector<int32_t>{1, 3, 3, 5}), q(std::vector<int32_t>{0, 3, 6});
  EXPECT_EQ(lower_bound(a, q).to_vector(), (std::vector<int32_t>{0, 1, 4}));
  EXPECT_EQ(upper_bound(a, q).to_vector(), (std::vector<int32_t>{0, 3, 4}));
  EXPECT_EQ(lower_bound(Array<1, int32_t>(0), q).to_vector(), (std::vector<int32_t>{0, 0, 0}));
}

}  // namespace
}  // namespace tutti::test
