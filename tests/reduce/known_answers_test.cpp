// Reductions against plain C++: exact types by a plain loop, floating point by the documented
// trees.
#include "support/compare.hpp"
#include "support/values.hpp"

#include <array>
#include <cmath>

namespace tutti::test {
namespace {

using std::vector;

TEST(Reductions, OfASmallMatrix) {
  const Array<2, float> a(vector<float>{1, -2, 3, 4, 5, -6}, 2, 3);
  expect_values([&] { return sum(a, 1); }, vector<float>{2, 3});
  expect_values([&] { return sum(a, 0); }, vector<float>{5, 3, -3});
  expect_values([&] { return sum(a); }, vector<float>{5});
  expect_values([&] { return sum(a, {0, 1}); }, vector<float>{5});
  expect_values([&] { return product(a, 0); }, vector<float>{4, -10, -18});
  expect_values([&] { return max_val(a, 1); }, vector<float>{3, 5});
  expect_values([&] { return min_val(a, 0); }, vector<float>{1, -2, -6});
  expect_values([&] { return all(a > -3.0f, 1); }, vector<bool>{true, false});
  expect_values([&] { return any(a > 4.0f, 1); }, vector<bool>{false, true});
  expect_values([&] { return count(a > 0.0f); }, vector<int>{4});
  expect_values([&] { return count(a > 0.0f, 0); }, vector<int>{2, 1, 1});
}

TEST(Reductions, OfNoElements) {
  const Array<1, float> none(0);
  constexpr float inf = std::numeric_limits<float>::infinity();
  expect_values([&] { return sum(none); }, vector<float>{0.0f});
  expect_values([&] { return product(none); }, vector<float>{1});
  expect_values([&] { return max_val(none); }, vector<float>{-inf});
  expect_values([&] { return min_val(none); }, vector<float>{inf});
  expect_values([&] { return max_val(Array<1, int8_t>(0)); }, vector<int8_t>{-128});
  expect_values([&] { return min_val(Array<1, uint16_t>(0)); }, vector<uint16_t>{65535});
  expect_values([&] { return all(Array<1, bool>(0)); }, vector<bool>{true});
  expect_values([&] { return any(Array<1, bool>(0)); }, vector<bool>{false});
  expect_values([&] { return sum(Array<2, int>(3, 0), 1); }, vector<int>{0, 0, 0});
  expect_values([&] { return sum(Array<2, int>(3, 0), 0); }, vector<int>{});
  expect_values([&] { return sum(Array<1, half>(0)); }, vector<half>{half(0.0f)});
}

TEST(Reductions, OfSpecialValues) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto array = [](vector<float> v) { return Array<1, float>(v); };
  expect_values([&] { return max_val(array({1, nan, 3})); }, vector<float>{nan});
  expect_values([&] { return min_val(array({0.0f, -0.0f, 0.0f})); }, vector<float>{-0.0f});
  expect_values([&] { return max_val(array({-0.0f, 0.0f, -0.0f})); }, vector<float>{0.0f});
  expect_values([&] { return sum(array({-0.0f, -0.0f})); }, vector<float>{-0.0f});  // as -0 + -0 is
  expect_values([&] { return sum(array({1, nan})); }, vector<float>{nan});
}

TEST(Reductions, ThatIgnoreNaN) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float inf = std::numeric_limits<float>::infinity();
  const Array<2, float> a(vector<float>{nan, -2, 3, 4, nan, -inf, nan, nan, nan}, 3, 3);
  expect_values([&] { return fmax_val(a); }, vector<float>{4});
  expect_values([&] { return fmin_val(a); }, vector<float>{-inf});
  expect_values([&] { return fmax_val(a, 1); }, vector<float>{3, 4, nan});
  expect_values([&] { return fmin_val(a, 0); }, vector<float>{4, -2, -inf});
  expect_values([&] { return fmax_val(Array<1, float>(0)); }, vector<float>{nan});
  expect_values([&] { return fmin_val(Array<1, float>(vector<float>{0.0f, nan, -0.0f})); },
                vector<float>{-0.0f});
  // The others have no NaN.
  expect_values([&] { return fmax_val(Array<1, int8_t>(vector<int8_t>{-3, -7})); },
                vector<int8_t>{-3});
  expect_values([&] { return fmin_val(Array<1, int>(0)); },
                vector<int>{std::numeric_limits<int>::max()});
  expect_values([&] { return fmin_val(Array<1, bool>(vector<bool>{true, false})); },
                vector<bool>{false});
  expect_values(
      [&] { return fmax_val(Array<1, half>(vector<half>{half(1.5f), half(nan), half(0.25f)})); },
      vector<half>{half(1.5f)});
  expect_values([&] { return fmax_scan(a, Scan::inclusive); },
                vector<float>{nan, -2, 3, 4, 4, 4, nan, nan, nan});
  const Array<1, int> offsets(vector<int>{0, 1, 1, 4});
  const Array<1, float> v(vector<float>{nan, 7, nan, -7});
  expect_values([&] { return segmented_fmin(v, offsets); }, vector<float>{nan, nan, -7});
  // The operator is recognised.
  expect_values([&] { return reduce([](auto x, auto y) { return fmax(x, y); }, a, 1); },
                vector<float>{3, 4, nan});
}

TEST(Reductions, OfBits) {
  const Array<2, uint8_t> a(vector<uint8_t>{0b1100, 0b1010, 0b1001, 0b1111}, 2, 2);
  expect_values([&] { return all_bits(a); }, vector<uint8_t>{0b1000});
  expect_values([&] { return any_bits(a, 0); }, vector<uint8_t>{0b1101, 0b1111});
  expect_values([&] { return odd_bits(a, 1); }, vector<uint8_t>{0b0110, 0b0110});
  expect_values([&] { return all_bits(Array<1, int16_t>(0)); }, vector<int16_t>{-1});
  expect_values([&] { return odd_bits(Array<1, bool>(vector<bool>{true, true, true})); },
                vector<bool>{true});
}

TEST(Reductions, OfNarrowIntegersHaveRoom) {
  expect_values([] { return sum(Array<1, uint8_t>(vector<uint8_t>(1000, 255))); },
                vector<uint32_t>{255000});
  expect_values([] { return sum(Array<1, int8_t>(vector<int8_t>(1000, -128))); },
                vector<int32_t>{-128000});
  expect_values([] { return product(Array<1, int16_t>(vector<int16_t>{300, 300, -3})); },
                vector<int32_t>{-270000});
  expect_values([] { return sum(Array<1, bool>(vector<bool>(70000, true))); },
                vector<int32_t>{70000});
  expect_values([] { return sum(Array<1, half>(vector<half>(10000, half(1.0f)))); },
                vector<half>{half(10000.0f)});
}

TEST(Reductions, OfWideIntegersWrap) {
  for (const int64_t n : {31, 8193, 100000}) {
    const auto a = mixed<int64_t>(n, 3);
    uint64_t total = 0, times = 1;
    for (int64_t x : a) total += static_cast<uint64_t>(x), times *= static_cast<uint64_t>(x | 1);
    expect_values([&] { return sum(Array<1, int64_t>(a)); },
                  vector<int64_t>{static_cast<int64_t>(total)});
    expect_values([&] { return product(Array<1, int64_t>(a) | 1); },
                  vector<int64_t>{static_cast<int64_t>(times)});
  }
}

// The wide tree: tiles of 8192, element i in lane i mod 256, lanes folded by halves.
float wide_sum(vector<float> x) {
  do {
    vector<float> totals;
    for (size_t begin = 0; begin < x.size(); begin += 8192) {
      std::array<float, 256> lanes;
      lanes.fill(-0.0f);
      for (size_t i = begin; i < std::min(begin + 8192, x.size()); ++i)
        lanes[(i - begin) % 256] += x[i];
      for (size_t half = 128; half > 0; half /= 2)
        for (size_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
      totals.push_back(lanes[0]);
    }
    x = totals;
  } while (x.size() > 1);
  return x[0];
}

// The column tree: tiles of 32, each added in order.
float column_sum(vector<float> x) {
  do {
    vector<float> totals;
    for (size_t begin = 0; begin < x.size(); begin += 32) {
      float total = -0.0f;
      for (size_t i = begin; i < std::min(begin + 32, x.size()); ++i) total += x[i];
      totals.push_back(total);
    }
    x = totals;
  } while (x.size() > 1);
  return x[0];
}

vector<float> thirds(int64_t n) {
  vector<float> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(static_cast<float>(i % 1009) / 3.0f - 100.0f);
  return result;
}

TEST(Reductions, FollowTheWideTree) {
  for (const int64_t n : {1, 7, 256, 300, 8192, 8193, 100000, 300000}) {
    const auto a = thirds(n);
    expect_values([&] { return sum(Array<1, float>(a)); }, vector<float>{wide_sum(a)});
  }
}

TEST(Reductions, FollowTheColumnTree) {
  for (const int64_t n : {1, 7, 32, 33, 1024, 1025, 40000}) {
    const auto a = thirds(n * 3);
    vector<float> want;
    for (int64_t c = 0; c < 3; ++c) {
      vector<float> column;
      for (int64_t r = 0; r < n; ++r) column.push_back(a[static_cast<size_t>(r * 3 + c)]);
      want.push_back(column_sum(column));
    }
    expect_values([&] { return sum(Array<2, float>(a, n, 3), 0); }, want);
  }
}

TEST(Reductions, WithoutAxesAreTheArray) {
  const Array<0, float> seven = 7.0f;
  EXPECT_EQ(sum(seven).item(), 7.0f);
  EXPECT_EQ(max_val(seven).item(), 7.0f);
}

// More elements than 32 bits count, none of them stored.
TEST(Reductions, OfMoreThanFourBillionElements) {
  const Shape<2> shape(65536, 65539);
  const Array<1, int64_t> ones(vector<int64_t>(65539, 1));
  EXPECT_EQ(sum(broadcast(ones, shape)).item(), int64_t{65536} * 65539);
  const auto row = cast<int64_t>(index<2>(shape, 0)), column = cast<int64_t>(index<2>(shape, 1));
  EXPECT_EQ(max_val(row * 65539 + column).item(), int64_t{65536} * 65539 - 1);
}

// A computed node has let go of what it was converted from.
TEST(Reductions, OfAComputedConversion) {
  const Array<1, int32_t> whole = cast<int32_t>(Array<1, float>(vector<float>{1.5f, 2.5f, 3.5f}));
  whole.evaluate();
  EXPECT_EQ(sum(whole).to_vector()[0], 6);
  EXPECT_EQ(sum_scan(whole).to_vector()[2], 6);
}

}  // namespace
}  // namespace tutti::test
