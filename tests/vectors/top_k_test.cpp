// The first elements of an order: what sorting puts first, for every type, both directions, few and
// many of the elements, with equal keys and NaNs.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/compare.hpp"
#include "support/values.hpp"
#include "vectors/segments.hpp"

#include "numerics/sort_key.hpp"

namespace tutti::test {
namespace {

template <class T>
std::vector<int32_t> plain_first(const std::vector<T>& keys, int64_t count, Order order) {
  std::vector<int32_t> result(keys.size());
  std::iota(result.begin(), result.end(), 0);
  const auto key = [&](int32_t i) {
    return ir::sort_key<T>(keys[static_cast<size_t>(i)], order == Order::descending);
  };
  std::stable_sort(result.begin(), result.end(),
                   [&](int32_t a, int32_t b) { return key(a) < key(b); });
  result.resize(static_cast<size_t>(count));
  return result;
}

template <class T>
void check(const std::vector<T>& host, int64_t count, Order order) {
  SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(host.size()) + " of type " +
               name(element_type<T>));
  const std::vector<int32_t> want = plain_first(host, count, order);
  std::vector<T> values;
  for (int32_t i : want) values.push_back(host[static_cast<size_t>(i)]);
  const Array<1, T> a(host);
  expect_values([&] { return top_k(a, count, order).indices; }, want);
  expect_values([&] { return top_k(a, count, order).values; }, values);
}

TEST(TopK, EveryTypeInBothDirections) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    for (const int64_t n : {1, 2, 33, 3000})
      for (const Order order : {Order::ascending, Order::descending})
        for (const int64_t count : {int64_t{0}, int64_t{1}, n / 40, n / 3, n})
          check(mixed<T>(n, 7), count, order);
  });
}

// Each element is one of the best so far, or none is, or all keys are equal.
TEST(TopK, InOrderedVectors) {
  std::vector<int32_t> up(70'000);
  std::iota(up.begin(), up.end(), -5000);
  const std::vector<int32_t> down(up.rbegin(), up.rend()), equal(up.size(), 3);
  for (const std::vector<int32_t>& host : {up, down, equal})
    for (const int64_t count : {1, 100, 2000}) {
      check(host, count, Order::ascending);
      check(host, count, Order::descending);
    }
}

TEST(TopK, OfManyPartsOnAllThreads) {
  const std::vector<float> host = mixed<float>(900'000, 4);
  const Array<1, float> a(host);
  for (const int64_t count : {10, 5000, 100'000})
    EXPECT_TRUE(top_k(a, count).indices.to_vector() == plain_first(host, count, Order::descending));
}

TEST(TopK, NaNsAreLastAndZerosEqual) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Array<1, float> a(std::vector<float>{nan, 1, 0.0f, -0.0f, -nan, -1, -0.0f});
  EXPECT_EQ(top_k(a, 6).indices.to_vector(), (std::vector<int32_t>{1, 2, 3, 6, 5, 0}));
  EXPECT_EQ(top_k(a, 2, Order::ascending).indices.to_vector(), (std::vector<int32_t>{5, 2}));
}

TEST(TopK, OfComputedElements) {
  const Array<1, float> a = cast<float>(index(Shape<1>(1000), 0));
  const auto first = top_k(Array<1, float>(sin(a) * a), 3);
  expect_same([&] { return first.values * 2.0f; });
}

TEST(TopK, WrongCounts) {
  const Array<1, int32_t> a(std::vector<int32_t>{3, 1, 2});
  for (const int64_t count : {-1, 4}) try {
      top_k(a, count);
      FAIL();
    } catch (const ShapeError& error) {
      EXPECT_NE(std::string(error.what()).find(std::to_string(count) + " of 3 elements"),
                std::string::npos)
          << error.what();
    }
}

}  // namespace
}  // namespace tutti::test
