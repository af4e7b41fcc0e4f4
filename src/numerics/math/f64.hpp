// Elementary functions of double precision lanes (F is double, or the code generator's value).
// In: any double. Out: the function, with C99 Annex F results for special values.
// Invariant: same bits for every kind of lanes. The error noted at each function is the largest
// found (docs/math.md names the arguments tested), in units in the last place of the exact result.
// The methods are those of single precision (shared.hpp), except for logarithms and fmod. pow,
// error and gamma functions are in f64_special.hpp.
#pragma once
#include "numerics/math/shared.hpp"

namespace tutti::math::f64 {

// Coefficients: fpminimax of Sollya 8.0, rounded to double within the optimisation; 2^-k is the
// error of the polynomial (relative unless noted) on the interval given.
struct Constants {
  static constexpr int mantissa_bits = 52, bias = 1023, sign_position = 63;
  static constexpr double rounder = 0x1.8p52, smallest_normal = 0x1p-1022;
  static constexpr double split = 0x1.6a09e667f3bcdp-1;  // sqrt(1/2)
  static constexpr double subnormal_scale = 0x1p54, subnormal_shift = 54;

  static constexpr double ln2_hi = 0x1.62e42fefa39efp-1, ln2_lo = 0x1.abc9e3b39803fp-56;
  static constexpr double log10_2_hi = 0x1.34413509f79ffp-2, log10_2_lo = -0x1.9dc1da994fd21p-59;
  // Normal results up to `usual`; zero below `low` and infinite above `high`.
  static constexpr double exp_usual = 708, exp_low = -746, exp_high = 711;
  static constexpr double exp10_usual = 307.6, exp10_low = -325, exp10_high = 309;
  static constexpr double sinh_high = 0x1.633ce8fb9f87dp+9, tanh_high = 20;

  // e^r on [-ln2/2, ln2/2], 2^-57.9
  static constexpr double exp[] = {1,
                                   1,
                                   0x1.000000000000ap-1,
                                   0x1.55555555554fep-3,
                                   0x1.55555555506aap-5,
                                   0x1.1111111126b0dp-7,
                                   0x1.6c16c1847d479p-10,
                                   0x1.a01a01300fffp-13,
                                   0x1.a0199949ae311p-16,
                                   0x1.71df1871f79fep-19,
                                   0x1.28ae138da82ep-22,
                                   0x1.ad9406fa0fbc7p-26};
  // 2^r on [-1/2, 1/2], 2^-57.3
  static constexpr double exp2[] = {1,
                                    0x1.62e42fefa39efp-1,
                                    0x1.ebfbdff82c5a6p-3,
                                    0x1.c6b08d704a12cp-5,
                                    0x1.3b2ab6fb9fd98p-7,
                                    0x1.5d87fe789e919p-10,
                                    0x1.4309130f71771p-13,
                                    0x1.ffcbfc66c3339p-17,
                                    0x1.62bfc649d1dd6p-20,
                                    0x1.b52521eaa67dep-24,
                                    0x1.e61d636c5e01fp-28,
                                    0x1.e974d2b1492d2p-32};
  // 10^r on [-lg2/2, lg2/2], 2^-57.3
  static constexpr double exp10[] = {1,
                                     0x1.26bb1bbb55516p1,
                                     0x1.53524c73cea76p1,
                                     0x1.0470591de2b43p1,
                                     0x1.2bd7609fd530dp0,
                                     0x1.1429ffd22167cp-1,
                                     0x1.a7ed70a10b2e8p-3,
                                     0x1.16e4dee4a31fp-4,
                                     0x1.41165fa0feb4fp-6,
                                     0x1.4899f527ba365p-8,
                                     0x1.2f731c9f85a71p-10,
                                     0x1.f73d2be563cb7p-13};
  // (e^r - 1 - r)/r^2 on [-ln2/2, ln2/2]; from the second on absolute 2^-55.6
  static constexpr double expm1[] = {0.5,
                                     0x1.5555555555556p-3,
                                     0x1.5555555555556p-5,
                                     0x1.1111111110708p-7,
                                     0x1.6c16c16c15f2dp-10,
                                     0x1.a01a01a905222p-13,
                                     0x1.a01a01a8ada4ap-16,
                                     0x1.71de0a306f357p-19,
                                     0x1.27e4d61b21706p-22,
                                     0x1.af3f255882921p-26,
                                     0x1.1f7d0ca453815p-29};
  // (2 atanh(z)/z - 2)/z^2 in z^2, z = f/(2 + f), z^2 <= 0.0295, absolute 2^-51.5
  static constexpr double log[] = {0x1.5555555555558p-1, 0x1.99999999952b9p-2, 0x1.2492492dfb9b8p-2,
                                   0x1.c71c62d649d8dp-3, 0x1.7462b925f9f7p-3,  0x1.39fdcbbcee174p-3,
                                   0x1.2b5f5b2f70f56p-3};

  // pi in three pieces of 53 bits: n pi[0] is exact to subtract for n < 2^51.
  static constexpr double pi[] = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53,
                                  -0x1.f1976b7ed8fbcp-109};
  static constexpr double angle_limit = 1e9;  // beyond, reduce_huge
  // (sin r - r)/r^3 in r^2, |r| <= pi/2, 2^-61.5
  static constexpr double sin[] = {
      -0x1.5555555555555p-3,  0x1.11111111110ddp-7,   -0x1.a01a01a017078p-13,
      0x1.71de3a5408de5p-19,  -0x1.ae6455c15102bp-26, 0x1.612424947a8f5p-33,
      -0x1.ae6855ff8289cp-41, 0x1.906d2237e8011p-49,  -0x1.84a0aa48673bp-58};
  // (tan r - r)/r^3 in r^2, |r| <= pi/4, 2^-56.2
  static constexpr double tan[] = {
      0x1.55555555554f2p-2,   0x1.11111111182c6p-3,  0x1.ba1ba1b46c275p-5,   0x1.664f49a84adefp-6,
      0x1.226e125e1b21p-7,    0x1.d6d93337060d2p-9,  0x1.7d5b629a72d0ep-10,  0x1.37fa58d138083p-11,
      0x1.d273181a8b945p-13,  0x1.1e244b93c4396p-13, -0x1.b8c1fd5af0de3p-16, 0x1.76c04553f7905p-14,
      -0x1.77fb19a885601p-15, 0x1.5dcd5411ac11cp-16};
  // (asin z - z)/z^3 in z^2, z <= 1/2, 2^-59.9
  static constexpr double asin[] = {
      0x1.5555555555577p-3, 0x1.333333332e13p-4,  0x1.6db6db721283bp-5, 0x1.f1c71a94e2c9bp-6,
      0x1.6e8bdee29a3e3p-6, 0x1.1c49f0292c482p-6, 0x1.ca1f9315cae7dp-7, 0x1.75855569e721ep-7,
      0x1.613dd05c99373p-7, 0x1.e5e0b8bac0e55p-9, 0x1.63a340cecf318p-6, -0x1.5807c00b1edb4p-6,
      0x1.0b4a22df4e71bp-5};
  // (atan t - t)/t^3 in t^2, t <= 1, 2^-57.6
  static constexpr double atan[] = {
      -0x1.5555555555526p-2, 0x1.99999999955b4p-3,  -0x1.249249237f57dp-3,  0x1.c71c717fcf76dp-4,
      -0x1.745d11ae74c7ap-4, 0x1.3b13669a2a047p-4,  -0x1.110e5126fd02dp-4,  0x1.e1bba66c1a4b8p-5,
      -0x1.ae5e72c0e6984p-5, 0x1.82dad79d1736p-5,   -0x1.59a3ff2ac6667p-5,  0x1.2c2e5ccfd4e26p-5,
      -0x1.e9fa0da6643e9p-6, 0x1.683cc98472e13p-6,  -0x1.c78fcd542af16p-7,  0x1.d7b927bbdceedp-8,
      -0x1.7a399ad4364a2p-9, 0x1.b3facbcd7bb8ap-11, -0x1.3f364d4b9695cp-13, 0x1.bbed9f7b04237p-17};
  // (sinh a - a)/a^3 in a^2, a <= 1, 2^-61.5
  static constexpr double sinh[] = {
      0x1.5555555555556p-3,  0x1.111111111104p-7,   0x1.a01a01a0318fp-13, 0x1.71de3a4053cfap-19,
      0x1.ae646b5075144p-26, 0x1.6118dddccc46cp-33, 0x1.b52f538e3324fp-41};
  // (tanh a - a)/a^3 in a^2, a <= 0.55, 2^-60.6
  static constexpr double tanh[] = {
      -0x1.555555555554fp-2,  0x1.1111111110792p-3,  -0x1.ba1ba1b97cdep-5,   0x1.664f48594bb39p-6,
      -0x1.226e2f0fd2cb6p-7,  0x1.d6d29adb8b7ecp-9,  -0x1.7d8fca3a55262p-10, 0x1.34836040adb37p-11,
      -0x1.e96ca0cc30278p-13, 0x1.5d6b3a51a2c11p-14, -0x1.46fa348a03415p-16};

  static constexpr int64_t cube_root_seed = 0x553ef0d844d01000;
  static constexpr int cube_root_steps = 2;
  static constexpr double square_low = 0x1p-900, square_high = 0x1p1023;
  static constexpr double shrink = 0x1p-600, grow = 0x1p700;
  static constexpr double quotient_limit = 0x1p52;

  template <class F>
  static auto reduce_huge(F x, double phase, double steps) {
    return detail::reduce_huge_angle(x, phase, steps);
  }
};

// e^x. Largest error 0.84 ulp, at 627.656.
template <class F>
F exp(F x) {
  return detail::exponential<Constants>(x);
}
// 2^x. Largest error 0.78 ulp, at -288.488.
template <class F>
F exp2(F x) {
  return detail::exponential_2<Constants>(x);
}
// 10^x. Largest error 0.89 ulp, at -1.93155.
template <class F>
F exp10(F x) {
  return detail::exponential_10<Constants>(x);
}
// e^x - 1. Largest error 1.81 ulp, at 0.388892.
template <class F>
F expm1(F x) {
  return detail::exponential_minus_1<Constants>(x);
}

// log(1 + f) = 2 atanh(z), z = f/(2 + f), as f - f^2/2 + tail: the two largest terms are exact
// enough for the sum to round once.
template <class F>
struct LogParts {
  F half_square, tail;
};
template <class F>
LogParts<F> log_parts(F f) {
  auto c = [&](double value) { return literal(f, value); };
  F z = f / (c(2.0) + f), s = z * z;
  F half_square = c(0.5) * f * f;
  return {half_square, z * fma(s, detail::polynomial(s, Constants::log), half_square)};
}
// Natural logarithm of 2^e (1 + f); ln 2 in two pieces, e times the first is exact.
template <class F>
F log_of_split(detail::Split<F> part) {
  auto c = [&](double value) { return literal(part.f, value); };
  LogParts<F> log = log_parts(part.f);
  F low = fma(part.e, c(0x1.ef35793c76730p-45), log.tail);
  F rest = (log.half_square - low) - part.f;
  return fma(part.e, c(0x1.62e42fefa3800p-1), -rest);
}
// Natural logarithm. Largest error 0.82 ulp, at 1.40331.
template <class F>
F log(F x) {
  return detail::logarithm<Constants>(x, log_of_split<F>);
}
// log(1 + x). Largest error 1.36 ulp, at 0.433156.
template <class F>
F log1p(F x) {
  return detail::logarithm_plus_1<Constants>(x, log_of_split<F>);
}

// e step + log(1 + f) scale, both factors given as pairs; step.hi has few enough bits for e step.hi
// to be exact.
template <class F>
F log_scaled(detail::Split<F> part, detail::Pair<double> step, detail::Pair<double> scale) {
  auto c = [&](double value) { return literal(part.f, value); };
  LogParts<F> parts = log_parts(part.f);
  F log = part.f - parts.half_square;
  F log_low = ((part.f - log) - parts.half_square) + parts.tail;
  detail::Pair<F> product = detail::two_product(log, c(scale.hi));
  F low = product.lo + fma(log, c(scale.lo), log_low * c(scale.hi));
  detail::Pair<F> sum = detail::fast_two_sum(part.e * c(step.hi), product.hi);
  return sum.hi + (sum.lo + fma(part.e, c(step.lo), low));
}
// Logarithm to base 2. Largest error 0.79 ulp, at 1.37758.
template <class F>
F log2(F x) {
  return detail::logarithm<Constants>(x, [](detail::Split<F> part) {
    return log_scaled(part, {1, 0}, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
  });
}
// Logarithm to base 10. Largest error 0.70 ulp, at 0.706457.
template <class F>
F log10(F x) {
  return detail::logarithm<Constants>(x, [](detail::Split<F> part) {
    return log_scaled(part, {0x1.34413509f7800p-2, 0x1.fef311f12b358p-46},
                      {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
  });
}

// Largest error 1.64 ulp, at 1.15005e+09.
template <class F>
F sin(F x) {
  return detail::sine<Constants>(x);
}
// Largest error 1.62 ulp, at -3.04096.
template <class F>
F cos(F x) {
  return detail::cosine<Constants>(x);
}
// Largest error 1.64 ulp, at -193.673.
template <class F>
F tan(F x) {
  return detail::tangent<Constants>(x);
}
// Largest error 1.09 ulp, at -0.551076.
template <class F>
F asin(F x) {
  return detail::arc_sine<Constants>(x);
}
// Largest error 1.12 ulp, at -0.552771.
template <class F>
F acos(F x) {
  return detail::arc_cosine<Constants>(x);
}
// Largest error 1.42 ulp, at -1.31903.
template <class F>
F atan(F x) {
  return detail::arc_tangent<Constants>(x);
}
// The angle of the point (x, y). Largest error 1.41 ulp, at (1.86676e+93, 7.35151e+93).
template <class F>
F atan2(F y, F x) {
  return detail::arc_tangent_2<Constants>(y, x);
}

// Largest error 1.55 ulp, at 1.42006.
template <class F>
F sinh(F x) {
  return detail::hyperbolic_sine<Constants>(x);
}
// Largest error 1.25 ulp, at 2.46729.
template <class F>
F cosh(F x) {
  return detail::hyperbolic_cosine<Constants>(x);
}
// Largest error 1.58 ulp, at 0.569606.
template <class F>
F tanh(F x) {
  return detail::hyperbolic_tangent<Constants>(x);
}

// Cube root. Largest error 0.73 ulp, at 2.83909.
template <class F>
F cbrt(F x) {
  return detail::cube_root<Constants>(x);
}
// sqrt(x^2 + y^2). Largest error 1.17 ulp, at (1.00148, -94762.9).
template <class F>
F hypot(F x, F y) {
  return detail::hypotenuse<Constants>(x, y);
}
// To the nearest integer, halves away from zero; exact.
template <class F>
F round_half_away(F x) {
  return detail::round_away(x);
}
// fmod for quotients beyond 2^52: 52 bits a step. A small b is first replaced by multiples of it,
// so that no quotient overflows. A tiny b takes 51 steps, which run only if a lane needs them.
template <class F>
F long_remainder(F a, F b) {
  auto c = [&](double value) { return literal(a, value); };
  auto reduce = [](F rest, F modulus, int steps) {
    for (int i = 0; i < steps; ++i) rest = detail::remainder_step(rest, modulus);
    return rest;
  };
  F near = reduce(a, b, 4);
  auto far = negate(both(a / b < c(0x1p200), b >= c(0x1p-500)));
  return repair(far, near, [&] {
    F times_537 = b * c(0x1p537);
    F rest = select(b < c(0x1p-500), reduce(a, times_537 * c(0x1p537), 20), a);
    F middle = select(b < c(1.0), times_537, b);
    return reduce(reduce(rest, middle, 20), b, 11);
  });
}
// x - trunc(x/y) y; exact for all arguments.
template <class F>
F fmod(F x, F y) {
  return detail::floating_modulo<Constants>(x, y, long_remainder<F>);
}

// asinh, acosh, atanh by log1p of an argument that preserves small terms.
// Largest error 1.64 ulp, at 0.377922.
template <class F>
F asinh(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  auto large = a > c(0x1p30);
  F s = a * a;
  F t = a + s / (c(1.0) + sqrt(s + c(1.0)));
  F log = f64::log1p(select(large, a - c(1.0), t));
  return copy_sign(log + select(large, c(Constants::ln2_hi), c(0.0)), x);
}
// Largest error 1.89 ulp, at 1.00733.
template <class F>
F acosh(F x) {
  auto c = [&](double value) { return literal(x, value); };
  auto large = x > c(0x1p30);
  F t = x - c(1.0);
  F log = f64::log1p(select(large, t, t + sqrt(fma(t, t, t + t))));
  log = log + select(large, c(Constants::ln2_hi), c(0.0));
  return select(x < c(1.0), c(detail::not_a_number), log);
}
// Largest error 1.67 ulp, at 0.174874.
template <class F>
F atanh(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F twice = a + a;
  F log = f64::log1p(fma(twice, a / (c(1.0) - a), twice));
  F value = select(a == c(1.0), c(detail::infinity), c(0.5) * log);
  return copy_sign(select(a <= c(1.0), value, c(detail::not_a_number)), x);
}

}  // namespace tutti::math::f64

#include "numerics/math/f64_special.hpp"
