// Vector expressions: every operation gives what it gives on arrays, to the bit, compiled on any
// number of threads and interpreted. Also types, numbers of the host and of the device, shifts,
// reductions, sizes.
#include <cmath>

#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using detail::Rule;

// The same formula on vectors and on arrays.
template <class Formula, class... T>
void expect_like_arrays(const Formula& formula, const std::vector<T>&... data) {
  const auto arrays = std::tuple(Array<1, T>(data)...);
  const auto vectors = std::tuple(Vec<T>(data)...);
  expect_same([&] { return Vec(std::apply(formula, vectors)).array(); });
  const auto want = std::apply(formula, arrays);
  const auto got = Vec(std::apply(formula, vectors)).array();
  static_assert(std::is_same_v<decltype(want), decltype(got)>, "vectors and arrays agree on types");
  EXPECT_TRUE(same(read(want), read(got)));
}

constexpr int64_t length = 1003;

template <class T>
std::vector<T> data(unsigned seed, int64_t n = length) {
  return mixed<T>(n, seed);
}

std::vector<double> between_0_and_1(int64_t n) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> number(0, 1);
  std::vector<double> result(static_cast<size_t>(n));
  for (double& x : result) x = number(generator);
  return result;
}

template <Rule>
struct DataOf {
  using type = float;
};
template <>
struct DataOf<Rule::integer> {
  using type = int32_t;
};
template <>
struct DataOf<Rule::logical> {
  using type = bool;
};

#define FORMULA_1(id) [](const auto& a, const auto&, const auto&) { return id(a); }
#define FORMULA_2(id) [](const auto& a, const auto& b, const auto&) { return id(a, b); }
#define FORMULA_3(id) [](const auto& a, const auto& b, const auto& c) { return id(a, b, c); }
#define TUTTI_OP(id, arity, rule, cost, doc) OPERATION_##rule(id, arity, rule)
#define OPERATION(id, arity, rule)                                               \
  TEST(VecOperations, id##_IsThatOfArrays) {                                     \
    using T = DataOf<detail::Rule::rule>::type;                                  \
    expect_like_arrays(FORMULA_##arity(id), data<T>(1), data<T>(2), data<T>(3)); \
  }
#define OPERATION_arithmetic OPERATION
#define OPERATION_floating OPERATION
#define OPERATION_integer OPERATION
#define OPERATION_logical OPERATION
#define OPERATION_compare OPERATION
#define OPERATION_classify OPERATION
#define OPERATION_order OPERATION
#define OPERATION_choose(...)
#include "tutti/detail/ops.def"
#undef TUTTI_OP

TEST(VecOperations, OperatorsAreThoseOfArrays) {
  expect_like_arrays([](auto a, auto b) { return -a + b * a - b / (a - 0.5f) + +a % b; },
                     data<float>(1), data<float>(2));
  expect_like_arrays([](auto a, auto b) { return (~a & b) | (a ^ (b >> 2)) | (a << 3); },
                     data<int32_t>(1), data<int32_t>(2));
  expect_like_arrays(
      [](auto a, auto b) {
        return ((a < b) || !(a <= 2.0f)) && ((a > b) || (b >= a) || (a == b) || (a != 1.0f));
      },
      data<float>(1), data<float>(2));
  expect_like_arrays([](auto a, auto b) { return cond(a > b, a, 2.0f * b); }, data<float>(1),
                     data<float>(2));
  expect_like_arrays([](auto a) { return clamp(a, -1.0f, 1.0f); }, data<float>(1));
  expect_like_arrays([](auto a) { return 3 - 2.5f / a; }, data<float>(1));
}

TEST(VecOperations, TypesMixAsInArrays) {
  expect_like_arrays([](auto a, auto b) { return a * b; }, data<int32_t>(1), data<float>(2));
  expect_like_arrays([](auto a, auto b) { return a + b; }, data<float>(1), data<double>(2));
  expect_like_arrays([](auto a) { return a * 0.5f; }, data<int16_t>(1));
  expect_like_arrays([](auto a) { return sqrt(a); }, data<uint8_t>(1));
  expect_like_arrays([](auto a) { return a + a; }, data<bool>(1));
  expect_like_arrays([](auto a, auto b) { return a * b + a; }, data<half>(1), data<half>(2));
  expect_like_arrays([](auto a) { return cast<int8_t>(a * 3.0f); }, data<float>(1));
}

TEST(VecOperations, EveryElementTypeCanBeHeld) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    const Vec<T> a(data<T>(1));
    Vec<T> b = cond(a == a, a, a);
    EXPECT_TRUE(same(read(a.array()), read(Array<1, T>(a.to_vector()))));
    EXPECT_EQ(b.size(), length);
    b = T{};
    EXPECT_TRUE(same(read(b.array()), read(Array<1, T>(Shape<1>(length), T{}))));
  });
}

TEST(VecOperations, ShiftsFollowTheBoundaryRule) {
  for (const Boundary& rule : {Boundary::clamp(), Boundary::wrap(), Boundary::constant(7.5f)})
    for (const int64_t by : {0, 1, -1, 5, -100, 2000}) {
      const auto near = [&](auto a) {
        if constexpr (detail::IsExpression<decltype(a)>)
          return shift(a * 2.0f, by, rule) - a;
        else
          return shift(a * 2.0f, {by}, rule) - a;
      };
      expect_like_arrays(near, data<float>(3));
    }
  Vec<float> v(data<float>(4));
  const std::vector<float> before = v.to_vector();
  v = v - shift(v, 1);  // not in place: neighbours are read
  for (size_t i = 1; i < before.size(); ++i)
    if (std::isfinite(before[i]) && std::isfinite(before[i - 1])) {
      EXPECT_EQ(v.to_vector()[i], before[i] - before[i - 1]);
    }
}

// Plans are kept by the shift and changed for other lengths: a shift that ends where it began, or
// beyond the vector, belongs to its length.
TEST(VecOperations, ShiftsOfSeveralLengthsAndBeyondTheEnd) {
  for (const Boundary& rule : {Boundary::clamp(), Boundary::wrap(), Boundary::constant(7.5f)})
    for (const int64_t by : {2, -2, 5, 7, 8, -11, 1 << 30})
      for (const int64_t n : {2, 5, 3, 1, 17, 5, 4}) {
        SCOPED_TRACE(std::to_string(n) + " elements, by " + std::to_string(by));
        const std::vector<float> elements = plain<float>(n);
        const Vec<float> v(elements);
        const Array<1, float> a(elements);
        EXPECT_TRUE(same(read(Array<1, float>(shift(a, {by}, rule) - a)),
                         read(Vec<float>(shift(v, by, rule) - v).array())));
      }
}

TEST(VecOperations, AllSizes) {
  for (const int64_t n : {0, 1, 2, 15, 16, 17, 8191, 8192, 8193, 100'003}) {
    SCOPED_TRACE(n);
    expect_like_arrays([](auto a, auto b) { return 0.12f * a + 7.54f * b; }, data<float>(1, n),
                       data<float>(2, n));
    const std::vector<double> d = between_0_and_1(n);
    const Array<1, double> a(d);
    const Vec<double> v(d);
    expect_same([&] { return sum(v * v).array(); });
    EXPECT_EQ(double(sum(v)), double(sum(a)));
    EXPECT_EQ(double(dot(v, v + 1.0)), double(sum(a * (a + 1.0))));
    EXPECT_EQ(double(norm1(v)), double(sum(abs(a))));
    EXPECT_EQ(double(norm2(v)), std::sqrt(double(sum(a * a))));
    EXPECT_EQ(double(norm_inf(v)), n == 0 ? 0.0 : double(max_val(abs(a))));
    EXPECT_EQ(double(max_val(v)), double(max_val(a)));
    EXPECT_EQ(double(min_val(v)), double(min_val(a)));
    EXPECT_EQ(double(product(1.0 + v * 1e-6)), double(product(1.0 + a * 1e-6)));
  }
}

TEST(VecOperations, ReductionsOfOtherTypes) {
  const Vec<int8_t> small(std::vector<int8_t>(1000, 100));
  EXPECT_EQ(int(sum(small)), 100'000);
  const Vec<bool> flags = small > 3;
  EXPECT_TRUE(bool(all(flags)));
  EXPECT_FALSE(bool(any(!flags)));
  EXPECT_EQ(int(sum(flags)), 1000);
}

TEST(VecNumbers, StayOnTheDeviceAndTakePartInExpressions) {
  const Vec<float> a(std::vector<float>{1, 2, 3, 4});
  const Number<float> s = sum(a);  // 10
  const Vec<float> scaled = a / s + s * 2.0f;
  EXPECT_EQ(scaled.to_vector(), (std::vector<float>{20.1f, 20.2f, 20.3f, 20.4f}));
  const Number<float> more = s * s + 1.0f;
  EXPECT_EQ(float(more), 101.0f);
  EXPECT_EQ(more.item(), 101.0f);
  EXPECT_EQ(float(sqrt(more - 1.0f)), 10.0f);
  EXPECT_TRUE(s > 9.0f);
  EXPECT_EQ(float(s.array() + 1.0f), 11.0f);
  Number<float> changing = 5.0f;
  changing = changing / s;
  EXPECT_EQ(float(changing), 0.5f);
  const Vec<float> filled = Vec<float>(3) + changing;
  EXPECT_EQ(filled.to_vector(), std::vector<float>(3, 0.5f));
}

TEST(VecNumbers, OfTheHostFillVectors) {
  Vec<float> a(5);
  EXPECT_EQ(a.to_vector(), std::vector<float>(5, 0.0f));
  a = 3;
  EXPECT_EQ(a.to_vector(), std::vector<float>(5, 3.0f));
  a = sum(a);
  EXPECT_EQ(a.to_vector(), std::vector<float>(5, 15.0f));
  EXPECT_EQ(Vec<int>(4, 7).to_vector(), std::vector<int>(4, 7));
}

TEST(VecOperations, CompoundAssignment) {
  Vec<int> a(std::vector<int>{1, 2, 3, 4});
  const Vec<int> b(std::vector<int>{5, 6, 7, 8});
  a += b;
  a *= 2;
  a -= b / 2;
  a %= 7;
  a <<= 2;
  a |= 1;
  a ^= b;
  std::vector<int> want{1, 2, 3, 4};
  for (int i = 0; i < 4; ++i)
    want[i] = (((((want[i] + 5 + i) * 2 - (5 + i) / 2) % 7) << 2) | 1) ^ (5 + i);
  EXPECT_EQ(a.to_vector(), want);
}

}  // namespace
}  // namespace tutti::test
