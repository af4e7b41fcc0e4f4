// Statistics and created arrays against plain C++, to the bit where only one order of operations is
// right, and to rounding of sums elsewhere.
#include <tutti/create.hpp>
#include <tutti/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Array<2, double> waves(int64_t rows, int64_t columns) {
  std::vector<double> data;
  for (int64_t i = 0; i < rows * columns; ++i)
    data.push_back(std::sin(static_cast<double>(i) * 0.37) * 10 + static_cast<double>(i % 17));
  return Array<2, double>(data, rows, columns);
}

double plain_mean(std::span<const double> line) {
  return std::accumulate(line.begin(), line.end(), 0.0) / static_cast<double>(line.size());
}
double plain_variance(std::span<const double> line, double correction) {
  const double centre = plain_mean(line);
  double total = 0;
  for (const double x : line) total += (x - centre) * (x - centre);
  return total / (static_cast<double>(line.size()) - correction);
}
double plain_quantile(std::span<const double> line, double fraction) {
  std::vector<double> sorted(line.begin(), line.end());
  std::sort(sorted.begin(), sorted.end());
  const double at = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - std::floor(at));
}

TEST(Statistics, AlongRowsAndOverAll) {
  for (const Shape<2>& shape : {Shape<2>(3, 4), Shape<2>(70, 901), Shape<2>(1, 100000)}) {
    const Array<2, double> a = waves(shape[0], shape[1]);
    const std::vector<double> data = a.to_vector();
    EXPECT_NEAR(mean(a).item(), plain_mean(data), 1e-10);
    EXPECT_NEAR(variance(a).item(), plain_variance(data, 0), 1e-8);
    EXPECT_NEAR(variance(a, 1.0).item(), plain_variance(data, 1), 1e-8);
    EXPECT_NEAR(standard_deviation(a).item(), std::sqrt(plain_variance(data, 0)), 1e-9);
    EXPECT_EQ(median(a).item(), plain_quantile(data, 0.5));
    EXPECT_EQ(quantile(a, 0.9).item(), plain_quantile(data, 0.9));
    const std::vector<double> means = mean(a, 1).to_vector(),
                              deviations = variance(a, 1).to_vector(),
                              middles = median(a, 1).to_vector(), norms = norm(a, 1).to_vector();
    for (int64_t row = 0; row < shape[0]; ++row) {
      const std::span line(data.data() + row * shape[1], static_cast<size_t>(shape[1]));
      const auto i = static_cast<size_t>(row);
      EXPECT_NEAR(means[i], plain_mean(line), 1e-10);
      EXPECT_NEAR(deviations[i], plain_variance(line, 0), 1e-8);
      EXPECT_EQ(middles[i], plain_quantile(line, 0.5));
      EXPECT_NEAR(norms[i],
                  std::sqrt(std::inner_product(line.begin(), line.end(), line.begin(), 0.0)), 1e-8);
    }
    expect_same([&] { return mean(a, 0); });
    expect_same([&] { return variance(a, 0); });
    expect_same([&] { return median(a, 0); });
    expect_same([&] { return norm(a, 0, 3.0); });
  }
}

TEST(Statistics, TypesOfResults) {
  const Array<1, int> integers(std::vector<int>{1, 2, 4});
  static_assert(std::is_same_v<decltype(mean(integers)), Array<0, double>>);
  EXPECT_EQ(mean(integers).item(), 7.0 / 3);
  EXPECT_EQ(median(integers).item(), 2.0);
  EXPECT_EQ(quantile(integers, 0.75).item(), 3.0);
  const Array<1, half> halves(Shape<1>(100), half(60000.0f));  // the sum is beyond half
  EXPECT_EQ(float(mean(halves).item()), float(half(60000.0f)));
  EXPECT_EQ(mean(Array<1, bool>(Shape<1>(4), true)).item(), 1.0);
  const Array<2, half> far(std::vector<half>{half(-300.0f), half(300.0f)}, 2, 1);
  EXPECT_EQ(float(standard_deviation(far).item()), 300.0f);  // its square is beyond half
  EXPECT_EQ(float(standard_deviation(far, 0).to_vector()[0]), 300.0f);
}

TEST(Statistics, NanInfinityAndNothing) {
  EXPECT_TRUE(std::isnan(mean(Array<1, double>()).item()));
  EXPECT_TRUE(std::isnan(variance(Array<1, double>(1), 1.0).item()));
  EXPECT_TRUE(std::isnan(median(Array<1, double>(std::vector<double>{1, nan, 2})).item()));
  EXPECT_EQ(median(Array<1, double>(std::vector<double>{infinity, infinity})).item(), infinity);
  EXPECT_EQ(norm(Array<1, double>()).item(), 0.0);
  EXPECT_EQ(norm(Array<1, double>(), infinity).item(), 0.0);
  EXPECT_EQ(norm(Array<1, double>(std::vector<double>{3, -4})).item(), 5.0);
  EXPECT_EQ(norm(Array<1, double>(std::vector<double>{3, -4}), 1.0).item(), 7.0);
  EXPECT_EQ(norm(Array<1, double>(std::vector<double>{3, -4}), infinity).item(), 4.0);
}

TEST(Statistics, Differences) {
  const Array<2, int> a(std::vector<int>{1, 4, 9, 16, 25, 36}, 2, 3);
  EXPECT_EQ(differences(a).to_vector(), (std::vector<int>{3, 5, 9, 11}));
  EXPECT_EQ(differences(a, 0).to_vector(), (std::vector<int>{15, 21, 27}));
  EXPECT_EQ(differences(a, 1, 2).to_vector(), (std::vector<int>{2, 2}));
  EXPECT_EQ(differences(a, 1, 9).shape(), Shape<2>(2, 0));
}

TEST(Statistics, HistogramOfFloats) {
  const Array<1, float> a(
      std::vector<float>{0, 0.1f, 0.25f, 0.5f, 0.99f, 1, 1.1f, -0.1f, NAN, INFINITY, -INFINITY});
  EXPECT_EQ(histogram(a, 4, 0, 1).to_vector(), (std::vector<int>{2, 1, 1, 2}));
  const Array<2, double> many = waves(300, 400);
  std::vector<int> expected(50, 0);
  for (const double x : many.to_vector())
    if (x >= -10 && x <= 26)
      ++expected[std::min<size_t>(49, static_cast<size_t>((x + 10) * 50 / 36))];
  expect_values([&] { return histogram(many, 50, -10, 26); }, expected);
}

// Each bound of linspace() is in the interval that begins there, and the number before it is not.
TEST(Statistics, HistogramPlacesItsBounds) {
  for (const int bins : {1, 3, 7, 10, 100, 1000}) {
    const std::vector<double> bounds = linspace<double>(0.1, 1.7, bins + 1).to_vector();
    std::vector<double> data(bounds.begin(), bounds.end() - 1);
    for (size_t k = 1; k < bounds.size(); ++k) data.push_back(std::nextafter(bounds[k], 0.0));
    EXPECT_EQ(histogram(Array<1, double>(data), bins, 0.1, 1.7).to_vector(),
              std::vector<int>(static_cast<size_t>(bins), 2))
        << bins;
  }
  const Array<1, double> wide(std::vector<double>{-8e307, -7e307, 0, 7e307, 8e307});
  EXPECT_EQ(histogram(wide, 4, -8e307, 8e307).to_vector(), (std::vector<int>{2, 0, 1, 2}));
}

TEST(Statistics, QuantilesBetweenFarNeighbours) {
  EXPECT_EQ(median(Array<1, double>(std::vector<double>{-1.6e308, 1.6e308})).item(), 0.0);
  EXPECT_EQ(quantile(Array<1, float>(std::vector<float>{-INFINITY, 5}), 0.25).item(), -INFINITY);
  EXPECT_EQ(quantile(Array<1, float>(std::vector<float>{5, INFINITY}), 0.25).item(), INFINITY);
}

TEST(Statistics, Interpolate) {
  const Array<1, double> points(std::vector<double>{0, 1, 3, 7}),
      values(std::vector<double>{10, 20, 0, 8});
  const Array<1, double> x(std::vector<double>{-1, 0, 0.5, 1, 2, 3, 5, 7, 9, nan, infinity});
  const std::vector<double> y = interpolate(x, points, values).to_vector();
  const std::vector<double> expected{10, 10, 15, 20, 10, 0, 4, 8, 8};
  EXPECT_EQ(std::vector<double>(y.begin(), y.begin() + 9), expected);
  EXPECT_TRUE(std::isnan(y[9]));
  EXPECT_EQ(y[10], 8);
  const Array<1, double> one(std::vector<double>{5});
  EXPECT_EQ(interpolate(x, one, one).to_vector()[4], 5);
  expect_same([&] { return interpolate(waves(100, 300), points, values); });
}

TEST(Create, RangesAndGrids) {
  EXPECT_EQ(arange<int>(2, 9, 3).to_vector(), (std::vector<int>{2, 5, 8}));
  EXPECT_EQ(arange<int>(9, 2, -3).to_vector(), (std::vector<int>{9, 6, 3}));
  EXPECT_EQ(arange<int>(3, 3).size(), 0);
  EXPECT_EQ(arange<int>(3, 1).size(), 0);
  EXPECT_EQ(arange<int64_t>(INT64_MAX - 1, INT64_MAX).to_vector(),
            (std::vector<int64_t>{INT64_MAX - 1}));
  EXPECT_EQ(arange(0, 1, 0.25f).to_vector(), (std::vector<float>{0, 0.25f, 0.5f, 0.75f}));
  EXPECT_EQ(linspace<double>(0, 1, 5).to_vector(), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(linspace<double>(0, 1, 4, false).to_vector(),
            (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(linspace(2, 3, 1).to_vector(), (std::vector<float>{2}));
  EXPECT_EQ(linspace(2, 3, 0).size(), 0);
  const std::vector<double> third = linspace<double>(0, 0.7, 100001).to_vector();
  EXPECT_EQ(third.back(), 0.7);
  EXPECT_EQ(eye<int>(2).to_vector(), (std::vector<int>{1, 0, 0, 1}));
  EXPECT_EQ(eye<int>(2, 3, 1).to_vector(), (std::vector<int>{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(eye<int>(2, 3, INT64_MAX).to_vector(), std::vector<int>(6, 0));
  const auto [y, x] = meshgrid(arange<int>(0, 2), arange<int>(5, 8));
  EXPECT_EQ(y.to_vector(), (std::vector<int>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(x.to_vector(), (std::vector<int>{5, 6, 7, 5, 6, 7}));
}

TEST(Create, RangesOfUnsignedNumbersAndAtTheEndsOfTypes) {
  EXPECT_EQ(arange<uint32_t>(5, 0, -1).to_vector(), (std::vector<uint32_t>{5, 4, 3, 2, 1}));
  EXPECT_EQ(arange<uint8_t>(254, 256).to_vector(), (std::vector<uint8_t>{254, 255}));
  EXPECT_EQ(arange<int8_t>(-128, 127, 200).to_vector(), (std::vector<int8_t>{-128, 72}));
  EXPECT_EQ(arange<uint64_t>(0, UINT64_MAX, int64_t{1} << 62).to_vector(),
            (std::vector<uint64_t>{0, 1ull << 62, 2ull << 62, 3ull << 62}));
  EXPECT_EQ(arange<uint64_t>(UINT64_MAX, UINT64_MAX - 3, -2).to_vector(),
            (std::vector<uint64_t>{UINT64_MAX, UINT64_MAX - 2}));
  EXPECT_EQ(message_of([] { arange<uint8_t>(250, 300); }).substr(0, 45),
            "arange: 299 is not a number of the type uint8");
  EXPECT_THROW(arange<uint32_t>(-1, 5), ShapeError);
  EXPECT_THROW(arange<uint64_t>(0, 1, 0), ShapeError);
}

TEST(Create, LinspaceWhoseLengthOverflows) {
  EXPECT_EQ(linspace<double>(-0x1p1023, 0x1p1023, 5).to_vector(),
            (std::vector<double>{-0x1p1023, -0x1p1022, 0, 0x1p1022, 0x1p1023}));
}

TEST(Create, Triangles) {
  const Array<3, int> a = plain_array<3, int>({2, 3, 4}) + 1;
  std::vector<int> lower = a.to_vector(), upper = lower;
  for (int i = 0; i < 24; ++i) {
    const int row = i / 4 % 3, column = i % 4;
    if (column > row) lower[static_cast<size_t>(i)] = 0;
    if (column < row - 1) upper[static_cast<size_t>(i)] = 0;
  }
  expect_values([&] { return tril(a); }, lower);
  expect_values([&] { return triu(a, -1); }, upper);
  EXPECT_EQ(tril(a, INT64_MAX).to_vector(), a.to_vector());
}

TEST(Statistics, Errors) {
  const Array<2, double> a = waves(3, 4);
  EXPECT_THROW(mean(a, 2), ShapeError);
  EXPECT_THROW(variance(a, -1), ShapeError);
  EXPECT_THROW(median(a, 7), ShapeError);
  EXPECT_THROW(median(Array<2, double>(0, 4), 0), ShapeError);
  EXPECT_THROW(quantile(a, 1.5), ShapeError);
  EXPECT_THROW(quantile(a, nan), ShapeError);
  EXPECT_THROW(norm(a, 0.0), ShapeError);
  EXPECT_THROW(histogram(a, 0, 0, 1), ShapeError);
  EXPECT_THROW(histogram(a, 5, 1, 1), ShapeError);
  EXPECT_THROW(histogram(a, 5, 0, infinity), ShapeError);
  EXPECT_THROW(differences(a, 2), ShapeError);
  EXPECT_THROW(differences(a, 0, -1), ShapeError);
  EXPECT_THROW(interpolate(a, Array<1, double>(), Array<1, double>()), ShapeError);
  EXPECT_THROW(interpolate(a, Array<1, double>(3), Array<1, double>(4)), ShapeError);
  EXPECT_THROW(arange(0, 1, 0), ShapeError);
  EXPECT_THROW(arange<double>(0, infinity, 1), ShapeError);
  EXPECT_THROW(arange<double>(0, nan, 1), ShapeError);
  EXPECT_THROW(linspace(0, 1, -1), ShapeError);
  EXPECT_THROW(eye(-1), ShapeError);
}

}  // namespace
}  // namespace tutti::test
