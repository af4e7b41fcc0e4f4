// Reductions fused with what produces and consumes them: the values, and the kernels it takes.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

const Shape<2> shape_list[] = {{1, 1}, {3, 17}, {40, 257}, {300, 33}};

TEST(Fused, ProducersOfEveryKind) {
  for (const Shape<2>& shape : shape_list) {
    SCOPED_TRACE(detail::to_string(shape.extents()));
    const Array<2, float> a = plain_array(shape);
    const Array<1, float> row = plain_array(Shape<1>(shape[1]));
    const auto stencil = [&] {
      return shift(a, {1, 0}) + shift(a, {0, -1}, Boundary::constant(3.0f)) - rotate(a, {1, 1});
    };
    for (int axis = 0; axis < 2; ++axis) {
      expect_same([&] { return sum(stencil(), axis); });
      expect_same([&] { return max_val(stencil() * row, axis); });
      expect_same([&] { return sum(transpose(a) * 1.5f, axis); });
      expect_same([&] { return all(a < shift(a, {0, 1}) + 50.0f, axis); });
      expect_same([&] {
        return sum(section(a, {{shape[0] - 1, shape[0], -1}, {0, (shape[1] + 1) / 2, 2}}), axis);
      });
      expect_same([&] { return product(cast<int>(a) % 3 + 1, axis); });
      expect_same([&] { return sum(index<2>(shape, 1) * index<2>(shape, 0), axis); });
    }
    expect_same([&] { return sum(stencil()); });
    expect_same([&] { return sum(broadcast(row, Shape<3>(5, shape[0], shape[1])), {0, 2}); });
    expect_same([&] { return sum(Array<2, float>(shape, 0.1f)); });
  }
}

TEST(Fused, ConsumersOfEveryKind) {
  for (const Shape<2>& shape : shape_list) {
    SCOPED_TRACE(detail::to_string(shape.extents()));
    const Array<2, float> a = plain_array(shape);
    expect_same([&] { return a / add_dimension(sum(a, 1) + 1.0f, 1); });         // rows add up to 1
    expect_same([&] { return a - sum(a) / static_cast<float>(shape.size()); });  // a scalar result
    expect_same([&] { return a - max_val(a, 0); });
    expect_same([&] { return sum(a * sum(a, 0), 1); });
    expect_same([&] { return shift(sum(a, 1), {1}) * 2.0f; });
    expect_same([&] { return sum(sum(a, 1)); });
  }
}

TEST(Fused, StencilIntoReductionIsOneKernel) {
  const Array<2, float> a = plain_array<2>({100, 100});
  EXPECT_EQ(explain(sum((shift(a, {0, 1}) - a) * 2.0f, 1)).kernels().size(), 1u);
  EXPECT_EQ(explain(sum(add_dimension(drop_dimension(a, 0), 0, 7) * 2.0f, 1)).kernels().size(), 1u);
}

TEST(Fused, SeveralReductionsOfOneInputAreOneKernel) {
  const Array<2, float> a = plain_array<2>({64, 500});
  const auto explained = explain(sum(a, 1), max_val(a, 1), min_val(a * 2.0f, 1));
  EXPECT_EQ(explained.kernels().size(), 1u) << explained;
  const auto largest = max_val(a, 1), least = min_val(a, 1), total = sum(a, 1);
  evaluate(largest, least, total);
  EXPECT_TRUE(same(read(max_val(a, 1)), read(largest)));
  EXPECT_TRUE(same(read(min_val(a, 1)), read(least)));
  EXPECT_TRUE(same(read(sum(a, 1)), read(total)));
}

TEST(Fused, MeanAndVarianceTogether) {
  const Array<1, double> a(plain<double>(20000));
  const auto mean = sum(a) / 20000.0;
  const auto variance = sum((a - mean) * (a - mean)) / 20000.0;
  double m = 0, v = 0;
  for (double x : plain<double>(20000)) m += x / 20000;
  for (double x : plain<double>(20000)) v += (x - m) * (x - m) / 20000;
  EXPECT_NEAR(variance.item(), v, 1e-9 * v);
  EXPECT_NEAR(mean.item(), m, 1e-9 * m);
}

}  // namespace
}  // namespace tutti::test
