// Values outside of programs: tuples of numbers that compute at once, on the host.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cmath>
#include <complex>

namespace tutti::test {
namespace {

TEST(Values, OperateComponentByComponent) {
  const Value3f a(1, 2, 3), b(10, 20, 30);
  EXPECT_EQ(a + b, Value3f(11, 22, 33));
  EXPECT_EQ(b / a, Value3f(10, 10, 10));
  EXPECT_EQ(2.0f * a, Value3f(2, 4, 6));
  EXPECT_EQ(-a, Value3f(-1, -2, -3));
  EXPECT_EQ(max(a, 2.0f), Value3f(2, 2, 3));
  EXPECT_EQ((a > 1.5f), Value3bool(false, true, true));
  EXPECT_TRUE(any(a > 2.5f) && !all(a > 2.5f));
  Value3f c = a;
  c += b;
  c *= 2;
  EXPECT_EQ(c, Value3f(22, 44, 66));
}

TEST(Values, MixTypesAsArraysDo) {
  const Value1i i = 7;
  static_assert(std::is_same_v<decltype(i * 0.5f), Value1f>);
  static_assert(std::is_same_v<decltype(i + 1), Value1i>);
  static_assert(std::is_same_v<decltype(Value1f(1) * 2), Value1f>);
  static_assert(std::is_same_v<decltype(Value1i(1) + Value3d(1)), Value3d>);
  EXPECT_EQ(float(i * 0.5f), 3.5f);
  EXPECT_EQ(int(i / 0), 0);  // as the table of operations says
  EXPECT_EQ(int(Value1i(INT32_MAX) + 1), INT32_MIN);
  EXPECT_EQ(int(cast<Value1i>(Value1f(1e20f))), INT32_MAX);
  EXPECT_EQ(uint8_t(Value1ub(200) + uint8_t{100}), uint8_t(44));
}

TEST(Values, EqualityIsOfAllComponents) {
  EXPECT_TRUE(bool(Value2i(1, 2) == Value2i(1, 2)));
  EXPECT_FALSE(bool(Value2i(1, 2) == Value2i(1, 3)));
  EXPECT_TRUE(bool(Value2i(1, 2) != Value2i(1, 3)));
  EXPECT_TRUE(bool(!(Value2i(1, 2) == Value2i(1, 3))));
  EXPECT_EQ((std::vector<Value2i>{{1, 2}}), (std::vector<Value2i>{{1, 2}}));
}

TEST(Values, SwizzlesAndWriteMasks) {
  Value4f a(1, 2, 3, 4);
  EXPECT_EQ(a(2, 1, 0), Value3f(3, 2, 1));
  EXPECT_EQ(a(1, 1, 1, 3), Value4f(2, 2, 2, 4));
  a(0, 3) = Value2f(9, 8);
  EXPECT_EQ(a, Value4f(9, 2, 3, 8));
  a(0, 1) = a(1, 0);  // computed first, assigned together
  EXPECT_EQ(a, Value4f(2, 9, 3, 8));
  a(2) = 7.0f;
  EXPECT_EQ(a, Value4f(2, 9, 7, 8));
  EXPECT_THROW((a(1, 1) = Value2f(1, 2)), Error);
  EXPECT_THROW(a(4), ShapeError);
  EXPECT_EQ(Value4f(Value3f(1, 2, 3), 4.0f), Value4f(1, 2, 3, 4));
}

TEST(Values, PlacesAreAssignedThrough) {
  Value4f a(1, 2, 3, 4);
  a(0, 1) += Value2f(10, 20);
  a(2)++;
  --a(3);
  EXPECT_EQ(a, Value4f(11, 22, 4, 3));
  a(3, 2, 1)(0, 2) = Value2f(7, 8);  // components 3 and 1
  EXPECT_EQ(a, Value4f(11, 8, 4, 7));
  a(3, 2, 1, 0) -= a;  // computed first
  EXPECT_EQ(a, Value4f(4, 4, -4, -4));
  EXPECT_THROW(a(0, 0) += 1.0f, Error);
  EXPECT_THROW((a(0, 0)(0) = 1.0f), Error);
  Value1i k = 3;
  EXPECT_EQ(int(k++), 3);
  EXPECT_EQ(int(--k), 3);
  static_assert(!std::is_assignable_v<Value1f, float>, "a result is no variable");
  const Array<1, float> x(std::vector<float>{1, 2});
  EXPECT_EQ((x * a(2)).to_vector(), (std::vector<float>{-4, -8}));
}

TEST(Values, Geometry) {
  const Value3f x(1, 0, 0), y(0, 1, 0);
  EXPECT_EQ(cross(x, y), Value3f(0, 0, 1));
  EXPECT_EQ(float(dot(Value3f(1, 2, 3), Value3f(4, 5, 6))), 32.0f);
  EXPECT_EQ(float(length(Value2f(3, 4))), 5.0f);
  EXPECT_EQ(normalize(Value2f(0, 4)), Value2f(0, 1));
  EXPECT_EQ(float(lerp(Value1f(2), Value1f(4), 0.25f)), 2.5f);
  EXPECT_EQ(clamp(Value3f(-1, 0.5f, 2), 0.0f, 1.0f), Value3f(0, 0.5f, 1));
  EXPECT_EQ(float(smoothstep(0.0f, 2.0f, Value1f(1))), 0.5f);
}

TEST(Values, MathematicsIsThatOfArrays) {
  const std::vector<float> x{0.3f, -2.5f, 40};
  const auto want = sin(Array<1, float>(x)).to_vector();
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(float(sin(Value1f(x[i]))), want[i]);
  EXPECT_EQ(float(sqrt(Value1h(4.0f)).get(0)), 2.0f);
}

TEST(Values, HashSpreads) {
  double total = 0;
  for (int i = 0; i < 1000; ++i) {
    const Value3f h = hash(Value3f(0.001f * i, 1, 2));
    for (int c = 0; c < 3; ++c) {
      EXPECT_GE(h.get(c), 0.0f);
      EXPECT_LT(h.get(c), 1.0f);
      total += h.get(c);
    }
  }
  EXPECT_NEAR(total / 3000, 0.5, 0.03);
  EXPECT_EQ(hash(Value2i(3, 4)), hash(Value2i(3, 4)));
  EXPECT_TRUE(bool(hash(Value2i(3, 4)) != hash(Value2i(4, 3))));
}

TEST(Values, WorkInsideComplexNumbers) {
  const std::complex<Value1f> a(Value1f(1), Value1f(2)), b(Value1f(3), Value1f(-1));
  const std::complex<Value1f> c = a * b + a;
  EXPECT_EQ(float(c.real()), 6.0f);
  EXPECT_EQ(float(c.imag()), 7.0f);
  for (const std::complex<float> z : {std::complex<float>(3, 4), {-3, 4}, {0, 0}, {-2, -1e-3f}}) {
    const std::complex<Value1f> v(z.real(), z.imag());
    const auto expect_near = [](const std::complex<Value1f>& got, const std::complex<float>& want) {
      EXPECT_NEAR(float(got.real()), want.real(), 1e-5f * (1 + std::abs(want)));
      EXPECT_NEAR(float(got.imag()), want.imag(), 1e-5f * (1 + std::abs(want)));
    };
    EXPECT_NEAR(float(abs(v)), std::abs(z), 1e-5f);
    expect_near(sqrt(v), std::sqrt(z));
    expect_near(exp(v), std::exp(z));
    if (z != std::complex<float>()) expect_near(log(v), std::log(z));
  }
}

TEST(Values, MixComplexNumbersWithNumbers) {
  const Program p = program([](Value1f x, Value1f y) {
    const std::complex<Value1f> z(x, y);
    const std::complex<Value1f> w = 2.0f * z + 1.0f - z / 2.0 + 3 * z - 1 / (z + 2.0f);
    return Value2f(w.real(), w.imag());
  });
  const Value2f got = p(1.0f, 3.0f);
  const std::complex<float> z(1, 3),
      want = 2.0f * z + 1.0f - z / 2.0f + 3.0f * z - 1.0f / (z + 2.0f);
  EXPECT_NEAR(got.get(0), want.real(), 1e-5);
  EXPECT_NEAR(got.get(1), want.imag(), 1e-5);
}

}  // namespace
}  // namespace tutti::test
