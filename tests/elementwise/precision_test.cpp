// Precision: what is contracted, what is not, and that an operation keeps the precision with which
// it was called. Expected values are those of std::fma and of two roundings.
#include <gtest/gtest.h>
#include <tutti/keywords.hpp>
#include <tutti/tutti.hpp>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <thread>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using std::vector;

// Numbers whose products round: the two ways of adding to them differ nearly everywhere.
template <class T>
vector<T> thirds(int seed) {
  vector<T> result;
  for (int i = 1; i <= 1000; ++i)
    result.push_back(T(1) + T(static_cast<float>((i * (37 + seed)) % 997) / 3.0f / 997.0f));
  return result;
}

template <class T, class F>
vector<T> applied(F f) {
  const vector<T> a = thirds<T>(1), b = thirds<T>(2), c = thirds<T>(3);
  vector<T> result;
  for (size_t i = 0; i < a.size(); ++i) result.push_back(f(a[i], b[i], c[i]));
  return result;
}

const auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
const auto rounded_twice = [](auto a, auto b, auto c) {
  volatile auto product = a * b;
  return product + c;
};

template <class T>
struct Vectors {
  Array<1, T> a = Array<1, T>(thirds<T>(1)), b = Array<1, T>(thirds<T>(2)),
              c = Array<1, T>(thirds<T>(3));
};

template <class T>
class Contraction : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Contraction, Types);

TYPED_TEST(Contraction, OfSumsAndDifferencesWithAProduct) {
  using T = TypeParam;
  const Vectors<T> v;
  ASSERT_NE(applied<T>(fused), applied<T>(rounded_twice));
  const auto expect = [&](auto build, auto f) {
    expect_values(
        [&]() -> Array<1, T> {
          const ScopedPrecision contracted(Precision::contracted);
          return build();
        },
        applied<T>(f));
  };
  expect([&] { return v.a * v.b + v.c; }, fused);
  expect([&] { return v.c + v.a * v.b; }, fused);
  expect([&] { return v.a * v.b - v.c; }, [](T a, T b, T c) { return std::fma(a, b, -c); });
  expect([&] { return v.c - v.a * v.b; }, [](T a, T b, T c) { return std::fma(-a, b, c); });
  expect([&] { return v.a * v.b + v.b * v.c; },
         [](T a, T b, T c) { return std::fma(a, b, b * c); });
  expect([&] { return v.a * v.b * v.c; }, [](T a, T b, T c) { return a * b * c; });
}

TYPED_TEST(Contraction, IsNotTheDefault) {
  using T = TypeParam;
  const Vectors<T> v;
  EXPECT_EQ(precision(), Precision::exact);
  expect_values([&]() -> Array<1, T> { return v.a * v.b + v.c; }, applied<T>(rounded_twice));
}

TEST(Precision, BroadcastsAsTheSumDoes) {
  const Array<2, float> column(thirds<float>(1), 1000, 1),
      row(vector<float>{1.1f, 1.2f, 1.3f}, 1, 3);
  vector<float> want;
  for (const float a : thirds<float>(1))
    for (const float b : {1.1f, 1.2f, 1.3f}) want.push_back(std::fma(a, b, 0.7f));
  const ScopedPrecision contracted(Precision::contracted);
  expect_values([&]() -> Array<2, float> { return column * row + 0.7f; }, want);
}

TEST(Precision, IntegersWrapAsBefore) {
  const Array<1, int32_t> a(vector<int32_t>{2147483647, -3, 5});
  const ScopedPrecision fast(Precision::fast);
  expect_values([&]() -> Array<1, int32_t> { return a * a + a; },
                vector<int32_t>{-2147483648, 6, 30});
}

TEST(Precision, AProductInMemoryIsAdded) {
  const Vectors<float> v;
  const ScopedPrecision contracted(Precision::contracted);
  Array<1, float> product = v.a * v.b;
  product.evaluate();
  EXPECT_EQ((product + v.c).to_vector(), applied<float>(rounded_twice));
}

TEST(Precision, AnOperationKeepsIt) {
  const Vectors<float> v;
  Array<1, float> outside, inside;
  {
    const ScopedPrecision contracted(Precision::contracted);
    inside = v.a * v.b + v.c;
    {
      const ScopedPrecision exact(Precision::exact);
      outside = v.a * v.b + v.c;
    }
    EXPECT_EQ(precision(), Precision::contracted);
  }
  EXPECT_EQ(precision(), Precision::exact);
  EXPECT_EQ(inside.to_vector(), applied<float>(fused));
  EXPECT_EQ(outside.to_vector(), applied<float>(rounded_twice));
}

TEST(Precision, EndsWithTheScopeAndBelongsToOneThread) {
  try {
    const ScopedPrecision fast(Precision::fast);
    Precision elsewhere = Precision::fast;
    std::thread([&] { elsewhere = precision(); }).join();
    EXPECT_EQ(elsewhere, Precision::exact);
    throw std::runtime_error("left");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(precision(), Precision::exact);
}

// A program is captured once; where it runs does not matter.
TEST(Precision, OfAProgramIsThatOfItsBody) {
  const auto make = [](Precision precision) {
    return BEGIN {
      const ScopedPrecision scope(precision);
      In<Value1f> a, b, c;
      Out<Value1f> s = c;
      FOR(Value1i i = 0, i < 3, i++) { s = a * b + s; }
      ENDFOR;
    }
    END;
  };
  const Program exact = make(Precision::exact), contracted = make(Precision::contracted);
  const auto repeated = [](auto step) {
    return [step](float a, float b, float c) { return step(a, b, step(a, b, step(a, b, c))); };
  };
  const Vectors<float> v;
  for (const Precision outside : {Precision::exact, Precision::contracted}) {
    const ScopedPrecision scope(outside);
    expect_values([&]() -> Array<1, float> { return exact(v.a, v.b, v.c); },
                  applied<float>(repeated(rounded_twice)));
    expect_values([&]() -> Array<1, float> { return contracted(v.a, v.b, v.c); },
                  applied<float>(repeated(fused)));
  }
}

// Plans of a vector expression are found by its C++ type, which does not tell the precision.
TEST(Precision, PlansOfVectorsAreNotMixedUp) {
  const Vec<float> a(thirds<float>(1)), b(thirds<float>(2)), c(thirds<float>(3));
  const auto compute = [&](Precision precision) {
    const ScopedPrecision scope(precision);
    const Vec<float> result = a * b + c;
    return result.to_vector();
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(compute(Precision::exact), applied<float>(rounded_twice));
    EXPECT_EQ(compute(Precision::contracted), applied<float>(fused));
  }
}

TEST(Precision, ARecordedBodyKeepsIt) {
  Vec<float> a(thirds<float>(1)), b(thirds<float>(2)), c(thirds<float>(3));
  const auto step = [&] {
    const ScopedPrecision contracted(Precision::contracted);
    return record([&] { c = a * b + c; }, a, b, c);
  }();
  step();
  EXPECT_EQ(c.to_vector(), applied<float>(fused));
}

TEST(Precision, OfNestedPrograms) {
  const Seq<float> a(thirds<float>(1));
  const ScopedPrecision contracted(Precision::contracted);
  const Seq<float> result = each(a, [](Scalar<float> x) { return x * x + 0.7f; });
  vector<float> want;
  for (const float x : thirds<float>(1)) want.push_back(std::fma(x, x, 0.7f));
  EXPECT_EQ(result.to_vector(), want);
}

// ---- fast

struct Function {
  const char* name;
  std::function<Array<1, float>(const Array<1, float>&)> compute;
  std::function<double(double)> exact;
  double low, high;
  // Of the error: relative to the result, and to 1. On a GPU; docs/math.md lists them.
  double relative, absolute;
};

const double ulp = std::ldexp(1.0, -23);

const Function functions[] = {
    {"divide", [](const auto& x) { return 3.0f / x; }, [](double x) { return 3 / x; }, 1e-3, 1e3,
     2 * ulp, 0},
    {"reciprocal", [](const auto& x) { return reciprocal(x); }, [](double x) { return 1 / x; },
     1e-30, 1e30, 2 * ulp, 0},
    {"sqrt", [](const auto& x) { return sqrt(x); }, [](double x) { return std::sqrt(x); }, 1e-30,
     1e30, 2 * ulp, 0},
    {"rsqrt", [](const auto& x) { return rsqrt(x); }, [](double x) { return 1 / std::sqrt(x); },
     1e-30, 1e30, 3 * ulp, 0},
    {"exp", [](const auto& x) { return exp(x); }, [](double x) { return std::exp(x); }, -10, 10,
     16 * ulp, 0},
    {"exp2", [](const auto& x) { return exp2(x); }, [](double x) { return std::exp2(x); }, -100,
     100, 3 * ulp, 0},
    {"exp10", [](const auto& x) { return exp10(x); }, [](double x) { return std::pow(10.0, x); },
     -4, 4, 16 * ulp, 0},
    {"log", [](const auto& x) { return log(x); }, [](double x) { return std::log(x); }, 1e-3, 1e3,
     3 * ulp, 3 * ulp},
    {"log2", [](const auto& x) { return log2(x); }, [](double x) { return std::log2(x); }, 1e-3,
     1e3, 3 * ulp, 3 * ulp},
    {"log10", [](const auto& x) { return log10(x); }, [](double x) { return std::log10(x); }, 1e-3,
     1e3, 3 * ulp, 3 * ulp},
    {"sin", [](const auto& x) { return sin(x); }, [](double x) { return std::sin(x); }, -100, 100,
     0, 8 * ulp},
    {"cos", [](const auto& x) { return cos(x); }, [](double x) { return std::cos(x); }, -100, 100,
     0, 8 * ulp},
};

class Fast : public testing::TestWithParam<Function> {};

vector<float> spread(double low, double high) {
  constexpr int count = 100'000;
  const bool by_magnitude = low > 0;
  vector<float> result;
  for (int i = 0; i <= count; ++i) {
    const double t = static_cast<double>(i) / count;
    result.push_back(
        static_cast<float>(by_magnitude ? low * std::pow(high / low, t) : low + (high - low) * t));
  }
  return result;
}

TEST_P(Fast, ErrorsAreWithinTheDocumentedBounds) {
  const Function& f = GetParam();
  const vector<float> numbers = spread(f.low, f.high);
  const Array<1, float> x(numbers);
  const ScopedPrecision fast(Precision::fast);
  const vector<float> got = f.compute(x).to_vector();
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double want = f.exact(numbers[i]);
    ASSERT_LE(std::abs(got[i] - want), f.relative * std::abs(want) + f.absolute)
        << f.name << " of " << numbers[i];
  }
}

TEST_P(Fast, IsExactOnACpuAndForDoubles) {
  const Function& f = GetParam();
  const ScopedDevice cpu("cpu");
  const Array<1, float> x(spread(f.low, f.high));
  const vector<float> want = f.compute(x).to_vector();
  const ScopedPrecision fast(Precision::fast);
  EXPECT_EQ(f.compute(x).to_vector(), want);
}

INSTANTIATE_TEST_SUITE_P(Table, Fast, testing::ValuesIn(functions),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Precision, FastKeepsInfinitiesAndNaN) {
  const float inf = std::numeric_limits<float>::infinity();
  const Array<1, float> x(vector<float>{0.0f, -0.0f, inf, -inf, NAN});
  const ScopedPrecision fast(Precision::fast);
  const auto same_kind = [&](const Array<1, float>& got, const vector<float>& want) {
    const vector<float> values = got.to_vector();
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_TRUE(std::isnan(want[i]) ? std::isnan(values[i]) : values[i] == want[i])
          << i << ": " << values[i] << " for " << want[i];
  };
  same_kind(exp(x), {1, 1, inf, 0, NAN});
  same_kind(log(x), {-inf, -inf, inf, NAN, NAN});
  same_kind(sqrt(x), {0, 0, inf, NAN, NAN});
  same_kind(rsqrt(x), {inf, -inf, 0, NAN, NAN});
  same_kind(1.0f / x, {inf, -inf, 0, 0, NAN});
  same_kind(sin(x), {0, 0, NAN, NAN, NAN});
}

TEST(Precision, ExplainNamesFastOperations) {
  const Vectors<float> v;
  const ScopedPrecision fast(Precision::fast);
  std::ostringstream text;
  text << explain(exp(v.a) / v.b);
  EXPECT_NE(text.str().find("fast_exp"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("fast_divide"), std::string::npos) << text.str();
}

}  // namespace
}  // namespace tutti::test
