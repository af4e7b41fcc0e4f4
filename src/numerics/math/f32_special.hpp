// Single precision functions computed in double precision (widen, narrow), where that saves more
// work than it costs: pow, inverse hyperbolic functions, erfc, gamma. Also erf, in single
// precision. In, out, invariant: as in f32.hpp, which includes this file.
#pragma once
#include "numerics/math/f32.hpp"

namespace tutti::math::f32 {

// Double precision lanes, polynomials just long enough for a result of single precision.
struct Wide {
  static constexpr int mantissa_bits = 52, bias = 1023, sign_position = 63;
  static constexpr double rounder = 0x1.8p52;
  static constexpr double split = 0x1.6a09e667f3bcdp-1;  // sqrt(1/2)
  static constexpr double ln2 = 0x1.62e42fefa39efp-1, log2e = 0x1.71547652b82fep+0;
  static constexpr double pi = 0x1.921fb54442d18p+1;

  // log2(1 + f)/f on [-0.293, 0.415], 2^-35.8, fpminimax of Sollya
  static constexpr double log2[] = {
      0x1.71547652a1e5p0,   -0x1.715476565e3cbp-1, 0x1.ec709ebbbe98ap-2, -0x1.7154709620a42p-2,
      0x1.277651ec02708p-2, -0x1.ec72b622629a2p-3, 0x1.a63f48e13222bp-3, -0x1.7141680c0182ep-3,
      0x1.4528d4574b2c2p-3, -0x1.252f5f02d5bbp-3,  0x1.28738e81ab13p-3,  -0x1.24894afab0425p-3,
      0x1.3ce3c62de8c49p-4};
  // 2^r on [-1/2, 1/2], 2^-28.9, fpminimax of Sollya
  static constexpr double exp2[] = {1,
                                    0x1.62e430b357b5p-1,
                                    0x1.ebfbdc4c2845p-3,
                                    0x1.c6aee2b01fe52p-5,
                                    0x1.3b2d3436b6c59p-7,
                                    0x1.5f415282c7071p-10,
                                    0x1.4215c9f54af72p-13};
  // (a + 2) e^(a^2) erfc(a) in t = (a - 2)/(a + 2) for a in [0, 10.5], absolute 2^-27.8,
  // remez of Sollya
  static constexpr double erfc[] = {
      0x1.058671c3fc024p0,    -0x1.5fd3879fad84p-1,  0x1.1e2dd92ed42edp-2, -0x1.2a86d766694b5p-5,
      -0x1.605938364b6e2p-6,  0x1.a82c892c539c7p-8,  0x1.91419c1e0858ep-9, -0x1.afb99faf367bap-11,
      -0x1.342a53fd214ddp-11, 0x1.4dacd046b2489p-15, 0x1.0de0f6e718837p-14};
  // (sin r - r)/r^3 in r^2, |r| <= pi/2, 2^-30.6, fpminimax of Sollya
  static constexpr double sin[] = {-0x1.555556p-3, 0x1.11112ep-7, -0x1.a0203cp-13, 0x1.724dbcp-19,
                                   -0x1.aaa042p-26};
  // Gamma(1 + f) on [0, 1], 2^-27.0, Chebyshev interpolation with mpmath
  static constexpr double gamma[] = {
      0x1.ffffffbef0f27p-1, -0x1.27889205a4c6ap-1, 0x1.fa5bb24d19072p-1, -0x1.d00154a5bd5fbp-1,
      0x1.f155e94af0aa6p-1, -0x1.db9b59a27d656p-1, 0x1.a1b3a00ca8d1cp-1, -0x1.2c4bd34c9282ep-1,
      0x1.3d5e9c04d8991p-2, -0x1.a616254e36655p-4, 0x1.03e9dfd587958p-6};
  // Gamma(1/u) / (sqrt(2 pi) u^(1/2 - 1/u) e^(-1/u)) on [1/40, 1/3], 2^-37.6, likewise
  static constexpr double stirling[] = {
      0x1.fffffffed04edp-1,   0x1.555558460434ep-4,  0x1.c711af0f14988p-9,  -0x1.5ed619f2dda19p-9,
      -0x1.182b48a635f9ap-12, 0x1.f81624d2a7a80p-11, -0x1.a637ffcfbf2a4p-12};
  // log Gamma(1 + f) / (f (f - 1)) on [0, 1], 2^-30.4, likewise
  static constexpr double log_gamma[] = {
      0x1.2788cfc38c968p-1, -0x1.f6464c7173a5bp-3, 0x1.3e523f00f63fbp-3, -0x1.d760dcebff54bp-4,
      0x1.77989cddbd138p-4, -0x1.317559ab6f9ebp-4, 0x1.d8941ba94f4e8p-5, -0x1.39e4585e8b6f9p-5,
      0x1.3b431626854e8p-6, -0x1.964480d7914a7p-8, 0x1.ea2c99a990075p-11};
  // (log Gamma(a) - (a - 1/2) log a + a - log(2 pi)/2) a in 1/a^2, a >= 3, absolute 2^-35.0
  static constexpr double log_stirling[] = {0x1.555555533302ep-4, -0x1.6c164906b308bp-9,
                                            0x1.9f8e6c4104017p-11, -0x1.295d0f19b117bp-11,
                                            0x1.08822e108b5d1p-11};
};

// log2 of a positive normal double, and log.
template <class D>
D wide_log2(D x) {
  detail::Split<D> part = detail::split<Wide>(x);
  return fma(part.f, detail::polynomial(part.f, Wide::log2), part.e);
}
template <class D>
D wide_log(D x) {
  return wide_log2(x) * literal(x, Wide::ln2);
}
// 2^y for |y| < 1000.
template <class D>
D wide_exp2(D y) {
  D shifted = y + literal(y, Wide::rounder);
  D p = detail::polynomial(y - (shifted - literal(y, Wide::rounder)), Wide::exp2);
  return detail::scale_normal<Wide>(p, shifted);
}

// x^y. Largest error 0.55 ulp, at (-0.746396, -258).
template <class F>
F pow(F x, F y) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  auto exponent = widen(y) * wide_log2(widen(a));
  auto limit = literal(exponent, 200.0);
  exponent = select(abs(exponent) > limit, copy_sign(limit, exponent), exponent);
  F magnitude = narrow(wide_exp2(exponent));
  auto usual = both(both(x > c(0.0), x < c(detail::infinity)), abs(y) < c(detail::infinity));
  return repair(negate(usual), magnitude, [&] { return detail::power_special(x, y, magnitude); });
}

// asinh, atanh: odd functions that are w + coefficient w^3 near 0, else log(arg) * factor.
template <class F, class D>
F odd_logarithm(F x, D w, double coefficient, D argument, double factor) {
  D value = wide_log(argument) * literal(w, factor);
  D series = fma(w * w * w, literal(w, coefficient), w);
  return copy_sign(narrow(select(w < literal(w, 0x1p-12), series, value)), x);
}
// Largest error 0.50 ulp, at -0.0151523.
template <class F>
F asinh(F x) {
  auto w = widen(abs(x));
  F value = odd_logarithm(x, w, -1.0 / 6, w + sqrt(fma(w, w, literal(w, 1.0))), 1.0);
  return select(abs(x) < literal(x, detail::infinity), value, x);
}
// Largest error 0.50 ulp, at 1.00514.
template <class F>
F acosh(F x) {
  auto c = [&](double value) { return literal(x, value); };
  auto w = widen(x);
  auto one = literal(w, 1.0);
  F value = narrow(wide_log(w + sqrt((w - one) * (w + one))));
  value = select(x < c(1.0), c(detail::not_a_number), value);
  return select(x < c(detail::infinity), value, x);
}
// Largest error 0.50 ulp, at 0.00768181.
template <class F>
F atanh(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  auto w = widen(a);
  auto one = literal(w, 1.0);
  F value = odd_logarithm(x, w, 1.0 / 3, (one + w) / (one - w), 0.5);
  value = select(a == c(1.0), copy_sign(c(detail::infinity), x), value);
  return select(a <= c(1.0), value, c(detail::not_a_number));
}

// erf: coefficients by Sollya, single precision.
struct Erf {
  // erf(a)/a - 1 in a^2, a <= 0.9, 2^-26.1 of erf
  static constexpr double small[] = {0x1.06eba60000000p-3, -0x1.8126f4p-2, 0x1.ce1d3ep-4,
                                     -0x1.b6b838p-6,       0x1.48558cp-8,  -0x1.3ed77ap-11};
  // log2(erfc(a)) on [0.89, 3.93], error of erfc absolute 2^-26.9
  static constexpr double large[] = {-0x1.ef5288p-13, -0x1.a0887p0, -0x1.d67f7ep-1,
                                     -0x1.33a654p-3,  0x1.07c86p-5, -0x1.21e9fcp-8,
                                     0x1.2bf3f8p-12};
};
// Error function. Largest error 1.20 ulp, at 0.90939.
template <class F>
F erf(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F small = fma(a, detail::polynomial(a * a, Erf::small), a);
  F exponent = detail::polynomial(detail::at_most(a, c(3.93)), Erf::large);
  F shifted = exponent + c(Constants::rounder);
  F r = exponent - (shifted - c(Constants::rounder));
  F rest = detail::scale_normal<Constants>(detail::polynomial(r, Constants::exp2), shifted);
  return copy_sign(select(a >= c(0.9), c(1.0) - rest, small), x);  // NaN takes the polynomial
}
// 1 - erf(x). Largest error 0.63 ulp, at 6.6836.
template <class F>
F erfc(F x) {
  auto w = widen(x);
  auto c = [&](double value) { return literal(w, value); };
  auto a = detail::at_most(abs(w), c(10.5));
  auto u = c(1.0) / (a + c(2.0));
  auto p = detail::polynomial(fma(c(-4.0), u, c(1.0)), Wide::erfc);
  auto value = wide_exp2(a * a * c(-Wide::log2e)) * (u * p);
  value = select(w < c(0.0), c(2.0) - value, value);
  return select(x == x, narrow(value), x);
}

// sin(pi a), a >= 0.
template <class D>
D wide_sin_pi(D a) {
  D n = round_even(a);
  D value = detail::sine_polynomial<Wide>((a - n) * literal(a, Wide::pi));
  return detail::negate_odd<Wide>(value, to_integer(n));
}

// Gamma(a) for a > 0: polynomial in f = a - {0, 1, 2} below 3, then Stirling's formula.
template <class D>
D wide_gamma(D a) {
  auto c = [&](double value) { return literal(a, value); };
  D u = c(1.0) / a;
  auto below_1 = a < c(1.0), below_2 = a < c(2.0);
  D f = a - select(below_1, c(0.0), select(below_2, c(1.0), c(2.0)));
  D factor = select(below_1, u, select(below_2, c(1.0), a - c(1.0)));
  D small = detail::polynomial(f, Wide::gamma) * factor;
  D b = detail::at_most(a, c(60.0));
  D exponent = fma(b - c(0.5), wide_log2(b), b * c(-Wide::log2e));
  D large = wide_exp2(exponent) * (detail::polynomial(u, Wide::stirling) * c(0x1.40d931ff62706p+1));
  return select(a < c(3.0), small, large);
}
// Gamma function; NaN at negative integers. Largest error 0.63 ulp, at -1.88107e-37.
template <class F>
F tgamma(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  auto w = widen(a);
  auto gamma = wide_gamma(w);
  return repair(negate(x > c(0.0)), narrow(gamma), [&] {
    auto reflected = literal(w, -Wide::pi) / (w * wide_sin_pi(w) * gamma);
    F value = narrow(reflected);
    value = select(round_even(x) == x, c(detail::not_a_number), value);
    value = select(x == c(0.0), c(1.0) / x, value);
    return select(x == x, value, x);
  });
}

// log Gamma(a) for a > 0.
template <class D>
D wide_lgamma(D a) {
  auto c = [&](double value) { return literal(a, value); };
  auto below_1 = a < c(1.0), below_2 = a < c(2.0), below_3 = a < c(3.0);
  D argument = select(below_2, c(1.0), select(below_3, a - c(1.0), a));
  D log = wide_log(select(below_1, a, argument));
  D f = a - select(below_1, c(0.0), select(below_2, c(1.0), c(2.0)));
  D small =
      fma(f * (f - c(1.0)), detail::polynomial(f, Wide::log_gamma), select(below_1, -log, log));
  D u = c(1.0) / a;
  D tail = fma(u, detail::polynomial(u * u, Wide::log_stirling), c(0x1.d67f1c864beb5p-1));
  return select(below_3, small, fma(a - c(0.5), log, tail - a));
}
// log |Gamma(x)|. Largest error 0.52 ulp (of 1/4 where the result is smaller), at -3.18023.
template <class F>
F lgamma(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  auto w = widen(a);
  auto positive = wide_lgamma(w);
  auto usual = both(x > c(0.0), x < c(detail::infinity));
  return repair(negate(usual), narrow(positive), [&] {
    auto reflected = wide_log(literal(w, Wide::pi) / (w * abs(wide_sin_pi(w)))) - positive;
    F value = select(either(x == round_even(x), a == c(detail::infinity)), c(detail::infinity),
                     narrow(reflected));
    return select(x == x, value, x);
  });
}

}  // namespace tutti::math::f32
