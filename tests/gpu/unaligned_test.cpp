// Which arrays of a launch need an aligned copy: decided from addresses, so no GPU is needed. What
// becomes of them on one is tested by vectors/unaligned_test.cpp.
#include <gtest/gtest.h>

#include <tutti/tutti.hpp>

#include "runtime/gpu/unaligned.hpp"
#include "support/plan_of.hpp"

namespace tutti {
namespace {

using runtime::gpu::unaligned_arrays;

// The first kernel that a GPU needs for the array.
template <class A>
compiler::KernelStep kernel_of(const A& array) {
  const auto plan = test::gpu_plan(array);
  return std::move(std::get<compiler::KernelStep>(plan->steps.at(0)));
}

class UnalignedArrays : public testing::Test {
 protected:
  // The words of a launch with its one source and its output at these addresses.
  static std::vector<int64_t> words(const compiler::KernelStep& step, int64_t source,
                                    int64_t output) {
    std::vector<int64_t> result(static_cast<size_t>(step.layout.words()), 0);
    result[static_cast<size_t>(step.layout.source(0))] = source;
    result[static_cast<size_t>(step.layout.output(0))] = output;
    return result;
  }
};

TEST_F(UnalignedArrays, OfMapsAreSourcesAndOutputs) {
  const Array<1, float> a(std::vector<float>(5000, 1.0f));
  const compiler::KernelStep step = kernel_of(a + 1.0f);
  EXPECT_TRUE(unaligned_arrays(step, words(step, 256, 512)).empty());
  EXPECT_TRUE(unaligned_arrays(step, words(step, 16, 48)).empty());
  const auto source = unaligned_arrays(step, words(step, 260, 512));
  ASSERT_EQ(source.size(), 1u);
  EXPECT_EQ(source[0].word, step.layout.source(0));
  EXPECT_EQ(source[0].bytes, 20000);
  EXPECT_FALSE(source[0].is_output);
  const auto output = unaligned_arrays(step, words(step, 256, 520));
  ASSERT_EQ(output.size(), 1u);
  EXPECT_TRUE(output[0].is_output);
  EXPECT_EQ(output[0].bytes, 20000);
}

// A thread of a wide reduction with many tiles reads four elements at once, whatever their size.
TEST_F(UnalignedArrays, OfReductionsAreSources) {
  const Array<1, double> a(std::vector<double>(1100 * 8192, 1.0));
  const compiler::KernelStep step = kernel_of(sum(a));
  ASSERT_TRUE(schedule::on_gpu<schedule::WarpReduce>(step.kernel.schedule));
  EXPECT_TRUE(unaligned_arrays(step, words(step, 32, 8)).empty());
  EXPECT_EQ(unaligned_arrays(step, words(step, 16, 8)).size(), 1u);
}

// Narrow elements in wide accesses of a few bytes.
TEST_F(UnalignedArrays, NeedOnlyWhatTheirElementsNeed) {
  const Array<1, int8_t> a(std::vector<int8_t>(5000, 1));
  const compiler::KernelStep step = kernel_of(-a);
  EXPECT_TRUE(unaligned_arrays(step, words(step, 4, 12)).empty());
  EXPECT_EQ(unaligned_arrays(step, words(step, 3, 4)).size(), 1u);
}

}  // namespace
}  // namespace tutti
