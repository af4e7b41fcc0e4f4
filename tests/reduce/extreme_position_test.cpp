// The position of the first greatest and least element, of every type, against a plain loop.
#include "support/compare.hpp"
#include "support/values.hpp"

#include <cmath>
#include <limits>

namespace tutti::test {
namespace {

template <class T>
bool is_nan_of(T x) {
  return x != x;
}

// The first element that equals the extreme; a NaN is one.
template <class T>
int64_t first_extreme(const std::vector<T>& elements, bool greatest) {
  size_t best = 0;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (is_nan_of(elements[best])) break;
    const bool better = greatest ? elements[i] > elements[best] : elements[i] < elements[best];
    if (is_nan_of(elements[i]) || better) best = i;
  }
  return static_cast<int64_t>(best);
}

template <class T>
void expect_extremes(const std::vector<T>& elements) {
  const Array<1, T> a(elements);
  EXPECT_EQ(int64_t{int(arg_max(a).first)}, first_extreme(elements, true));
  EXPECT_EQ(int64_t{int(arg_min(a).first)}, first_extreme(elements, false));
  EXPECT_TRUE(same(read(arg_max(a).second), read(max_val(a))));
  EXPECT_TRUE(same(read(arg_min(a).second), read(min_val(a))));
}

TEST(ExtremePosition, EveryType) {
  for (const int64_t n : {1, 2, 1000, 70001})  // the last is searched row by row
    for_each_type([&](auto tag) {
      using T = typename decltype(tag)::type;
      SCOPED_TRACE(std::to_string(n) + " " + name(element_type<T>));
      expect_extremes(mixed<T>(n, 3));
      expect_extremes(plain<T>(n));
      expect_extremes(std::vector<T>(static_cast<size_t>(n), T(1)));
    });
}

template <class T>
void expect_special_values() {
  const T nan = std::numeric_limits<T>::quiet_NaN(), infinity = std::numeric_limits<T>::infinity();
  expect_extremes<T>({T(-0.0), T(0.0), T(-0.0)});
  expect_extremes<T>({T(0.0), T(-0.0)});
  expect_extremes<T>({T(1), nan, T(5), -nan, nan});
  expect_extremes<T>({-infinity, infinity, -infinity, infinity});
  expect_extremes<T>({std::numeric_limits<T>::lowest(), -infinity, std::numeric_limits<T>::max()});
  std::vector<T> many(200000, T(2));
  many[150001] = T(-0.0), many[150002] = T(0.0);
  expect_extremes(many);
  many[199999] = nan;
  expect_extremes(many);
  many[4095] = many[4096] = T(7);
  many[199999] = T(7);
  expect_extremes(many);
}

TEST(ExtremePosition, ZerosInfinitiesAndNaN) {
  expect_special_values<float>();
  expect_special_values<double>();
}

TEST(ExtremePosition, EndsOfIntegers) {
  expect_extremes<int32_t>({INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX});
  expect_extremes<uint32_t>({0, UINT32_MAX, 0, UINT32_MAX});
  expect_extremes<int64_t>({INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX});
  expect_extremes<uint64_t>({0, UINT64_MAX, 0, UINT64_MAX});
}

template <class T>
void expect_coordinates(Shape<2> shape) {
  std::vector<T> elements(static_cast<size_t>(shape.size()), T(3));
  const int64_t at = shape.size() * 2 / 3;
  elements[static_cast<size_t>(at)] = T(9);
  elements.back() = T(9);
  const Array<2, T> a(elements, shape);
  const Value2i expected(static_cast<int>(at / shape[1]), static_cast<int>(at % shape[1]));
  EXPECT_EQ(Value2i(arg_max(a).first), expected);
  EXPECT_EQ(Value2i(arg_max(a * T(2)).first), expected);  // not in memory
  EXPECT_EQ(Value2i(arg_min(T(0) - a).first), expected);
}

TEST(ExtremePosition, OfMatrices) {
  for (const Shape<2> shape :
       {Shape<2>(3, 5), Shape<2>(400, 300), Shape<2>(60000, 3), Shape<2>(2, 60000)}) {
    expect_coordinates<float>(shape);
    expect_coordinates<double>(shape);
    expect_coordinates<int64_t>(shape);
  }
}

TEST(ExtremePosition, AlongAxes) {
  const Shape<3> shape(7, 50, 9);
  const Array<3, float> a(mixed<float>(shape.size(), 4), shape);
  const Array<3, double> wide(a);
  for (const Reduction which : {Reduction::max, Reduction::min})
    for (const std::vector<int>& axes :
         std::vector<std::vector<int>>{{0}, {1}, {2}, {0, 2}, {1, 2}}) {
      const auto of = [&](const auto& array) {
        return detail::extreme_position(which, array.node(), axes, Location::current());
      };
      EXPECT_TRUE(same(read(of(a)), read(of(wide))));
    }
}

// One pass: the extreme and its position are computed by one kernel.
TEST(ExtremePosition, TakesOneKernel) {
  const Array<1, float> a(plain<float>(5000));
  const auto [where, what] = arg_max(a * 2.0f);
  const Explanation plan = explain(where, what);
  int reductions = 0;
  for (const Explanation::Kernel& kernel : plan.kernels()) reductions += kernel.name == "reduce";
  EXPECT_EQ(reductions, 1);
}

}  // namespace
}  // namespace tutti::test
