// Poisson numbers: their distribution against the exact probabilities, the same numbers for any
// shape, inside of programs and by the interpreter. Also the other distributions inside of
// programs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

double probability(double rate, int k) {
  return std::exp(k * std::log(rate) - rate - std::lgamma(k + 1.0));
}

// Compares counts with exact probabilities by chi squared, in cells of at least ten expected
// numbers. The key is fixed, so the test cannot fail by chance.
void expect_distribution(double rate) {
  const int64_t count = 200'000;
  const std::vector<int32_t> drawn = poisson(Random(11), Shape<1>(count), rate).to_vector();
  const auto most = static_cast<int>(rate + 10 * std::sqrt(rate) + 20);
  std::vector<double> found(static_cast<size_t>(most) + 1, 0.0);
  for (const int32_t k : drawn) {
    ASSERT_GE(k, 0);
    ASSERT_LE(k, most);
    found[static_cast<size_t>(k)] += 1;
  }
  double chi = 0, cells = 0, expected = 0, observed = 0;
  for (int k = 0; k <= most; ++k) {
    expected += static_cast<double>(count) * probability(rate, k);
    observed += found[static_cast<size_t>(k)];
    if (expected < 10) continue;
    chi += (observed - expected) * (observed - expected) / expected;
    cells += 1;
    expected = observed = 0;
  }
  // chi squared has the mean `cells - 1` and the variance twice that.
  EXPECT_LT(std::abs(chi - (cells - 1)), 4.5 * std::sqrt(2 * cells)) << "rate " << rate;
}
TEST(Poisson, HasTheExactProbabilities) {
  for (const double rate : {0.1, 1.0, 4.5, 9.99, 10.0, 12.5, 40.0, 1000.0})
    expect_distribution(rate);
}

TEST(Poisson, LargeRatesHaveTheirMeanAndVariance) {
  for (const double rate : {1e5, 1e9}) {
    const Array<1, double> drawn = cast<double>(poisson(Random(3), Shape<1>(100'000), rate));
    EXPECT_LT(std::abs(double(mean(drawn)) - rate), 4 * std::sqrt(rate / 1e5));
    EXPECT_NEAR(double(variance(drawn)) / rate, 1, 0.02);
  }
}

TEST(Poisson, DoesNotDependOnTheShape) {
  const Random key(5);
  const std::vector<int32_t> flat = poisson(key, Shape<1>(60), 17.0).to_vector();
  EXPECT_EQ(poisson(key, Shape<2>(12, 5), 17.0).to_vector(), flat);
  EXPECT_EQ(poisson(key, Array<1, float>({60}, 17.0f)).to_vector(), flat);
  const Program inside = program([&](RandomIndex i) { return poisson(key, i, 17.0); });
  const Array<1, uint32_t> numbers = cast<uint32_t>(index(Shape<1>(60), 0));
  EXPECT_EQ((Array<1, int32_t>(inside(numbers)).to_vector()), flat);
}

TEST(Poisson, HasTheBitsOfTheInterpreter) {
  const Array<1, double> rates = linspace<double>(0, 40, 999);
  expect_same([&] { return poisson(Random(9), rates); });
}

TEST(Poisson, BadRates) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Array<1, double> rates(std::vector<double>{-1, nan, 0, 2e9, HUGE_VAL});
  EXPECT_EQ(poisson(Random(1), rates).to_vector(), (std::vector<int32_t>{-1, -1, 0, -1, -1}));
  EXPECT_THROW(poisson(Random(1), Shape<1>(3), -1.0), ShapeError);
  EXPECT_THROW(poisson(Random(1), Shape<1>(3), nan), ShapeError);
  EXPECT_THROW(poisson(Random(1), Shape<1>(3), 2e9), ShapeError);
  EXPECT_EQ(poisson(Random(1), Shape<1>(0), 3.0).size(), 0);
}

// Every distribution inside of a program gives the elements of the random array.
TEST(RandomValues, EqualTheElementsOfArrays) {
  const Random key(21);
  const Shape<1> shape(1000);
  const Array<1, uint32_t> numbers = cast<uint32_t>(index(shape, 0));
  const auto expect_equal = [&](const auto& f, const auto& wanted) {
    std::remove_cvref_t<decltype(wanted)> found = program(f)(numbers);
    EXPECT_EQ(found.to_vector(), wanted.to_vector());
  };
  expect_equal([&](RandomIndex i) { return random_bits64(key, i); }, random_bits64(key, shape));
  expect_equal([&](RandomIndex i) { return uniform<double>(key, i); }, uniform<double>(key, shape));
  expect_equal([&](RandomIndex i) { return normal(key, i); }, normal(key, shape));
  expect_equal([&](RandomIndex i) { return normal<double>(key, i); }, normal<double>(key, shape));
  expect_equal([&](RandomIndex i) { return exponential(key, i); }, exponential(key, shape));
  expect_equal([&](RandomIndex i) { return exponential<double>(key, i); },
               exponential<double>(key, shape));
  expect_equal([&](RandomIndex i) { return integers(key, i, -5, 9); }, integers(key, shape, -5, 9));
  expect_equal([&](RandomIndex i) { return bernoulli(key, i, 0.3); }, bernoulli(key, shape, 0.3));
  EXPECT_THROW(program([&](RandomIndex i) { return integers(key, i, 3, 3); }), ShapeError);
  EXPECT_THROW(program([&](RandomIndex i) { return bernoulli(key, i, 1.5); }), ShapeError);
}

}  // namespace
}  // namespace tutti::test
