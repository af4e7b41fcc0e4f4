// pow, error function and gamma function of double precision lanes.
// In, out, invariant: as in f64.hpp, which includes this file.
#pragma once
#include "numerics/math/f64.hpp"

namespace tutti::math::f64 {

struct Special {
  // 2/ln2 (atanh(z)/z - 1 - z^2/3)/z^4 in z^2 <= 0.0295, absolute 2^-54.1, fpminimax of Sollya
  static constexpr double log2[] = {
      0x1.2776c50ef9bfep-1, 0x1.a61762a7ae41dp-2, 0x1.484b13d735f46p-2, 0x1.0c9a84fff8e6ep-2,
      0x1.c68f050bcc799p-3, 0x1.8a061d05d2ad7p-3, 0x1.593b5fa794a8cp-3, 0x1.60390dd76aadbp-3};
  // erf(a)/a - 1 in a^2, a <= 1, 2^-56.3 of erf, fpminimax of Sollya
  static constexpr double erf[] = {
      0x1.06eba8214db68p-3, -0x1.812746b0379fdp-2,  0x1.ce2f21a04360fp-4,  -0x1.b82ce312ab099p-6,
      0x1.565bcd126d384p-8, -0x1.c02db4921a6fep-11, 0x1.f9a3341efe9cep-14, -0x1.f4d31d4e62f0bp-17,
      0x1.b9ed6eb7d4cap-20, -0x1.5f8e2da10cacbp-23, 0x1.fc0be2bcdc5adp-27, -0x1.4525c7fecb4a7p-30,
      0x1.25dda5b0b723ep-34};
  // (a + 4) e^(a^2) erfc(a) in t = (a - 4)/(a + 4) for a in [0.5, 29], 2^-54.1,
  // fpminimax of Sollya
  static constexpr double erfc[] = {
      0x1.18932bf08e154p0,    -0x1.f3fe31ecb49bep-1,  0x1.8be202d26c742p-1,
      -0x1.14eacb1ad03cep-1,  0x1.52cac2370f1e3p-2,   -0x1.645fd8a4b6f6ep-3,
      0x1.38dbd2c918b96p-4,   -0x1.b00c052ed5296p-6,  0x1.908f470c6dce6p-8,
      -0x1.269b4c32e083bp-12, -0x1.dd28404329385p-12, 0x1.72cd66c764a34p-13,
      -0x1.e7ea7381bad7dp-19, -0x1.3c67d0ec6fcedp-16, 0x1.3b0080f9cf49p-18,
      0x1.7d57d1a4aa8a7p-20,  -0x1.c52083ab31532p-21, -0x1.2fc910d01a58bp-24,
      0x1.02a47d2ccc561p-23,  -0x1.7c6363c71bbc4p-29, -0x1.aa6b0fa8b386bp-27,
      0x1.6df740308590bp-30};
  // Gamma(1 + f) on [0, 1], 2^-52.0, Chebyshev interpolation with mpmath
  static constexpr double gamma[] = {
      0x1.ffffffffffffep-1, -0x1.2788cfc6fb0e3p-1, 0x1.fa658c2381522p-1, -0x1.d0a118e819a14p-1,
      0x1.f6a50efb04757p-1, -0x1.f6c7f4b232d4cp-1, 0x1.fc7cb8caaebcap-1, -0x1.fde7ca5c2f62fp-1,
      0x1.feb4c77a7eeecp-1, -0x1.fdd08212e4c20p-1, 0x1.f8e70285c7d92p-1, -0x1.e9c8351cb3b2ap-1,
      0x1.c67f25a66c7a2p-1, -0x1.85ec4d39ad1bap-1, 0x1.28f66191711dcp-1, -0x1.8079fc071dda0p-2,
      0x1.94185a1bacc94p-3, -0x1.46e8c09632fc0p-4, 0x1.7aae796719de0p-6, -0x1.15e06312b55cbp-8,
      0x1.829c7dd24cf5fp-12};
  // Gamma(1/u) / (sqrt(2 pi) u^(1/2 - 1/u) e^(-1/u)) on [0, 1/3], 2^-59.4, likewise
  static constexpr double stirling[] = {
      0x1.0000000000000p+0,   0x1.5555555555550p-4,  0x1.c71c71c726e69p-9,  -0x1.5f7268f1c32f8p-9,
      -0x1.e13cd660894c7p-13, 0x1.9b0f7f4f3325ap-11, 0x1.24ca757da9898p-14, -0x1.371dc0ac99d2bp-11,
      -0x1.3c7c61b091ee3p-15, 0x1.7c38066670030p-11, 0x1.888a4b604d29ep-11, -0x1.3850153036058p-8,
      0x1.039e497d8448dp-7,   -0x1.abdcf3f75f432p-8, 0x1.2cb10e442444ap-9};
  // log Gamma(1 + f) / (f (f - 1)) on [0, 1], 2^-55.1, likewise
  static constexpr double log_gamma[] = {
      0x1.2788cfc6fb619p-1, -0x1.f6465978d4648p-3, 0x1.3e5452047c221p-3,  -0x1.d7a3e6a648e37p-4,
      0x1.79cf9bf908085p-4, -0x1.3cb1f38eba3c3p-4, 0x1.1154f8d1813dbp-4,  -0x1.e17c73cf12eb8p-5,
      0x1.ae62f427a1aa3p-5, -0x1.84ab741538c53p-5, 0x1.605f38da3b662p-5,  -0x1.3cc9c2065f500p-5,
      0x1.141d49782e436p-5, -0x1.c31ec10c0de5ep-6, 0x1.4b35f6d478854p-6,  -0x1.a189e1ed6a7dap-7,
      0x1.ae7dceb58f04dp-8, -0x1.57729bfd3cddfp-9, 0x1.89ca313503b5cp-11, -0x1.1ec262b00556fp-13,
      0x1.8ca55ab6b8718p-17};
  // (log Gamma(a) - (a - 1/2) log a + a - log(2 pi)/2) a in 1/a^2, a >= 3, absolute 2^-54.9
  static constexpr double log_stirling[] = {
      0x1.5555555555553p-4,  -0x1.6c16c16bf5f61p-9,  0x1.a01a00e4cda78p-11, -0x1.3813170ed8d2dp-11,
      0x1.b93261052972dp-11, -0x1.f3dc92bf9c458p-10, 0x1.8f42710053b45p-8,  -0x1.792ff5314fcc4p-6,
      0x1.4d14cfa682fedp-4,  -0x1.a8077887e3cbfp-3,  0x1.0c0234ad52676p-2};
};

// log2 of 2^e (1 + f) to about 2^-64, as a pair: z (C + s (C/3 + s P(s))). There s = z^2, z = f/(2
// + f) and C = 2/ln 2, and all but P are pairs.
template <class F>
detail::Pair<F> log2_pair(detail::Split<F> part) {
  auto c = [&](double value) { return literal(part.f, value); };
  F f = part.f;
  F d = c(2.0) + f, d_low = f - (d - c(2.0));
  F z = f / d;
  F z_low = fma(-z, d_low, fma(-z, d, f)) * fma(c(-0.5), z, c(0.5));  // 1/d = (1 - z)/2
  F s = z * z, s_low = fma(z + z, z_low, fma(z, z, -s));
  auto a = detail::fast_two_sum(c(0x1.ec709dc3a03fdp-1), s * detail::polynomial(s, Special::log2));
  a.lo = a.lo + c(0x1.d27f05548af0cp-55);
  auto b = detail::two_product(s, a.hi);
  b.lo = b.lo + fma(s, a.lo, s_low * a.hi);
  auto sum = detail::fast_two_sum(c(0x1.71547652b82fep+1), b.hi);
  sum.lo = sum.lo + (c(0x1.777d0ffda0d24p-55) + b.lo);
  auto log = detail::two_product(z, sum.hi);
  log.lo = log.lo + fma(z, sum.lo, z_low * sum.hi);
  auto total = detail::fast_two_sum(part.e, log.hi);
  return detail::fast_two_sum(total.hi, total.lo + log.lo);
}

// y times a pair.
template <class F>
detail::Pair<F> times(F y, detail::Pair<F> a) {
  auto product = detail::two_product(y, a.hi);
  return {product.hi, fma(y, a.lo, product.lo)};
}

// 2^(hi + lo) as p 2^n.
template <class F>
struct Scaled {
  F p, shifted;
};
template <class F>
Scaled<F> exp2_pair(detail::Pair<F> v) {
  F shifted = v.hi + literal(v.hi, Constants::rounder);
  F r = (v.hi - (shifted - literal(v.hi, Constants::rounder))) + v.lo;
  return {detail::polynomial(r, Constants::exp2), shifted};
}

// x^y. Largest error 0.85 ulp, at (3.1084e-226, -0.219643).
template <class F>
F pow(F x, F y) {
  auto c = [&](double value) { return literal(x, value); };
  auto exponent = times(y, log2_pair(detail::split<Constants>(x)));
  Scaled<F> power = exp2_pair(exponent);
  auto unusual =
      either(detail::not_positive_normal<Constants>(x), negate(abs(exponent.hi) <= c(1021.0)));
  return repair(unusual, detail::scale_normal<Constants>(power.p, power.shifted), [&] {
    F a = abs(x);
    auto small = a < c(Constants::smallest_normal);
    auto part = detail::split<Constants>(select(small, a * c(Constants::subnormal_scale), a));
    part.e = part.e - select(small, c(Constants::subnormal_shift), c(0.0));
    auto v = times(y, log2_pair(part));
    auto outside = negate(abs(v.hi) < c(1100.0));
    v.lo = select(outside, c(0.0), v.lo);
    v.hi = select(outside, copy_sign(c(1100.0), v.hi), v.hi);
    Scaled<F> any = exp2_pair(v);
    F value = detail::scale_anywhere<Constants>(any.p, detail::integer_of<Constants>(any.shifted));
    return detail::power_special(x, y, value);
  });
}

// erf(a) for 0 <= a <= 1.
template <class F>
F erf_small(F a) {
  return fma(a, detail::polynomial(a * a, Special::erf), a);
}
// Returns erfc(a) as p 2^n for 0.5 <= a <= 29. The exponent a^2 includes its rounding error.
template <class F>
Scaled<F> erfc_large(F a) {
  auto c = [&](double value) { return literal(a, value); };
  auto square = detail::two_product(a, a);
  auto at = detail::reduce_natural<Constants>(-square.hi);
  auto d = detail::two_sum(a, c(4.0));
  F u = c(1.0) / d.hi;
  F error = fma(-u, d.lo, fma(-u, d.hi, c(1.0)));  // 1/(a + 4) = u (1 + error)
  F t = fma(c(-8.0) * u, error, fma(c(-8.0), u, c(1.0)));
  F p = detail::polynomial(t, Special::erfc);
  F e = detail::polynomial(at.r - square.lo, Constants::exp);
  return {e * fma(u * p, error, u * p), at.shifted};
}
// Error function. Largest error 1.16 ulp, at 0.981393.
template <class F>
F erf(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  Scaled<F> rest = erfc_large(detail::at_most(a, c(6.0)));
  F large = c(1.0) - detail::scale_normal<Constants>(rest.p, rest.shifted);
  return copy_sign(select(a >= c(1.0), large, erf_small(a)), x);  // NaN takes the polynomial
}
// 1 - erf(x). Largest error 3.76 ulp, at 26.0048.
template <class F>
F erfc(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  Scaled<F> rest = erfc_large(detail::at_most(a, c(28.0)));
  F fast = detail::scale_normal<Constants>(rest.p, rest.shifted);
  F large = repair(a > c(26.0), fast, [&] {
    return detail::scale_anywhere<Constants>(rest.p, detail::integer_of<Constants>(rest.shifted));
  });
  large = select(x < c(0.0), c(2.0) - large, large);
  return select(a >= c(0.5), large, c(1.0) - copy_sign(erf_small(a), x));
}

// sin(pi a), a >= 0.
template <class F>
F sin_pi(F a) {
  F n = round_even(a);
  F value = detail::sine_polynomial<Constants>((a - n) * literal(a, Constants::pi[0]));
  return detail::negate_odd<Constants>(value, to_integer(n));
}

// Gamma function; NaN at negative integers. Polynomial in f = a - {0, 1, 2} below 3, then
// Stirling's formula with its exponent in pairs. Largest error 5.28 ulp, at -170.344.
template <class F>
F tgamma(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x), b = detail::at_most(a, c(190.0));
  auto below_1 = a < c(1.0), below_2 = a < c(2.0), below_3 = a < c(3.0);
  F f = b - select(below_1, c(0.0), select(below_2, c(1.0), c(2.0)));
  F small = detail::polynomial(f, Special::gamma);
  small = small * select(below_2, c(1.0), b - c(1.0));
  auto rise = times(b - c(0.5), log2_pair(detail::split<Constants>(b)));
  auto fall = times(b, detail::Pair<F>{c(0x1.71547652b82fep+0), c(0x1.777d0ffda0d24p-56)});
  auto v = detail::two_sum(rise.hi, -fall.hi);
  v.lo = v.lo + (rise.lo - fall.lo);
  Scaled<F> power = exp2_pair(v);
  F stirling = detail::polynomial(c(1.0) / b, Special::stirling) * c(0x1.40d931ff62706p+1);
  F p = select(below_3, small, power.p * stirling);  // below 1: Gamma(1 + a)
  auto n = detail::integer_of<Constants>(select(below_3, c(Constants::rounder), power.shifted));
  F value = detail::scale_anywhere<Constants>(p, n) / select(below_1, a, c(1.0));
  return repair(negate(x > c(0.0)), value, [&] {
    F sine = sin_pi(a) * select(below_1, c(1.0), b);
    F reflected = detail::scale_anywhere<Constants>(c(-Constants::pi[0]) / (sine * p),
                                                    subtract(literal(n, 0), n));
    reflected = select(round_even(x) == x, c(detail::not_a_number), reflected);
    reflected = select(x == c(0.0), c(1.0) / x, reflected);
    return select(x == x, reflected, x);
  });
}

// log Gamma(a) for a > 0.
template <class F>
F lgamma_positive(F a) {
  auto c = [&](double value) { return literal(a, value); };
  auto below_1 = a < c(1.0), below_2 = a < c(2.0), below_3 = a < c(3.0);
  F argument = select(below_2, c(1.0), select(below_3, a - c(1.0), a));
  F log = f64::log(select(below_1, a, argument));
  F f = a - select(below_1, c(0.0), select(below_2, c(1.0), c(2.0)));
  F small =
      fma(f * (f - c(1.0)), detail::polynomial(f, Special::log_gamma), select(below_1, -log, log));
  F u = c(1.0) / a;
  F tail = fma(u, detail::polynomial(u * u, Special::log_stirling), c(0x1.d67f1c864beb5p-1));
  F large = fma(a - c(0.5), log - c(1.0), tail - c(0.5));
  return select(below_3, small, large);
}
// log |Gamma(x)|. Largest error 4.55 ulp (of 1 where the result is smaller), at -4.97569.
template <class F>
F lgamma(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F positive = lgamma_positive(a);
  auto usual = both(x > c(0.0), x < c(detail::infinity));
  return repair(negate(usual), positive, [&] {
    F sine = abs(sin_pi(a));
    F reflected = (c(0x1.250d048e7a1bdp+0) - f64::log(a) - f64::log(sine)) - positive;
    reflected = select(a < c(0x1p-60), positive, reflected);  // pi a would be subnormal
    F value = select(either(x == round_even(x), a == c(detail::infinity)), c(detail::infinity),
                     reflected);
    return select(x == x, value, x);
  });
}

}  // namespace tutti::math::f64
