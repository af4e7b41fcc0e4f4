// Random numbers: the published vectors of the generator, the same bits for any shape and inside of
// programs, and distributions that look right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/errors.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using Words = std::array<uint32_t, 4>;

TEST(RandomNumbers, PublishedVectors) {
  EXPECT_EQ(detail::philox<uint32_t>({0, 0, 0, 0}, 0),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(detail::philox<uint32_t>({~0u, ~0u, ~0u, ~0u}, ~uint64_t{0}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(detail::philox<uint32_t>({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                                     0x299f31d0a4093822),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// Element i is word i % 4 of block i / 4.
TEST(RandomNumbers, ElementsAreWordsOfBlocks) {
  const Random key(0x123456789abcdef);
  const std::vector<uint32_t> bits = random_bits(key, Shape<1>(1000)).to_vector();
  const std::vector<uint64_t> bits64 = random_bits64(key, Shape<1>(1000)).to_vector();
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(bits[i], detail::philox<uint32_t>({i / 4, 0, 0, 0}, key.key())[i % 4]);
    const Words block = detail::philox<uint32_t>({i / 2, 0, 0, 0}, key.key());
    EXPECT_EQ(bits64[i], uint64_t{block[i % 2 * 2]} << 32 | block[i % 2 * 2 + 1]);
  }
}

TEST(RandomNumbers, DoNotDependOnTheShape) {
  const Random key(7);
  const auto flat = random_bits(key, Shape<1>(60)).to_vector();
  EXPECT_EQ(random_bits(key, Shape<2>(12, 5)).to_vector(), flat);
  EXPECT_EQ(random_bits(key, Shape<3>(3, 4, 5)).to_vector(), flat);
}

// Shapes that nothing could store: only what is asked for is computed.
TEST(RandomNumbers, BeyondThirtyTwoBits) {
  const Random key(7);
  const Array<2, uint32_t> all = random_bits(key, Shape<2>(1 << 20, 1 << 20));
  const int64_t row = (1 << 20) - 3;
  const Array<2, uint32_t> part = section(all, {{row, 1}, {5, 4}});
  const std::vector<uint32_t> got = part.to_vector();
  for (uint64_t k = 0; k < 4; ++k) {
    const uint64_t i = static_cast<uint64_t>(row) * (1 << 20) + 5 + k, block = i / 4;
    EXPECT_EQ(got[k], detail::philox<uint32_t>(
                          {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), 0, 0},
                          key.key())[i % 4]);
  }
}

TEST(RandomNumbers, InsideOfPrograms) {
  const Random key(99);
  const Program p = program([&](Value<1, uint32_t> number) { return uniform(key, number); });
  const Array<1, uint32_t> numbers = cast<uint32_t>(index(Shape<1>(100), 0));
  const Array<1, float> inside = p(numbers);
  EXPECT_EQ(inside.to_vector(), uniform(key, Shape<1>(100)).to_vector());
}

TEST(RandomNumbers, KeysThatAreSplitDiffer) {
  const Random key(1);
  std::vector<uint64_t> keys = {key.key()};
  for (uint64_t i = 0; i < 1000; ++i) keys.push_back(key.split(i).key());
  for (uint64_t i = 0; i < 1000; ++i) keys.push_back(key.split(3).split(i).key());
  std::ranges::sort(keys);
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
  EXPECT_NE(random_bits(key.split(0), Shape<1>(4)).to_vector(),
            random_bits(key.split(1), Shape<1>(4)).to_vector());
}

// They are computed where they are used: one kernel, whatever the key.
TEST(RandomNumbers, FuseAndNeedNoMemory) {
  const auto points_inside = [](uint64_t seed) {
    const Random key(seed);
    const Shape<1> shape(4'000'000);
    const Array<1, float> x = uniform(key.split(0), shape), y = uniform(key.split(1), shape);
    return static_cast<int32_t>(count(x * x + y * y < 1.0f));
  };
  EXPECT_NEAR(points_inside(1) / 1e6, 3.14159, 0.005);
  const int64_t compiled = statistics().kernels_compiled, peak = statistics().bytes_in_use;
  EXPECT_NEAR(points_inside(2) / 1e6, 3.14159, 0.005);
  EXPECT_EQ(statistics().kernels_compiled, compiled);
  EXPECT_LT(statistics().bytes_in_use - peak, 1'000'000);
}

// ---- distributions, with bounds of about five standard deviations of 10^6 numbers

constexpr int64_t n = 1'000'000;

template <class T>
std::pair<double, double> mean_and_variance(const Array<1, T>& numbers) {
  const Array<1, double> x = cast<double>(numbers);
  const double mean = static_cast<double>(sum(x)) / n;
  return {mean, static_cast<double>(sum((x - mean) * (x - mean))) / n};
}

template <class T>
class Distributions : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Distributions, Floats);

TYPED_TEST(Distributions, Uniform) {
  const Array<1, TypeParam> u = uniform<TypeParam>(Random(3), Shape<1>(n));
  const auto [mean, variance] = mean_and_variance(u);
  EXPECT_NEAR(mean, 0.5, 0.0015);
  EXPECT_NEAR(variance, 1 / 12.0, 0.0004);
  EXPECT_GE(static_cast<TypeParam>(min_val(u)), 0);
  EXPECT_LT(static_cast<TypeParam>(max_val(u)), 1);
  const auto wide = uniform<TypeParam>(Random(3), Shape<1>(n), TypeParam{-2}, TypeParam{6});
  EXPECT_NEAR(mean_and_variance(wide).first, 2.0, 0.012);
}

TYPED_TEST(Distributions, Normal) {
  const Array<1, TypeParam> x = normal<TypeParam>(Random(4), Shape<1>(n));
  const auto [mean, variance] = mean_and_variance(x);
  EXPECT_NEAR(mean, 0, 0.005);
  EXPECT_NEAR(variance, 1, 0.007);
  // Shares beyond one, two and three deviations.
  for (const auto& [limit, share] : {std::pair(1.0, 0.31731), {2.0, 0.04550}, {3.0, 0.0026998}})
    EXPECT_NEAR(static_cast<int32_t>(count(abs(x) > static_cast<TypeParam>(limit))) / double(n),
                share, 5 * std::sqrt(share / n));
  // Elements that share a radius are independent.
  const Array<1, TypeParam> other = shift(x, {1}, Boundary::wrap());
  EXPECT_NEAR(static_cast<double>(sum(cast<double>(x * other))) / n, 0, 0.005);
  const auto moved = normal<TypeParam>(Random(4), Shape<1>(n), TypeParam{10}, TypeParam{3});
  EXPECT_NEAR(mean_and_variance(moved).first, 10, 0.015);
  EXPECT_NEAR(mean_and_variance(moved).second, 9, 0.07);
}

TYPED_TEST(Distributions, Exponential) {
  const auto x = exponential<TypeParam>(Random(5), Shape<1>(n), TypeParam{2});
  EXPECT_NEAR(mean_and_variance(x).first, 0.5, 0.0025);
  EXPECT_NEAR(mean_and_variance(x).second, 0.25, 0.004);
  EXPECT_GT(static_cast<TypeParam>(min_val(x)), 0);
}

TEST(RandomNumbers, IntegersAreEquallyLikely) {
  const Array<1, int32_t> x = integers(Random(6), Shape<1>(n), -3, 7);
  double chi = 0;
  for (int k = -3; k < 7; ++k) {
    const double found = static_cast<int32_t>(count(x == k));
    chi += (found - n / 10.0) * (found - n / 10.0) / (n / 10.0);
  }
  EXPECT_LT(chi, 40);  // nine degrees of freedom
  EXPECT_EQ(static_cast<int32_t>(min_val(x)), -3);
  EXPECT_EQ(static_cast<int32_t>(max_val(x)), 6);
  const auto wide = integers<int64_t>(Random(6), Shape<1>(1000), -5'000'000'000, -4'999'999'990);
  EXPECT_GE(static_cast<int64_t>(min_val(wide)), -5'000'000'000);
  EXPECT_LT(static_cast<int64_t>(max_val(wide)), -4'999'999'990);
}

TEST(RandomNumbers, FlagsHaveTheirProbability) {
  const Shape<1> shape(n);
  EXPECT_NEAR(static_cast<int32_t>(count(bernoulli(Random(8), shape, 0.3))) / double(n), 0.3,
              0.0025);
  EXPECT_EQ(static_cast<int32_t>(count(bernoulli(Random(8), shape, 0.0))), 0);
  EXPECT_EQ(static_cast<int32_t>(count(bernoulli(Random(8), shape, 1.0))), n);
}

TEST(RandomNumbers, PermutationsAndChoices) {
  std::vector<int32_t> order = permutation(Random(9), 1000).to_vector();
  std::vector<int32_t> sorted(1000);
  std::iota(sorted.begin(), sorted.end(), 0);
  EXPECT_NE(order, sorted);
  std::ranges::sort(order);
  EXPECT_EQ(order, sorted);
  const Array<1, float> a(std::vector<float>{1, 2, 4});
  std::vector<float> shuffled = shuffle(Random(10), a).to_vector();
  std::ranges::sort(shuffled);
  EXPECT_EQ(shuffled, (std::vector<float>{1, 2, 4}));
  const Array<1, float> chosen = choice(Random(11), a, 3000);
  EXPECT_NEAR(static_cast<int32_t>(count(chosen == 4.0f)), 1000, 140);
  EXPECT_EQ(permutation(Random(9), 0).size(), 0);
}

// What says nothing of the element type leaves it float, unless it is given.
TEST(RandomNumbers, TakeNumbersOfAnyType) {
  const Random key(3);
  const Shape<1> shape(100);
  EXPECT_EQ(uniform(key, shape, 0, 10).to_vector(), uniform(key, shape, 0.0f, 10.0f).to_vector());
  EXPECT_EQ(uniform<double>(key, shape, -1, 1.0f).to_vector(),
            uniform(key, shape, -1.0, 1.0).to_vector());
  EXPECT_EQ(normal(key, shape, 0, 1).to_vector(), normal(key, shape).to_vector());
  EXPECT_EQ(normal(key, shape, 5).to_vector(), normal(key, shape, 5.0f).to_vector());
  EXPECT_EQ(normal<double>(key, shape, 1, 2).to_vector(), normal(key, shape, 1.0, 2.0).to_vector());
  EXPECT_EQ(exponential(key, shape, 2).to_vector(), exponential(key, shape, 2.0f).to_vector());
}

TEST(RandomNumbers, BadInput) {
  const Random key(1);
  const Shape<1> shape(3);
  EXPECT_NE(message_of([&] { integers(key, shape, 5, 5); }).find("at least one"),
            std::string::npos);
  EXPECT_NE(message_of([&] { integers(key, shape, 0, int64_t{1} << 40); }).find("at most 2^32"),
            std::string::npos);
  EXPECT_NE(message_of([&] { integers<int8_t>(key, shape, 0, 200); }).find("do not fit"),
            std::string::npos);
  EXPECT_NE(message_of([&] { bernoulli(key, shape, 1.5); }).find("not between 0 and 1"),
            std::string::npos);
  EXPECT_NE(message_of([&] { bernoulli(key, shape, NAN); }).find("not between 0 and 1"),
            std::string::npos);
  EXPECT_NE(message_of([&] { choice(key, Array<1, float>(0), 2); }).find("without elements"),
            std::string::npos);
}

}  // namespace
}  // namespace tutti::test
