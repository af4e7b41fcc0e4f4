// Rows shorter than a vector: their kernels run over joined axes, with whole vectors.
#include <gtest/gtest.h>

#include <numeric>

#include "support/compare.hpp"
#include "support/plan_of.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

using compiler::KernelStep;
using Image = Array<2, float>;
using Pixels = Array<3, float>;  // rows, columns, colours

template <int D>
Array<D, float> numbers(const Shape<D>& shape) {
  std::vector<float> values(static_cast<size_t>(shape.size()));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * 7919 % 1009) / 31.0f - 7.0f;
  return Array<D, float>(values, shape);
}

const compiler::Kernel& only_kernel(const compiler::Plan& plan) {
  EXPECT_EQ(plan.steps.size(), 1u);
  return std::get<KernelStep>(plan.steps.at(0)).kernel;
}

TEST(ShortRows, AreJoinedWhereAFactorIsTheSameForARow) {
  const Image a = numbers(Shape<2>(300, 3));
  const Array<1, float> factor = numbers(Shape<1>(300));
  const auto plan = cpu_plan(Image(a * add_dimension(factor, 1, 3)));
  EXPECT_EQ(only_kernel(*plan).domain, Shape<1>(900).extents());
}

TEST(ShortRows, AreJoinedWithColumnsOfAnImage) {
  const Pixels a = numbers(Shape<3>(40, 50, 3));
  const auto plan = cpu_plan(Pixels(a + shift(a, {1, 0, 0}) + shift(a, {0, 1, 0})));
  EXPECT_EQ(only_kernel(*plan).domain, Shape<2>(40, 150).extents());
}

TEST(ShortRows, LongOnesAreNotJoined) {
  const Image a = numbers(Shape<2>(300, 200));
  const auto plan = cpu_plan(Image(a + shift(a, {1, 0})));
  EXPECT_EQ(only_kernel(*plan).domain, Shape<2>(300, 200).extents());
}

TEST(ShortRows, AreNotJoinedOnAGpu) {
  const Image a = numbers(Shape<2>(300, 3));
  const auto plan = gpu_plan(Image(a + shift(a, {1, 0})));
  EXPECT_EQ(only_kernel(*plan).domain.rank, 2);
}

// Rows of every length up to two vectors, read in every way.
TEST(ShortRows, GiveTheElementsOfLongOnes) {
  for (int64_t row = 2; row <= 34; ++row) {
    SCOPED_TRACE(row);
    const Image a = numbers(Shape<2>(41, row)), other = numbers(Shape<2>(row, 41));
    const Array<1, float> down = numbers(Shape<1>(41)), across = numbers(Shape<1>(row));
    a.evaluate(), other.evaluate(), down.evaluate(), across.evaluate();
    expect_same([&] { return Image(a * add_dimension(down, 1, row)); });
    expect_same([&] { return Image(a * add_dimension(across, 0, 41)); });
    expect_same([&] { return Image(shift(add_dimension(across, 0, 41), {0, 1}) - a); });
    expect_same([&] { return Image(a + transpose(other)); });
    expect_same([&] { return Image(a + shift(a, {2, -1}) + shift(a, {0, 3})); });
    const Boundary zero = Boundary::constant(0.5f), wrap = Boundary::wrap();
    expect_same([&] { return Image(shift(a, {1, 1}, zero) + shift(a, {-1, -2}, wrap)); });
    expect_same([&] {
      return Image(a + cast<float>(index(a.shape(), 0)) * 3.0f - cast<float>(index(a.shape(), 1)));
    });
    expect_same([&] { return Image(gather(a, index(a.shape(), 0) / 2, index(a.shape(), 1) * 2)); });
  }
}

TEST(ShortRows, ManyAxes) {
  const Array<4, float> a = numbers(Shape<4>(9, 7, 2, 3));
  const Array<3, float> b = numbers(Shape<3>(9, 7, 3)), c = numbers(Shape<3>(7, 2, 3));
  a.evaluate(), b.evaluate(), c.evaluate();
  expect_same([&] { return Array<4, float>(a * add_dimension(b, 2, 2)); });
  expect_same([&] { return Array<4, float>(a * add_dimension(c, 0, 9)); });
  expect_same([&] { return Array<4, float>(a - shift(a, {1, -1, 1, -1})); });
  expect_same([&] {
    return Array<4, float>(a + shift(a, {0, 1, 0, 0}, Boundary::constant(1.0f)) +
                           shift(a, {0, 0, 1, 0}, Boundary::wrap()));
  });
}

// The rows that a coordinate or a factor counts end where the axis before begins anew.
TEST(ShortRows, AxesBeforeThem) {
  const Pixels a = numbers(Shape<3>(6, 6, 2));
  const Image rows = numbers(Shape<2>(6, 2));
  const Array<1, float> factor = numbers(Shape<1>(6));
  a.evaluate(), rows.evaluate(), factor.evaluate();
  for (int axis = 0; axis < 3; ++axis) {
    expect_same([&] { return Array<3, int>(index(a.shape(), axis)); });
    expect_same([&] { return Pixels(a + cast<float>(index(a.shape(), axis))); });
  }
  expect_same([&] { return Pixels(a * add_dimension(add_dimension(factor, 0, 6), 2, 2)); });
  expect_same([&] { return Pixels(a * add_dimension(add_dimension(factor, 1, 6), 2, 2)); });
  expect_same([&] { return Pixels(a * add_dimension(rows, 0, 6)); });
}

TEST(ShortRows, OfOtherTypes) {
  for (const int64_t row : {3, 5, 16}) {
    std::vector<uint8_t> bytes(static_cast<size_t>(61 * row));
    std::iota(bytes.begin(), bytes.end(), uint8_t{0});
    const Array<2, uint8_t> a(bytes, 61, row);
    const Array<2, double> wide = cast<double>(a) / 7.0;
    a.evaluate(), wide.evaluate();
    expect_same([&] { return Array<2, uint8_t>(a / uint8_t{3} + shift(a, {1, 1})); });
    expect_same([&] { return Array<2, double>(wide * shift(wide, {-1, 0})); });
    expect_same([&] { return Array<2, int64_t>(cast<int64_t>(shift(a, {0, -1})) * 3); });
  }
}

}  // namespace
}  // namespace tutti::test
