// Results of operations on values where languages and machines disagree, against numbers written by
// hand or plain C++.
#include "support/compare.hpp"
#include "support/values.hpp"

#include <cmath>

namespace tutti::test {
namespace {

using std::vector;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Applies f to arrays of a and b and expects c, compiled and interpreted.
template <class T, class F, class R>
void expect_binary(const vector<T>& a, const vector<T>& b, F f, const vector<R>& c,
                   const Location& where = Location::current()) {
  expect_values([&] { return f(Array<1, T>(a), Array<1, T>(b)); }, c, where);
}
template <class T, class F, class R>
void expect_unary(const vector<T>& a, F f, const vector<R>& b,
                  const Location& where = Location::current()) {
  expect_values([&] { return f(Array<1, T>(a)); }, b, where);
}

template <class T>
class SignedIntegers : public testing::Test {};
using SignedTypes = testing::Types<int8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(SignedIntegers, SignedTypes);

TYPED_TEST(SignedIntegers, WrapAndDivideByZeroToZero) {
  using T = TypeParam;
  using L = std::numeric_limits<T>;
  const vector<T> a{L::min(), 7, L::min(), -7, 7, -7, 0}, b{-1, 0, 0, 2, -2, -2, 5};
  expect_binary(
      a, b, [](auto x, auto y) { return x / y; }, vector<T>{L::min(), 0, 0, -3, -3, 3, 0});
  expect_binary(a, b, [](auto x, auto y) { return x % y; }, vector<T>{0, 0, 0, -1, 1, -1, 0});
  const vector<T> ends{L::max(), L::min()};
  expect_unary(ends, [](auto x) { return x + 1; }, vector<T>{L::min(), T(L::min() + 1)});
  expect_unary(ends, [](auto x) { return x - 1; }, vector<T>{T(L::max() - 1), L::max()});
  expect_unary(ends, [](auto x) { return x * 2; }, vector<T>{-2, 0});
  expect_unary(ends, [](auto x) { return -x; }, vector<T>{T(-L::max()), L::min()});
  expect_unary(ends, [](auto x) { return abs(x); }, vector<T>{L::max(), L::min()});
  expect_unary(vector<T>{-5, 0, 9}, [](auto x) { return sign(x); }, vector<T>{-1, 0, 1});
}

TYPED_TEST(SignedIntegers, ShiftEverythingOut) {
  using T = TypeParam;
  constexpr T width = 8 * sizeof(T), top = std::numeric_limits<T>::min();
  const vector<T> a{1, 1, 1, 1, -8, -8, -8, -8, 8},
      b{T(width - 1), width, T(width + 1), -1, 1, width, -1, T(width - 1), 3};
  expect_binary(
      a, b, [](auto x, auto y) { return x << y; }, vector<T>{top, 0, 0, 0, -16, 0, 0, 0, 64});
  expect_binary(
      a, b, [](auto x, auto y) { return x >> y; }, vector<T>{0, 0, 0, 0, -4, -1, -1, -1, 1});
}

template <class T>
class UnsignedIntegers : public testing::Test {};
using UnsignedTypes = testing::Types<uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(UnsignedIntegers, UnsignedTypes);

TYPED_TEST(UnsignedIntegers, WrapShiftAndCount) {
  using T = TypeParam;
  constexpr T most = std::numeric_limits<T>::max(), width = 8 * sizeof(T);
  expect_binary(
      vector<T>{0, 9, most}, vector<T>{0, 0, 2}, [](auto x, auto y) { return x / y; },
      vector<T>{0, 0, T(most / 2)});
  expect_unary(vector<T>{0, most}, [](auto x) { return x - 1; }, vector<T>{most, T(most - 1)});
  expect_unary(vector<T>{0, 1}, [](auto x) { return -x; }, vector<T>{0, most});
  expect_binary(
      vector<T>{most, most, most}, vector<T>{1, T(width - 1), width},
      [](auto x, auto y) { return x >> y; }, vector<T>{T(most / 2), 1, 0});
  const vector<T> bits{0, 1, 6, most, T(most / 2)};
  expect_unary(bits, [](auto x) { return popcount(x); }, vector<T>{0, 1, 2, width, T(width - 1)});
  expect_unary(
      bits, [](auto x) { return leading_zeros(x); },
      vector<T>{width, T(width - 1), T(width - 3), 0, 1});
  expect_unary(bits, [](auto x) { return trailing_zeros(x); }, vector<T>{width, 0, 1, 0, 0});
  expect_unary(
      bits, [](auto x) { return ~x; },
      vector<T>{most, T(most - 1), T(most - 6), 0, T(most / 2 + 1)});
}

TEST(Bool, IsLogicAndCountsAsInt) {
  const vector<bool> a{false, false, true, true}, b{false, true, false, true};
  expect_binary(a, b, [](auto x, auto y) { return x + y; }, vector<int>{0, 1, 1, 2});
  expect_binary(
      a, b, [](auto x, auto y) { return x & y; }, vector<bool>{false, false, false, true});
  expect_binary(a, b, [](auto x, auto y) { return x ^ y; }, vector<bool>{false, true, true, false});
  expect_binary(
      a, b, [](auto x, auto y) { return logical_xor(x, y); },
      vector<bool>{false, true, true, false});
  expect_binary(a, b, [](auto x, auto y) { return x || y; }, vector<bool>{false, true, true, true});
  expect_unary(a, [](auto x) { return ~x; }, vector<bool>{true, true, false, false});
  expect_unary(a, [](auto x) { return !x; }, vector<bool>{true, true, false, false});
  expect_unary(a, [](auto x) { return -x; }, vector<int>{0, 0, -1, -1});
  expect_unary(
      vector<float>{0.0f, -0.0f, 0.5f, nan}, [](auto x) { return !x; },
      vector<bool>{true, true, false, false});
}

TEST(Floats, MinAndMaxOrderZerosAndKeepNaN) {
  const vector<float> a{0.0f, -0.0f, nan, 1, -inf, nan, 2}, b{-0.0f, 0.0f, 1, nan, inf, nan, -3};
  expect_binary(
      a, b, [](auto x, auto y) { return min(x, y); },
      vector<float>{-0.0f, -0.0f, nan, nan, -inf, nan, -3});
  expect_binary(
      a, b, [](auto x, auto y) { return max(x, y); },
      vector<float>{0.0f, 0.0f, nan, nan, inf, nan, 2});
  expect_binary(
      a, b, [](auto x, auto y) { return fmin(x, y); },
      vector<float>{-0.0f, -0.0f, 1, 1, -inf, nan, -3});
  expect_binary(
      a, b, [](auto x, auto y) { return fmax(x, y); },
      vector<float>{0.0f, 0.0f, 1, 1, inf, nan, 2});
}

TEST(Floats, Compare) {
  const vector<float> a{1, 2, 2, nan, 0.0f, -inf}, b{2, 1, 2, nan, -0.0f, inf};
  expect_binary(
      a, b, [](auto x, auto y) { return x == y; },
      vector<bool>{false, false, true, false, true, false});
  expect_binary(
      a, b, [](auto x, auto y) { return x != y; },
      vector<bool>{true, true, false, true, false, true});
  expect_binary(
      a, b, [](auto x, auto y) { return x < y; },
      vector<bool>{true, false, false, false, false, true});
  expect_binary(
      a, b, [](auto x, auto y) { return x >= y; },
      vector<bool>{false, true, true, false, true, false});
  const vector<float> kinds{1, nan, inf, -inf, 0, 1e-45f};
  expect_unary(
      kinds, [](auto x) { return is_nan(x); },
      vector<bool>{false, true, false, false, false, false});
  expect_unary(
      kinds, [](auto x) { return is_inf(x); },
      vector<bool>{false, false, true, true, false, false});
  expect_unary(
      kinds, [](auto x) { return is_finite(x); },
      vector<bool>{true, false, false, false, true, true});
}

TEST(Floats, Round) {
  const vector<float> a{2.5f,        -2.5f, 3.5f,  0.5f,       -0.5f,
                        0.49999997f, 1e20f, -0.0f, 8388609.0f, -1.2f};
  expect_unary(
      a, [](auto x) { return round(x); },
      vector<float>{3, -3, 4, 1, -1, 0, 1e20f, -0.0f, 8388609.0f, -1});
  expect_unary(
      a, [](auto x) { return rint(x); },
      vector<float>{2, -2, 4, 0, -0.0f, 0, 1e20f, -0.0f, 8388609.0f, -1});
  expect_unary(
      a, [](auto x) { return floor(x); },
      vector<float>{2, -3, 3, 0, -1, 0, 1e20f, -0.0f, 8388609.0f, -2});
  expect_unary(
      a, [](auto x) { return ceil(x); },
      vector<float>{3, -2, 4, 1, -0.0f, 1, 1e20f, -0.0f, 8388609.0f, -1});
  expect_unary(
      a, [](auto x) { return trunc(x); },
      vector<float>{2, -2, 3, 0, -0.0f, 0, 1e20f, -0.0f, 8388609.0f, -1});
}

TEST(Floats, SignsAndRemainders) {
  expect_unary(
      vector<float>{-2, -0.0f, 0.0f, 5, nan, -inf}, [](auto x) { return sign(x); },
      vector<float>{-1, -0.0f, 0.0f, 1, nan, -1});
  expect_binary(
      vector<float>{5, -5, 5.5f, 1, inf}, vector<float>{3, 3, -2, 0, 1},
      [](auto x, auto y) { return x % y; }, vector<float>{2, -2, 1.5f, nan, nan});
  expect_binary(
      vector<float>{5, -5, -2, -2}, vector<float>{-0.0f, 1, -nan, nan},
      [](auto x, auto y) { return copysign(x, y); }, vector<float>{-5, 5, 2, 2});
}

// Operations that IEEE 754 defines to the bit, on many arguments, against the host's.
template <class T>
class Ieee : public testing::Test {};
using IeeeTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Ieee, IeeeTypes);

TYPED_TEST(Ieee, AgreesWithTheHost) {
  using T = TypeParam;
  const vector<T> a = mixed<T>(3000, 1), b = mixed<T>(3000, 2), c = mixed<T>(3000, 3);
  const Array<1, T> x(a), y(b), z(c);
  const auto host = [&](auto f) {
    vector<T> result;
    for (size_t i = 0; i < a.size(); ++i) result.push_back(f(a[i], b[i], c[i]));
    return result;
  };
  expect_values([&] { return x + y; }, host([](T p, T q, T) { return p + q; }));
  expect_values([&] { return x - y; }, host([](T p, T q, T) { return p - q; }));
  expect_values([&] { return x * y; }, host([](T p, T q, T) { return p * q; }));
  expect_values([&] { return x / y; }, host([](T p, T q, T) { return p / q; }));
  expect_values([&] { return x * y + z; },
                host([](T p, T q, T r) { return p * q + r; }));  // never contracted
  expect_values([&] { return fma(x, y, z); },
                host([](T p, T q, T r) { return std::fma(p, q, r); }));
  expect_values([&] { return sqrt(x); }, host([](T p, T, T) { return std::sqrt(p); }));
  expect_values([&] { return fmod(x, y); }, host([](T p, T q, T) { return std::fmod(p, q); }));
  expect_values([&] { return round(x); }, host([](T p, T, T) { return std::round(p); }));
}

TEST(Half, IsComputedInFloatAndRounded) {
  const vector<half> a = mixed<half>(3000, 1), b = mixed<half>(3000, 2);
  const Array<1, half> x(a), y(b);
  vector<half> sums, quotients;
  for (size_t i = 0; i < a.size(); ++i) {
    sums.push_back(half(float(a[i]) + float(b[i])));
    quotients.push_back(half(float(a[i]) / float(b[i])));
  }
  expect_values([&] { return x + y; }, sums);
  expect_values([&] { return x / y; }, quotients);
}

TEST(Choice, CondSelectClampAndLerp) {
  const vector<float> a{-2, -0.0f, 0.0f, 3, nan};
  const Array<1, float> x(a);
  expect_values([&] { return select(x, 1.0f, 2.0f); }, vector<float>{2, 2, 2, 1, 2});
  expect_values([&] { return cond(x > 0.0f, x, -x); }, vector<float>{2, 0.0f, -0.0f, 3, nan});
  expect_values([&] { return cond(x > 0.0f, 1, 2.5f); }, vector<float>{2.5f, 2.5f, 2.5f, 1, 2.5f});
  expect_values([&] { return clamp(x, -1.0f, 1.0f); }, vector<float>{-1, -0.0f, 0.0f, 1, nan});
  expect_values([&] { return lerp(x, x + 4.0f, 0.25f); }, vector<float>{-1, 1, 1, 4, nan});
}

TEST(Choice, ClampBetweenArrays) {
  const Array<1, float> x(vector<float>{-2, 0, 3}), low(vector<float>{-1, 1, 1}),
      high(vector<float>{0, 2, 2});
  expect_values([&] { return clamp(x, low, high); }, vector<float>{-1, 1, 2});
}

}  // namespace
}  // namespace tutti::test
