// An array of more elements than 32 bits count, in the memory of a GPU. Skipped where there is
// none.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>

#include <algorithm>
#include <vector>

namespace tutti {
namespace {

constexpr int64_t rows = 2049, columns = 1 << 20;

// Element i is i modulo 251.
Array<1, uint8_t> numbered() {
  const auto i = index<int64_t>(Shape<1>(rows * columns), 0);
  return cast<uint8_t>(i % int64_t{251}).evaluate();
}

// An axis that is two in the result: the coordinate they stand for together needs 64 bits.
TEST(HugeArray, AxisSplitInTwo) {
  if (devices().size() < 2) GTEST_SKIP() << "no GPU here";
  const ScopedDevice gpu("cuda");
  const auto matrix = cast<int32_t>(reshape(numbered(), Shape<2>(rows, columns)));
  const auto x = section(matrix, {{rows - 3, 3}, {5, 4}}) + 1;
  std::vector<int32_t> want;
  for (int64_t i = rows - 3; i < rows; ++i)
    for (int64_t j = 5; j < 9; ++j)
      want.push_back(static_cast<int32_t>((i * columns + j) % 251) + 1);
  EXPECT_EQ(x.to_vector(), want);
}

TEST(HugeArray, GatheredByWideIndices) {
  if (devices().size() < 2) GTEST_SKIP() << "no GPU here";
  const ScopedDevice gpu("cuda");
  const std::vector<int64_t> wanted{0, 5, int64_t{1} << 31, rows * columns - 1, -7, rows * columns};
  std::vector<uint8_t> want;
  for (const int64_t i : wanted)
    want.push_back(static_cast<uint8_t>(std::clamp<int64_t>(i, 0, rows * columns - 1) % 251));
  EXPECT_EQ(gather(numbered(), Array<1, int64_t>(wanted)).to_vector(), want);
}

}  // namespace
}  // namespace tutti
