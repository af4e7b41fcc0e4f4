// Accuracy of src/numerics/math/f32.hpp and f64.hpp on the host's scalars.
// In: a table, one line a function: ours, the exact one in higher precision, the documented bound.
// Prints the worst error in ulps and its argument. Fails where the error exceeds the bound, or
// where a NaN, an infinity or the sign of a zero is wrong. Arguments are the same in every run.
// Build: g++ -std=c++20 -O2 -march=native -ffp-contract=off -I src
//        tests/numerics/math_accuracy_test.cpp -lgtest -lgtest_main -lquadmath -pthread
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "numerics/math/f32.hpp"
#include "numerics/math/f64.hpp"

#if defined(__GNUC__) && !defined(__clang__) && __has_include(<quadmath.h>)
#include <quadmath.h>
using Quad = __float128;
#define EXACT(function) function##q
#else
using Quad = long double;
#define EXACT(function) function##l
#endif

namespace {
namespace f32 = tutti::math::f32;
namespace f64 = tutti::math::f64;

template <class F>
struct Format;
template <>
struct Format<float> {
  using Bits = uint32_t;
  using Exact = double;
  static constexpr int exponents = 256, mantissa = 23, per_exponent = 3000, dense = 300000;
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  using Exact = Quad;
  static constexpr int exponents = 2048, mantissa = 52, per_exponent = 12, dense = 20000;
};

// The distance of `got` from `exact` in units in the last place of exact. Exact results below
// `absolute_below` are measured with its unit. Wrong kinds of result are infinitely far.
template <class F>
double error_in_ulps(F got, typename Format<F>::Exact exact, double absolute_below) {
  using Exact = typename Format<F>::Exact;
  using Limits = std::numeric_limits<F>;
  const double wrong = std::numeric_limits<double>::infinity();
  const F rounded = static_cast<F>(exact);
  if (exact != exact || got != got) return (exact != exact) == (got != got) ? 0 : wrong;
  if (std::signbit(got) != std::signbit(rounded) && (exact == 0 || absolute_below == 0))
    return wrong;
  if (got == rounded) {
    if (std::isinf(rounded)) return 0;
  } else if (exact == 0) {
    return wrong;
  }
  Exact value = got;
  if (std::isinf(got)) {  // one step beyond the largest number
    if (std::isinf(rounded) || exact - exact != 0) return wrong;
    value =
        std::copysign(Exact(2) * Exact(std::ldexp(F(1), Limits::max_exponent - 1)), double(got));
  }
  if (exact - exact != 0) return wrong;
  const F size =
      std::max(std::min(std::fabs(rounded), Limits::max()), static_cast<F>(absolute_below));
  const int exponent = size < Limits::min() ? Limits::min_exponent : std::ilogb(size) + 1;
  const Exact distance = value > exact ? value - exact : exact - value;
  return static_cast<double>(distance / Exact(std::ldexp(F(1), exponent - Limits::digits)));
}

template <class F>
std::vector<F> special_values() {
  using Limits = std::numeric_limits<F>;
  std::vector<F> list;
  const F halves[] = {0,  0.5, 1,  1.5, 2,  2.5, 3,   3.5,  4,   5,
                      10, 23,  24, 52,  53, 127, 128, 1023, 1024};
  for (F value : halves) {
    for (F near : {value, std::nextafter(value, F(-1)), std::nextafter(value, Limits::max())}) {
      list.push_back(near);
    }
  }
  for (F value :
       {Limits::infinity(), Limits::quiet_NaN(), Limits::denorm_min(), Limits::min(), Limits::max(),
        std::nextafter(Limits::min(), F(0)), F(1e9), F(1e9 + 1), F(8388609)}) {
    list.push_back(value);
  }
  for (std::size_t i = 0, n = list.size(); i < n; ++i) list.push_back(-list[i]);
  return list;
}

uint64_t scramble(uint64_t i) {
  i = (i ^ (i >> 31)) * 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 29)) * 0xbf58476d1ce4e5b9u;
  return i ^ (i >> 32);
}
template <class F>
F any_float(uint64_t i) {
  return std::bit_cast<F>(static_cast<typename Format<F>::Bits>(scramble(i)));
}
// Uniform in [low, high).
template <class F>
F between(uint64_t i, double low, double high) {
  return static_cast<F>(low + (high - low) * static_cast<double>(scramble(i) >> 11) * 0x1p-53);
}

// Every exponent with both signs and strided mantissas; intervals where functions change their
// method or leave the range; neighbourhoods of 1 and of the multiples of pi/2.
template <class F>
const std::vector<F>& arguments() {
  static const std::vector<F> list = [] {
    using Form = Format<F>;
    using Bits = typename Form::Bits;
    std::vector<F> all = special_values<F>();
    for (int e = 0; e < 2 * Form::exponents; ++e) {
      for (int i = 0; i < Form::per_exponent; ++i) {
        const uint64_t mantissa = scramble(e * Form::per_exponent + i) >> (64 - Form::mantissa);
        const Bits edge[] = {0, 1, (Bits(1) << Form::mantissa) - 1};
        const Bits low = i < 3 ? edge[i] : static_cast<Bits>(mantissa);
        all.push_back(std::bit_cast<F>((static_cast<Bits>(e) << Form::mantissa) | low));
      }
    }
    const double spans[][2] = {{-1, 1}, {0.4, 2.5}, {-5, 5}, {-30, 30}, {-190, 190}, {-760, 760}};
    for (auto span : spans) {
      for (int i = 0; i < Form::dense; ++i) all.push_back(between<F>(i, span[0], span[1]));
    }
    for (int i = 1; i < Form::dense; ++i) {
      const F k = static_cast<F>(i < Form::dense / 2 ? i : scramble(i) % 2000000000);
      const F multiple = static_cast<F>(static_cast<long double>(k) * 1.57079632679489661923L);
      for (F near : {multiple, std::nextafter(multiple, F(0)), std::nextafter(multiple, F(1e20))}) {
        all.push_back(near);
      }
      all.push_back(1 + static_cast<F>(i - Form::dense / 2) * std::numeric_limits<F>::epsilon());
    }
    return all;
  }();
  return list;
}

template <class F>
struct Worst {
  double ulps = -1;
  F x = 0, y = 0;
  void see(double error, F at_x, F at_y = 0) {
    if (error > ulps) ulps = error, x = at_x, y = at_y;
  }
};

template <class F>
struct Unary {
  using Exact = typename Format<F>::Exact;
  const char* name;
  F (*ours)(F);
  Exact (*exact)(Exact);
  double bound;
  double absolute_below = 0;
};
template <class F>
struct Binary {
  using Exact = typename Format<F>::Exact;
  const char* name;
  F (*ours)(F, F);
  Exact (*exact)(Exact, Exact);
  double bound;
};
template <class F>
void PrintTo(const Unary<F>& row, std::ostream* out) {
  *out << row.name;
}
template <class F>
void PrintTo(const Binary<F>& row, std::ostream* out) {
  *out << row.name;
}

template <class F>
void report(const char* name, const Worst<F>& worst, double bound) {
  std::printf("f%zu %-16s %9.4f ulp (bound %g) at %a %a\n", 8 * sizeof(F), name, worst.ulps, bound,
              static_cast<double>(worst.x), static_cast<double>(worst.y));
  EXPECT_LE(worst.ulps, bound) << name << " at x = " << worst.x << ", y = " << worst.y;
}

template <class F>
void check(const Unary<F>& row) {
  Worst<F> worst;
  for (F x : arguments<F>()) {
    worst.see(error_in_ulps<F>(row.ours(x), row.exact(x), row.absolute_below), x);
  }
  report(row.name, worst, row.bound);
}

template <class F>
void check(const Binary<F>& row) {
  Worst<F> worst;
  auto see = [&](F x, F y) {
    worst.see(error_in_ulps<F>(row.ours(x, y), row.exact(x, y), 0), x, y);
  };
  for (F x : special_values<F>()) {
    for (F y : special_values<F>()) see(x, y);
  }
  for (int i = 0; i < 2 * Format<F>::dense; ++i) {
    see(any_float<F>(2 * i), any_float<F>(2 * i + 1));
    const F x = between<F>(i, 0, 4), y = between<F>(i + 7, -300, 300);
    see(x, y);
    see(-x, std::round(y));
    see(1 + x / 1000, y * 1000);
    const F tiny = std::fabs(any_float<F>(3 * i));  // result over the whole range, also subnormal
    const double log = std::log2(static_cast<double>(tiny));
    const double span = std::numeric_limits<F>::max_exponent;
    if (std::isfinite(log) && log != 0) {
      see(tiny, static_cast<F>(between<double>(i, -1.17 * span, span) / log));
      see(tiny, tiny * between<F>(i, 0.2, 5));
      see(-tiny, tiny * std::ldexp(between<F>(i, 0.2, 5), i % 64));
    }
  }
  report(row.name, worst, row.bound);
}

template <class F>
F round_to_integer(F x) {
  return std::round(x);
}
double ten_to(double x) { return ::exp10(x); }
Quad quad_ten_to(Quad x) { return EXACT(pow)(Quad(10), x); }

class Single : public testing::TestWithParam<Unary<float>> {};
class SingleBinary : public testing::TestWithParam<Binary<float>> {};
class Double : public testing::TestWithParam<Unary<double>> {};
class DoubleBinary : public testing::TestWithParam<Binary<double>> {};

TEST_P(Single, WithinBound) { check(GetParam()); }
TEST_P(SingleBinary, WithinBound) { check(GetParam()); }
TEST_P(Double, WithinBound) { check(GetParam()); }
TEST_P(DoubleBinary, WithinBound) { check(GetParam()); }

const auto name_of = [](const auto& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(
    Math, Single,
    testing::Values(
        Unary<float>{"exp", f32::exp, std::exp, 1}, Unary<float>{"exp2", f32::exp2, std::exp2, 1},
        Unary<float>{"exp10", f32::exp10, ten_to, 1},
        Unary<float>{"expm1", f32::expm1, std::expm1, 1.5},
        Unary<float>{"log", f32::log, std::log, 1.5},
        Unary<float>{"log2", f32::log2, std::log2, 1.5},
        Unary<float>{"log10", f32::log10, std::log10, 2},
        Unary<float>{"log1p", f32::log1p, std::log1p, 2},
        Unary<float>{"sin", f32::sin, std::sin, 2}, Unary<float>{"cos", f32::cos, std::cos, 2},
        Unary<float>{"tan", f32::tan, std::tan, 2}, Unary<float>{"asin", f32::asin, std::asin, 1.5},
        Unary<float>{"acos", f32::acos, std::acos, 1.5},
        Unary<float>{"atan", f32::atan, std::atan, 1.5},
        Unary<float>{"sinh", f32::sinh, std::sinh, 2},
        Unary<float>{"cosh", f32::cosh, std::cosh, 2},
        Unary<float>{"tanh", f32::tanh, std::tanh, 2},
        Unary<float>{"asinh", f32::asinh, std::asinh, 1},
        Unary<float>{"acosh", f32::acosh, std::acosh, 1},
        Unary<float>{"atanh", f32::atanh, std::atanh, 1},
        Unary<float>{"cbrt", f32::cbrt, std::cbrt, 1}, Unary<float>{"erf", f32::erf, std::erf, 1.5},
        Unary<float>{"erfc", f32::erfc, std::erfc, 1},
        Unary<float>{"tgamma", f32::tgamma, std::tgamma, 1},
        Unary<float>{"lgamma", f32::lgamma, std::lgamma, 1, 0.25},
        Unary<float>{"round_half_away", f32::round_half_away, round_to_integer<double>, 0}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Math, SingleBinary,
                         testing::Values(Binary<float>{"atan2", f32::atan2, std::atan2, 2},
                                         Binary<float>{"pow", f32::pow, std::pow, 1},
                                         Binary<float>{"hypot", f32::hypot, std::hypot, 1.5},
                                         Binary<float>{"fmod", f32::fmod, std::fmod, 0}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Math, Double,
                         testing::Values(Unary<double>{"exp", f64::exp, EXACT(exp), 1},
                                         Unary<double>{"exp2", f64::exp2, EXACT(exp2), 1},
                                         Unary<double>{"exp10", f64::exp10, quad_ten_to, 1.2},
                                         Unary<double>{"expm1", f64::expm1, EXACT(expm1), 2},
                                         Unary<double>{"log", f64::log, EXACT(log), 1},
                                         Unary<double>{"log2", f64::log2, EXACT(log2), 1},
                                         Unary<double>{"log10", f64::log10, EXACT(log10), 1},
                                         Unary<double>{"log1p", f64::log1p, EXACT(log1p), 1.5},
                                         Unary<double>{"sin", f64::sin, EXACT(sin), 2},
                                         Unary<double>{"cos", f64::cos, EXACT(cos), 2},
                                         Unary<double>{"tan", f64::tan, EXACT(tan), 2},
                                         Unary<double>{"asin", f64::asin, EXACT(asin), 1.5},
                                         Unary<double>{"acos", f64::acos, EXACT(acos), 1.5},
                                         Unary<double>{"atan", f64::atan, EXACT(atan), 1.5},
                                         Unary<double>{"sinh", f64::sinh, EXACT(sinh), 2},
                                         Unary<double>{"cosh", f64::cosh, EXACT(cosh), 2},
                                         Unary<double>{"tanh", f64::tanh, EXACT(tanh), 2},
                                         Unary<double>{"asinh", f64::asinh, EXACT(asinh), 2.5},
                                         Unary<double>{"acosh", f64::acosh, EXACT(acosh), 3},
                                         Unary<double>{"atanh", f64::atanh, EXACT(atanh), 2.5},
                                         Unary<double>{"cbrt", f64::cbrt, EXACT(cbrt), 1},
                                         Unary<double>{"erf", f64::erf, EXACT(erf), 2},
                                         Unary<double>{"erfc", f64::erfc, EXACT(erfc), 4},
                                         Unary<double>{"tgamma", f64::tgamma, EXACT(tgamma), 8},
                                         Unary<double>{"lgamma", f64::lgamma, EXACT(lgamma), 10, 1},
                                         Unary<double>{"round_half_away", f64::round_half_away,
                                                       EXACT(round), 0}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Math, DoubleBinary,
                         testing::Values(Binary<double>{"atan2", f64::atan2, EXACT(atan2), 2},
                                         Binary<double>{"pow", f64::pow, EXACT(pow), 1.5},
                                         Binary<double>{"hypot", f64::hypot, EXACT(hypot), 1.5},
                                         Binary<double>{"fmod", f64::fmod, EXACT(fmod), 0}),
                         name_of);

}  // namespace
