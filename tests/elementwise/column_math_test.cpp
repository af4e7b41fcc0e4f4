// Mathematical functions of many numbers at once have the bits of those of single ones.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "numerics/column_math.hpp"
#include "numerics/scalar_ops.hpp"

namespace tutti::test {
namespace {

// Usual numbers, all magnitudes, and the special ones.
std::vector<double> arguments() {
  std::mt19937_64 random(1);
  std::vector<double> result = {0.0,
                                -0.0,
                                1.0,
                                -1.0,
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::denorm_min(),
                                std::numeric_limits<double>::max()};
  std::uniform_real_distribution<double> usual(-20, 20);
  for (int i = 0; i < 3000; ++i) result.push_back(usual(random));
  for (int i = 0; i < 3000; ++i) result.push_back(std::bit_cast<double>(random()));
  return result;
}

TEST(ColumnMath, HasTheBitsOfSingleNumbers) {
  const std::vector<double> operands = arguments();
  std::vector<double> results(operands.size());
  int functions = 0;
  for (int code = 0; code < 256; ++code) {
    const Op op = static_cast<Op>(code);
    if (!ir::has_column_math(op)) continue;
    ++functions;
    ir::apply_to_column(op, operands.data(), results.data(), operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const double right = ir::mathematics<double>(op, operands[i], operands[i]);
      if (std::isnan(right))
        ASSERT_TRUE(std::isnan(results[i])) << code << " of " << operands[i];
      else
        ASSERT_EQ(std::bit_cast<uint64_t>(results[i]), std::bit_cast<uint64_t>(right))
            << code << " of " << operands[i];
    }
  }
  EXPECT_GT(functions, 20);
}

}  // namespace
}  // namespace tutti::test
