// Plans of short reductions on CPUs: maps that read strided rows, and nothing in memory between.
// Kernels over images walk along few rows at a time.
#include <gtest/gtest.h>

#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using Image = Array<2, float>;
using compiler::KernelStep;

Image image() { return Image(std::vector<float>(512 * 512, 1.0f), 512, 512); }

std::vector<const KernelStep*> all_kernels(const compiler::Plan& plan) {
  std::vector<const KernelStep*> result;
  for (const compiler::Step& step : plan.steps) {
    if (const auto* kernel = std::get_if<KernelStep>(&step)) result.push_back(kernel);
    if (const auto* chain = std::get_if<compiler::ChainStep>(&step))
      for (const KernelStep& kernel : chain->kernels) result.push_back(&kernel);
  }
  return result;
}

TEST(ShortReductions, AreMapsOverStridedRows) {
  const Image moved = shift(image(), {1, 2});
  const auto plan = cpu_plan(sum(abs(reshape(moved, Shape<4>(256, 2, 256, 2))), {1, 3}));
  const auto kernels = all_kernels(*plan);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0]->kernel.form, compiler::Form::map);
  for (const compiler::Load& load : kernels[0]->kernel.loads) EXPECT_EQ(load.step, 2);
}

TEST(ShortReductions, LongOnesAreNot) {
  const auto plan = cpu_plan(sum(reshape(image(), Shape<4>(32, 16, 32, 16)), {1, 3}));
  for (const KernelStep* step : all_kernels(*plan))
    EXPECT_EQ(step->kernel.form, compiler::Form::reduce_wide);
}

// Sums over blocks compute their elements, in the order in which stored ones are added.
TEST(BlockReductions, ComputeTheirElements) {
  const Image a = image(), b = a * 0.3f;
  const auto blocks = [](const Image& x) {
    return sum(reshape(x, Shape<4>(64, 8, 64, 8)), {1, 3});
  };
  const auto plan = cpu_plan(blocks(cond(a > b, a, b + 1.0f)));
  EXPECT_EQ(all_kernels(*plan).size(), 1u);
  for (const KernelStep* step : all_kernels(*plan))
    EXPECT_EQ(step->kernel.form, compiler::Form::reduce_wide);
}

TEST(BlockReductions, AddAsStoredOnesAre) {
  std::vector<float> numbers(96 * 160);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i * 7919 % 10007) / 977.0f;
  const Image a(numbers, 96, 160);
  for (const int side : {4, 8, 16, 32}) {
    const auto blocks = [&](const Image& x) {
      return sum(reshape(x, Shape<4>(96 / side, side, 160 / side, side)), {1, 3});
    };
    const Image computed = a * 1.7f - 3.0f;
    const auto directly = blocks(Image(a * 1.7f - 3.0f)).to_vector();
    computed.evaluate();
    EXPECT_EQ(directly, blocks(computed).to_vector()) << side;
  }
}

// Of 32 candidates each reads seven rows.
TEST(Rows, AreFewInEachKernel) {
  const Image left = image(), right = image() * 2.0f;
  Image least(left.shape(), 1e30f), best(left.shape(), 0.0f);
  for (int d = 0; d < 32; ++d) {
    const Image across = sqrt(exp(left - shift(right, {0, d})));
    Image cost = across;
    for (int i = 1; i <= 3; ++i) cost += shift(across, {i, 0}) + shift(across, {-i, 0});
    best = cond(cost < least, static_cast<float>(d), best);
    least = min(cost, least);
  }
  for (const KernelStep* step : all_kernels(*cpu_plan(best))) {
    EXPECT_LE(step->kernel.loads.size(), 36u);
    EXPECT_LE(step->kernel.outputs.size(), 4u);
  }
}

}  // namespace
}  // namespace tutti::test
