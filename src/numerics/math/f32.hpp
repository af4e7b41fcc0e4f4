// Elementary functions of single precision lanes (F is float, or the code generator's value).
// In: any float. Out: the function, with C99 Annex F results for special values.
// Invariant: same bits for every kind of lanes. The error noted at each function is the largest
// found (docs/math.md names the arguments tested), in units in the last place of the exact result.
// The main paths use no double precision, except where noted. pow, erfc and gamma are in
// f32_special.hpp.
#pragma once
#include "numerics/math/shared.hpp"

namespace tutti::math::f32 {

// Coefficients: fpminimax of Sollya 8.0, rounded to single within the optimisation; 2^-k is the
// error of the polynomial (relative unless noted) on the interval given.
struct Constants {
  static constexpr int mantissa_bits = 23, bias = 127, sign_position = 31;
  static constexpr double rounder = 0x1.8p23, smallest_normal = 0x1p-126;
  static constexpr double split = 0x1.555556p-1;  // 2/3: 1 + f in [2/3, 4/3)
  static constexpr double subnormal_scale = 0x1p24, subnormal_shift = 24;

  static constexpr double ln2_hi = 0x1.62e430p-1, ln2_lo = -0x1.05c610p-29;
  static constexpr double log10_2_hi = 0x1.3441360000000p-2, log10_2_lo = -0x1.ec10c00000000p-27;
  // Normal results up to `usual`; zero below `low` and infinite above `high`.
  static constexpr double exp_usual = 87.3, exp_low = -105, exp_high = 90;
  static constexpr double exp10_usual = 37.9, exp10_low = -46, exp10_high = 39;
  static constexpr double sinh_high = 0x1.65a9f8p+6, tanh_high = 9.1;

  // e^r on [-ln2/2, ln2/2], 2^-28.2
  static constexpr double exp[] = {
      1, 1, 0x1.fffffcp-2, 0x1.55548ep-3, 0x1.555896p-5, 0x1.123c3ep-7, 0x1.6a6f1p-10};
  // 2^r on [-1/2, 1/2], 2^-28.0
  static constexpr double exp2[] = {
      1, 0x1.62e43p-1, 0x1.ebfbd8p-3, 0x1.c6af72p-5, 0x1.3b308ap-7, 0x1.5f0e4ep-10, 0x1.3fc064p-13};
  // 10^r on [-lg2/2, lg2/2], 2^-28.3
  static constexpr double exp10[] = {
      1, 0x1.26bb1cp1, 0x1.535248p1, 0x1.046f9ap1, 0x1.2bdbdap0, 0x1.156bep-1, 0x1.a49aaep-3};
  // (e^r - 1 - r)/r^2 on [-ln2/2, ln2/2], absolute 2^-28.9
  static constexpr double expm1[] = {0x1p-1,       0x1.555556p-3,  0x1.5555p-5,
                                     0x1.110fcp-7, 0x1.6d3096p-10, 0x1.a2df0ep-13};
  // (log(1 + f) - f)/f^2 on [-1/3, 1/3], absolute 2^-25.1
  static constexpr double log[] = {-0x1p-1,        0x1.55552cp-2,  -0x1.ffff0cp-3,
                                   0x1.99bfe8p-3,  -0x1.559beep-3, 0x1.1fd5b2p-3,
                                   -0x1.f308a2p-4, 0x1.19b758p-3,  -0x1.0879fcp-3};
  // log2(1 + f)/f - log2_e on [-1/3, 1/3], absolute 2^-27.3
  static constexpr double log2_e = 0x1.715476p+0;
  static constexpr double log2[] = {0x1.ac6356p-26, -0x1.715478p-1, 0x1.ec6ff4p-2, -0x1.715268p-2,
                                    0x1.27a5c6p-2,  -0x1.ed25cep-3, 0x1.9d13fep-3, -0x1.6493c4p-3,
                                    0x1.a03d4p-3,   -0x1.8a3026p-3};
  // log10(1 + f)/f - log10_e on [-1/3, 1/3], absolute 2^-26.4
  static constexpr double log10_e = 0x1.bcb7b2p-2;
  static constexpr double log10[] = {-0x1.c3c2d2p-28, -0x1.bcb78ap-3, 0x1.2879cap-3,
                                     -0x1.bcdc28p-4,  0x1.64174cp-4,  -0x1.23f79cp-4,
                                     0x1.eea3c2p-5,   -0x1.11fb6ap-4, 0x1.00cab8p-4};

  // pi in three pieces of 24 bits: n pi[0] is exact to subtract for n < 2^22.
  static constexpr double pi[] = {0x1.921fb6p+1, -0x1.777a5cp-24, -0x1.ee59dap-49};
  static constexpr double angle_limit = 100000;  // beyond, reduce_huge
  // (sin r - r)/r^3 in r^2, |r| <= 1.59, 2^-27.0
  static constexpr double sin[] = {-0x1.55554ap-3, 0x1.110e9p-7, -0x1.9f6412p-13, 0x1.5d17e8p-19};
  // (tan r - r)/r^3 in r^2, |r| <= pi/4, 2^-29.5
  static constexpr double tan[] = {0x1.55556p-2,  0x1.110d98p-3, 0x1.badb82p-5, 0x1.5ca98cp-6,
                                   0x1.63593ap-7, 0x1.36caep-14, 0x1.1f6c9ap-8};
  // (asin z - z)/z^3 in z^2, z <= 1/2, 2^-27.6
  static constexpr double asin[] = {0x1.5555c8p-3, 0x1.3301fep-4, 0x1.747cbep-5, 0x1.8c30b4p-6,
                                    0x1.596a7ep-5};
  // (atan t - t)/t^3 in t^2, t <= 1, 2^-28.5
  static constexpr double atan[] = {-0x1.55553ep-2, 0x1.9991ecp-3,  -0x1.24211ap-3,
                                    0x1.c0946cp-4,  -0x1.5825f2p-4, 0x1.da9c2ep-5,
                                    -0x1.fe7d24p-6, 0x1.6551e2p-7,  -0x1.d5a1aap-10};
  // (sinh a - a)/a^3 in a^2, a <= 1, 2^-31.3
  static constexpr double sinh[] = {0x1.555556p-3, 0x1.1110ecp-7, 0x1.a01a8cp-13, 0x1.76c1b4p-19};
  // (tanh a - a)/a^3 in a^2, a <= 0.55, 2^-29.4
  static constexpr double tanh[] = {-0x1.555548p-2, 0x1.110c7p-3, -0x1.b90a76p-5, 0x1.584238p-6,
                                    -0x1.958c74p-8};

  static constexpr int64_t cube_root_seed = 0x54a2316c;
  static constexpr int cube_root_steps = 1;
  static constexpr double square_low = 0x1p-100, square_high = 0x1p127;
  static constexpr double shrink = 0x1p-70, grow = 0x1p100;
  static constexpr double quotient_limit = 0x1p23;

  template <class F>
  static auto reduce_huge(F x, double phase, double steps) {
    auto angle = detail::reduce_huge_angle(widen(x), phase, steps);
    F hi = narrow(angle.hi);
    auto n = narrow(angle.n);
    return detail::Angle<F, decltype(n)>{hi, narrow(angle.hi - widen(hi)), n};
  }
};

// e^x. Largest error 0.88 ulp, at 26.7091.
template <class F>
F exp(F x) {
  return detail::exponential<Constants>(x);
}
// 2^x. Largest error 0.83 ulp, at -126.316.
template <class F>
F exp2(F x) {
  return detail::exponential_2<Constants>(x);
}
// 10^x. Largest error 0.92 ulp, at -3.13564.
template <class F>
F exp10(F x) {
  return detail::exponential_10<Constants>(x);
}
// e^x - 1. Largest error 1.43 ulp, at 17.0141.
template <class F>
F expm1(F x) {
  return detail::exponential_minus_1<Constants>(x);
}

// Natural logarithm of 2^e (1 + f).
template <class F>
F log_of_split(detail::Split<F> part) {
  F p = fma(part.f * part.f, detail::polynomial(part.f, Constants::log), part.f);
  return fma(part.e, literal(p, Constants::ln2_hi), p);
}
// Natural logarithm. Largest error 0.93 ulp, at 0.632307.
template <class F>
F log(F x) {
  return detail::logarithm<Constants>(x, log_of_split<F>);
}
// log(1 + x). Largest error 1.53 ulp, at 0.333707.
template <class F>
F log1p(F x) {
  return detail::logarithm_plus_1<Constants>(x, log_of_split<F>);
}
// Logarithm to base 2. Largest error 1.40 ulp, at 1.37875.
template <class F>
F log2(F x) {
  return detail::logarithm<Constants>(x, [](detail::Split<F> part) {
    F low = part.f * detail::polynomial(part.f, Constants::log2);
    return fma(part.f, literal(low, Constants::log2_e), low) + part.e;
  });
}
// Logarithm to base 10. Largest error 1.36 ulp, at 1.33342.
template <class F>
F log10(F x) {
  return detail::logarithm<Constants>(x, [](detail::Split<F> part) {
    F low = part.f * detail::polynomial(part.f, Constants::log10);
    low = fma(part.e, literal(low, Constants::log10_2_lo), low);
    F small = fma(part.f, literal(low, Constants::log10_e), low);
    return fma(part.e, literal(low, Constants::log10_2_hi), small);
  });
}

// Largest error 1.73 ulp, at -3.76284e+10.
template <class F>
F sin(F x) {
  return detail::sine<Constants>(x);
}
// Largest error 1.73 ulp, at -9.48878.
template <class F>
F cos(F x) {
  return detail::cosine<Constants>(x);
}
// Largest error of all floats 1.96 ulp, at 64904.5.
template <class F>
F tan(F x) {
  return detail::tangent<Constants>(x);
}
// Largest error 1.15 ulp, at -0.53536.
template <class F>
F asin(F x) {
  return detail::arc_sine<Constants>(x);
}
// Largest error 1.15 ulp, at -0.607433.
template <class F>
F acos(F x) {
  return detail::arc_cosine<Constants>(x);
}
// Largest error 1.32 ulp, at 1.01537.
template <class F>
F atan(F x) {
  return detail::arc_tangent<Constants>(x);
}
// The angle of the point (x, y). Largest error 1.49 ulp, at (-0.169188, 2.70662).
template <class F>
F atan2(F y, F x) {
  return detail::arc_tangent_2<Constants>(y, x);
}

// Largest error 1.58 ulp, at 1.43369.
template <class F>
F sinh(F x) {
  return detail::hyperbolic_sine<Constants>(x);
}
// Largest error 1.30 ulp, at -4.57825.
template <class F>
F cosh(F x) {
  return detail::hyperbolic_cosine<Constants>(x);
}
// Largest error 1.70 ulp, at -0.562938.
template <class F>
F tanh(F x) {
  return detail::hyperbolic_tangent<Constants>(x);
}

// Cube root. Largest error 0.82 ulp, at -3.38326e-38.
template <class F>
F cbrt(F x) {
  return detail::cube_root<Constants>(x);
}
// sqrt(x^2 + y^2). Largest error 1.16 ulp, at (1.98099, 93.721).
template <class F>
F hypot(F x, F y) {
  return detail::hypotenuse<Constants>(x, y);
}
// To the nearest integer, halves away from zero; exact.
template <class F>
F round_half_away(F x) {
  return detail::round_away(x);
}
// x - trunc(x/y) y; exact. Quotients over 2^23 in double precision, 52 bits a step.
template <class F>
F fmod(F x, F y) {
  return detail::floating_modulo<Constants>(x, y, [](F a, F b) {
    auto rest = widen(a);
    for (int i = 0; i < 6; ++i) rest = detail::remainder_step(rest, widen(b));
    return narrow(rest);
  });
}

}  // namespace tutti::math::f32

#include "numerics/math/f32_special.hpp"
