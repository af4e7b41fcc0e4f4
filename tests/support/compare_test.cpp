// The comparison of the tests itself: which results differ, and the text of the failure.
#include "support/compare.hpp"

#include <gtest/gtest-spi.h>

#include <limits>

namespace tutti::test {
namespace {

Elements of(std::vector<float> values) {
  return elements(values, Shape<1>(static_cast<int>(values.size())));
}

TEST(Compare, IsExactButForNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              other_nan = std::bit_cast<float>(0xffc12345u);
  EXPECT_TRUE(same(of({1, nan}), of({1, other_nan})));
  EXPECT_FALSE(same(of({0.0f}), of({-0.0f})));
  EXPECT_FALSE(same(of({1}), of({1.0000001f})));
  EXPECT_FALSE(same(of({nan}), of({1})));
  EXPECT_FALSE(same(of({1, 2}), of({1})));
  EXPECT_FALSE(same(of({1}), elements(std::vector<int>{0x3f800000}, Shape<1>(1))));
}

TEST(Compare, NamesThePlaceAndBothValues) {
  const Elements want = elements(std::vector<int>{1, 2, 3, 4}, Shape<2>(2, 2));
  const Elements got = elements(std::vector<int>{1, 2, -3, 5}, Shape<2>(2, 2));
  const std::string message = same(want, got).message();
  EXPECT_NE(message.find("at {1, 0}: -3, not 3"), std::string::npos) << message;
}

TEST(Compare, SeesThatCompiledAndInterpretedDiffer) {
  const auto build = [] {
    return Array<1, float>(Shape<1>(3), settings().interpret ? 1.0f : 2.0f);
  };
  testing::TestPartResultArray failures;
  {
    testing::ScopedFakeTestPartResultReporter intercept(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    expect_same(build);
  }
  EXPECT_EQ(failures.size(), 3);  // 1, 2 and 5 threads
}

}  // namespace
}  // namespace tutti::test
