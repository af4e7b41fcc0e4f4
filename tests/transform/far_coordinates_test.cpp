// Coordinates near and beyond 2^31: indices that are data, and views of huge arrays that are never
// stored. The interpreter would store them, so results are compared with plain C++.
#include <climits>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

constexpr int64_t beyond = int64_t{3} << 30;  // more than 32 bits hold

int64_t around(int64_t i, int64_t n) { return (i % n + n) % n; }

TEST(FarCoordinates, GatherFromRotated) {
  const std::vector<int32_t> wanted{INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1, 0, -1, 5, 1 << 30};
  const Array<1, int32_t> i(wanted, static_cast<int64_t>(wanted.size()));
  for (const int64_t n : {3, 7, 16, 1000})
    for (const int64_t by : {-3, -1, 1, 2, 1000}) {
      const Array<1, int32_t> t = plain_array<1, int32_t>({n});
      const std::vector<int32_t> elements = t.to_vector();
      std::vector<int32_t> once, twice;
      for (int32_t k : wanted) {
        once.push_back(elements[static_cast<size_t>(around(around(k, n) - by, n))]);
        twice.push_back(elements[static_cast<size_t>(around(around(k, n) - 2 * by, n))]);
      }
      expect_values([&] { return gather(rotate(t, {by}), Boundary::wrap(), i); }, once);
      expect_values([&] { return gather(rotate(rotate(t, {by}), {by}), Boundary::wrap(), i); },
                    twice);
    }
}

// 64-bit indices reach every element of an axis that 32 bits do not count.
TEST(FarCoordinates, GatherFromHugeViews) {
  const Array<1, int32_t> a = plain_array<1, int32_t>({10});
  const std::vector<int32_t> elements = a.to_vector();
  const int64_t n = 2 * beyond;
  const std::vector<int64_t> wanted{
      0,         INT_MAX, int64_t{INT_MAX} + 1, beyond, n - 1, n, -1, n + 13, -n - 3, LLONG_MAX,
      LLONG_MIN, 7};
  const Array<1, int64_t> i(wanted);
  const Array<1, int32_t> t = replicate(a, {n});
  std::vector<int32_t> clamped, wrapped, filled, shifted;
  for (const int64_t k : wanted) {
    const int64_t nearest = std::clamp<int64_t>(k, 0, n - 1);
    clamped.push_back(elements[static_cast<size_t>(nearest % 10)]);
    wrapped.push_back(elements[static_cast<size_t>(around(k, n) % 10)]);
    filled.push_back(nearest == k ? clamped.back() : -5);
    shifted.push_back(elements[static_cast<size_t>(around(nearest - 3, n) % 10)] + 1);
  }
  EXPECT_EQ(gather(t, i).to_vector(), clamped);
  EXPECT_EQ(gather(t, Boundary::wrap(), i).to_vector(), wrapped);
  EXPECT_EQ(gather(t, Boundary::constant(-5), i).to_vector(), filled);
  EXPECT_EQ(gather(rotate(t, {3}) + 1, i).to_vector(), shifted);
}

// Coordinates as int64, alone and where a gather asks for them.
TEST(FarCoordinates, IndexInSixtyFourBits) {
  const auto all = index<int64_t>(Shape<1>(2 * beyond), 0);
  const auto got = section(all * 3, {{2 * beyond - 40, 40}}).to_vector();
  for (int64_t k = 0; k < 40; ++k)
    EXPECT_EQ(got[static_cast<size_t>(k)], (2 * beyond - 40 + k) * 3);
  const std::vector<int64_t> wanted{5, beyond, 2 * beyond - 1};
  EXPECT_EQ(gather(all, Array<1, int64_t>(wanted)).to_vector(), wanted);
  // One kernel in 32 bits whose coordinates are int64 numbers.
  std::vector<int64_t> squares;
  for (int64_t k = 0; k < 100; ++k) squares.push_back(k * k);
  const auto few = index<int64_t>(Shape<1>(100), 0);
  expect_values([&] { return few * few; }, squares);
}

// The elements around one place of a huge view, under every rule.
TEST(FarCoordinates, SectionOfHugeMargins) {
  const Array<1, float> a = plain_array<1>({10});
  const std::vector<float> elements = a.to_vector();
  const Boundary rules[] = {Boundary::clamp(), Boundary::wrap(), Boundary::constant(7.0f)};
  for (const Boundary& rule : rules)
    for (const int64_t begin : {beyond - 5, beyond + 8, int64_t{INT_MAX} - 3, int64_t{5}}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(rule.kind())) + " from " +
                   std::to_string(begin));
      const auto x = section(expand(a, {{beyond, beyond}}, rule), {{begin, 40}}) + 1.0f;
      std::vector<float> want;
      for (int64_t k = begin - beyond; k < begin - beyond + 40; ++k) {
        const bool inside = k >= 0 && k < 10;
        const int64_t at =
            rule.kind() == Boundary::Kind::wrap ? around(k, 10) : std::clamp<int64_t>(k, 0, 9);
        want.push_back(rule.kind() == Boundary::Kind::constant && !inside
                           ? 8.0f
                           : elements[static_cast<size_t>(at)] + 1.0f);
      }
      EXPECT_EQ(x.to_vector(), want);
    }
}

TEST(FarCoordinates, StridesAcrossHugeViews) {
  const Array<1, float> a = plain_array<1>({10});
  const std::vector<float> elements = a.to_vector();
  const int64_t stride = beyond / 50;
  const auto x = section(replicate(a, {2 * beyond}), {{2 * beyond - 1, 100, -stride}}) * 2.0f;
  const std::vector<float> got = x.to_vector();
  for (int64_t k = 0; k < 100; ++k)
    EXPECT_EQ(got[static_cast<size_t>(k)],
              elements[static_cast<size_t>((2 * beyond - 1 - k * stride) % 10)] * 2.0f)
        << k;
}

// A stride that no second element needs may be any number.
TEST(FarCoordinates, StrideOfOneElement) {
  const Array<1, float> a = plain_array<1>({10});
  const auto x = replicate(section(a, {{3, 1, INT64_MAX}}), {5});
  EXPECT_EQ(replicate(section(x, {{4, 1, INT64_MIN}}), {3}).to_vector(),
            std::vector<float>(3, a.to_vector()[3]));
}

}  // namespace
}  // namespace tutti::test
