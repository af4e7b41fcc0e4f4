// Elementary functions whose method does not depend on the precision; the constants T do.
// In: lanes of the format of T (f32::Constants, f64::Constants). Out: lanes.
// Invariant: special values as in C99 Annex F. The public names are in f32.hpp and f64.hpp, with
// the error of each.
#pragma once
#include "numerics/math/common.hpp"

namespace tutti::math::detail {

// e^x = 2^n e^r with n = round(x / ln 2); base 10 likewise.
template <class F>
struct Exponent {
  F shifted, r;
};
template <class T, class F>
Exponent<F> reduce_exponent(F x, double inverse, double step_hi, double step_lo) {
  F shifted = fma(x, literal(x, inverse), literal(x, T::rounder));
  F n = shifted - literal(x, T::rounder);
  F r = fma(n, literal(x, -step_lo), fma(n, literal(x, -step_hi), x));
  return {shifted, r};
}
template <class T, class F>
Exponent<F> reduce_natural(F x) {
  return reduce_exponent<T>(x, 0x1.71547652b82fep+0, T::ln2_hi, T::ln2_lo);
}

template <class T, class F>
F exponential(F x) {
  Exponent<F> at = reduce_natural<T>(x);
  F p = polynomial(at.r, T::exp);
  return scale_exponential<T>(x, p, at.shifted, T::exp_usual, T::exp_low, T::exp_high);
}

template <class T, class F>
F exponential_2(F x) {
  F shifted = x + literal(x, T::rounder);
  F p = polynomial(x - (shifted - literal(x, T::rounder)), T::exp2);
  return scale_exponential<T>(x, p, shifted, T::bias - 1, -T::bias - T::mantissa_bits - 3,
                              T::bias + 1);
}

template <class T, class F>
F exponential_10(F x) {
  Exponent<F> at = reduce_exponent<T>(x, 0x1.a934f0979a371p+1, T::log10_2_hi, T::log10_2_lo);
  F p = polynomial(at.r, T::exp10);
  return scale_exponential<T>(x, p, at.shifted, T::exp10_usual, T::exp10_low, T::exp10_high);
}

// e^x - 1 = 2^n (e^r - 1) + (2^n - 1).
template <class T, class F>
F exponential_minus_1(F x) {
  auto c = [&](double value) { return literal(x, value); };
  Exponent<F> at = reduce_natural<T>(x);
  F p = fma(at.r * at.r, polynomial(at.r, T::expm1), at.r);
  F power = power_of_two<T>(integer_of<T>(at.shifted));
  F fast = copy_sign(fma(power, p, power - c(1.0)), x);
  return repair(negate(abs(x) <= c(T::exp_usual)), fast,
                [&] { return exponential<T>(x) - c(1.0); });
}

// log(1 + x) = e ln 2 + log(1 + f) with 1 + f = 2^-e (1 + x) rounded once.
template <class T, class F, class Finish>
F logarithm_plus_1(F x, Finish finish) {
  auto c = [&](double value) { return literal(x, value); };
  auto usual = both(x > c(-1.0), x < c(0.25 / T::smallest_normal));
  F u = x + c(1.0);
  auto bits = to_bits(u);
  auto e = shift_right(subtract(bits, to_bits(c(T::split))), T::mantissa_bits);
  F scale = power_of_two<T>(subtract(literal(e, 0), e));
  F f = fma(x, scale, scale - c(1.0));
  return repair(negate(usual), copy_sign(finish(Split<F>{to_floating(e), f}), x), [&] {
    F value = select(x == c(-1.0), c(-infinity), finish(split<T>(x)));  // log(1 + x) is log x
    value = select(x < c(-1.0), c(not_a_number), value);
    return select(negate(x < c(infinity)), select(x < c(-1.0), value, x), value);
  });
}

// sin(r) for |r| up to a little over pi/2.
template <class T, class F>
F sine_polynomial(F r) {
  F s = r * r;
  return fma(r * s, polynomial(s, T::sin), r);
}

// Negates x where n is odd.
template <class T, class F, class I>
F negate_odd(F x, I n) {
  return from_bits(to_bits(x) ^ shift_left(n, T::sign_position));
}

// sin: |x| = n pi + r. One polynomial on [-pi/2, pi/2] costs less than two on half of it. The
// subtraction of n pi_1 is exact. Using |x| preserves the sign of zero.
template <class T, class F>
F sine(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F shifted = fma(a, c(0x1.45f306dc9c883p-2), c(T::rounder));
  F n = shifted - c(T::rounder);
  F r = fma(n, c(-T::pi[2]), fma(n, c(-T::pi[1]), fma(n, c(-T::pi[0]), a)));
  auto with_sign_of_x = [&](F value) {
    auto bits = to_bits(x);
    return from_bits(to_bits(value) ^ (bits & shift_left(literal(bits, 1), T::sign_position)));
  };
  F fast = with_sign_of_x(negate_odd<T>(sine_polynomial<T>(r), to_bits(shifted)));
  return repair(negate(a <= c(T::angle_limit)), fast, [&] {
    auto angle = T::reduce_huge(a, 0.0, 1.0);
    F value = with_sign_of_x(negate_odd<T>(sine_polynomial<T>(angle.hi), angle.n));
    return select(a < c(infinity), value, c(not_a_number));
  });
}

// cos(x) = (-1)^n sin((n + 1/2) pi - |x|).
template <class T, class F>
F cosine(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F shifted = fma(a, c(0x1.45f306dc9c883p-2), c(-0.5)) + c(T::rounder);
  F n = (shifted - c(T::rounder)) + c(0.5);
  F r = fma(n, c(T::pi[2]), fma(n, c(T::pi[1]), fma(n, c(T::pi[0]), -a)));
  F fast = negate_odd<T>(sine_polynomial<T>(r), to_bits(shifted));
  return repair(negate(a <= c(T::angle_limit)), fast, [&] {
    auto angle = T::reduce_huge(a, -0.5, 1.0);
    F value = negate_odd<T>(sine_polynomial<T>(-angle.hi), angle.n);
    return select(a < c(infinity), value, c(not_a_number));
  });
}

// tan(r + correction) for |r| up to a little over pi/4, or where n is odd -1/tan.
template <class T, class F, class I>
F tangent_polynomial(F r, F correction, I n) {
  F s = r * r;
  F t = r + fma(r * s, polynomial(s, T::tan), fma(correction, s, correction));
  return select((n & literal(n, 1)) == literal(n, 0), t, literal(r, -1.0) / t);
}

template <class T, class F>
F tangent(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F shifted = fma(a, c(0x1.45f306dc9c883p-1), c(T::rounder));
  F n = shifted - c(T::rounder);
  F r1 = fma(n, c(-T::pi[0] / 2), a);
  Pair<F> second = two_product(n, c(T::pi[1] / 2));
  Pair<F> r = two_sum(r1, -second.hi);
  F correction = r.lo - fma(n, c(T::pi[2] / 2), second.lo);
  auto with_sign_of_x = [&](F value) {
    auto bits = to_bits(x);
    return from_bits(to_bits(value) ^ (bits & shift_left(literal(bits, 1), T::sign_position)));
  };
  F fast = with_sign_of_x(tangent_polynomial<T>(r.hi, correction, to_bits(shifted)));
  return repair(negate(a <= c(T::angle_limit)), fast, [&] {
    auto angle = T::reduce_huge(a, 0.0, 2.0);
    F value = with_sign_of_x(tangent_polynomial<T>(angle.hi, angle.lo, angle.n));
    return select(a < c(infinity), value, c(not_a_number));
  });
}

// asin and acos of a = |x|. Below 1/2 it is the series in z = a. Above it is that in z = sqrt((1 -
// a)/2), where asin a = pi/2 - 2 asin z. The result is z + tail for asin z. NaN beyond 1, through
// sqrt.
template <class F, class M>
struct ArcSine {
  F z, tail;
  M small;
};
template <class T, class F>
auto arc_sine_parts(F a) {
  auto small = a < literal(a, 0.5);
  F s = select(small, a * a, (literal(a, 1.0) - a) * literal(a, 0.5));
  F z = select(small, a, sqrt(s));
  return ArcSine<F, decltype(small)>{z, z * s * polynomial(s, T::asin), small};
}

template <class T, class F>
F arc_sine(F x) {
  auto c = [&](double value) { return literal(x, value); };
  auto part = arc_sine_parts<T>(abs(x));
  Pair<F> rest = fast_two_sum(c(T::pi[0] / 4), -part.z);
  F large = rest.hi - (part.tail - (rest.lo + c(T::pi[1] / 4)));
  return copy_sign(select(part.small, part.z + part.tail, large + large), x);
}

template <class T, class F>
F arc_cosine(F x) {
  auto c = [&](double value) { return literal(x, value); };
  auto part = arc_sine_parts<T>(abs(x));
  F near_0 = c(T::pi[0] / 2) - (copy_sign(part.z, x) - (c(T::pi[1] / 2) - copy_sign(part.tail, x)));
  F near_1 = part.z + part.tail;
  F near_minus_1 = (c(T::pi[0] / 2) - part.z) - (part.tail - c(T::pi[1] / 2));
  F large = select(x < c(0.0), near_minus_1, near_1);
  return select(part.small, near_0, large + large);
}

// atan(t) for t in [0, 1].
template <class T, class F>
F arc_tangent_polynomial(F t) {
  F s = t * t;
  return fma(t * s, polynomial(s, T::atan), t);
}

template <class T, class F>
F arc_tangent(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  auto large = a > c(1.0);
  F p = arc_tangent_polynomial<T>(select(large, c(1.0) / a, a));
  return copy_sign(select(large, c(T::pi[0] / 2) - (p - c(T::pi[1] / 2)), p), x);
}

template <class T, class F>
F arc_tangent_2(F y, F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x), b = abs(y);
  auto steep = b > a;
  F small = select(steep, a, b), big = select(steep, b, a);
  F ratio = small / select(big == c(0.0), c(1.0), big);
  ratio = select(both(small == c(infinity), big == c(infinity)), c(1.0), ratio);
  F p = arc_tangent_polynomial<T>(ratio);
  p = select(steep, c(T::pi[0] / 2) - (p - c(T::pi[1] / 2)), p);
  p = select(sign_bit(x), c(T::pi[0]) - (p - c(T::pi[1])), p);
  return copy_sign(p, y);
}

// e^a / 2 for 0 <= a <= T::sinh_high, the largest argument with a finite result.
template <class T, class F>
F half_exponential(F a) {
  Exponent<F> at = reduce_natural<T>(a);
  return scale_normal<T>(polynomial(at.r, T::exp), at.shifted - literal(a, 1.0));
}

template <class T, class F>
F hyperbolic_sine(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x), s = x * x;
  F half = half_exponential<T>(a);
  F large = select(a <= c(T::sinh_high), half - c(0.25) / half, a * c(infinity));
  F small = fma(a * s, polynomial(s, T::sinh), a);
  return copy_sign(select(a >= c(1.0), large, small), x);
}

template <class T, class F>
F hyperbolic_cosine(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F half = half_exponential<T>(a);
  return select(a <= c(T::sinh_high), half + c(0.25) / half, a + c(infinity));
}

// tanh a = 1 - 2 / (e^2a + 1); odd polynomial where that would cancel.
template <class T, class F>
F hyperbolic_tangent(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x), s = x * x;
  F b = at_most(a, c(T::tanh_high));
  F shifted = fma(b, c(0x1.71547652b82fep+1), c(T::rounder));
  F r = fma(b, c(0x1.71547652b82fep+1), c(T::rounder) - shifted);
  F large = c(1.0) - c(2.0) / (scale_normal<T>(polynomial(r, T::exp2), shifted) + c(1.0));
  F small = fma(a * s, polynomial(s, T::tanh), a);
  return copy_sign(select(a >= c(0.55), large, small), x);  // NaN takes the polynomial
}

// cbrt: y approximates a^(-1/3), first from the bits (3.5 %), then by series in h = 1 - a y^3; the
// last step corrects a y^2 by its residual.
template <class T, class F>
F cube_root_positive(F a) {
  auto c = [&](double value) { return literal(a, value); };
  auto bits = to_bits(a);
  auto third = to_integer(to_floating(bits) * c(1.0 / 3));
  F y = from_bits(subtract(literal(bits, T::cube_root_seed), third));
  for (int i = 0; i < T::cube_root_steps; ++i) {
    F h = fma(-(a * y), y * y, c(1.0));
    y = fma(y * h, fma(h, fma(h, c(14.0 / 81), c(2.0 / 9)), c(1.0 / 3)), y);
  }
  F square = y * y;
  F root = a * square;
  return fma(fma(-(root * root), root, a), square * c(1.0 / 3), root);
}

template <class T, class F>
F cube_root(F x) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x);
  F value = repair(not_positive_normal<T>(a), cube_root_positive<T>(a), [&] {
    auto small = a < c(T::smallest_normal);
    F root = cube_root_positive<T>(select(small, a * c(0x1p60), a));
    root = select(small, root * c(0x1p-20), root);
    return select(both(a > c(0.0), a < c(infinity)), root, a);
  });
  return copy_sign(value, x);
}

// sqrt(x^2 + y^2); scaled by T::shrink or T::grow where a square would leave the normal range.
template <class T, class F>
F hypotenuse(F x, F y) {
  auto c = [&](double value) { return literal(x, value); };
  F sum = fma(x, x, y * y);
  auto usual = both(sum >= c(T::square_low), sum <= c(T::square_high));
  return repair(negate(usual), sqrt(sum), [&] {
    F a = abs(x), b = abs(y);
    auto huge = negate(sum <= c(T::square_high));
    F scale = select(huge, c(T::shrink), c(T::grow));
    F back = select(huge, c(1 / T::shrink), c(1 / T::grow));
    F u = a * scale, v = b * scale;
    F value = sqrt(fma(u, u, v * v)) * back;
    return select(either(a == c(infinity), b == c(infinity)), c(infinity), value);
  });
}

// C's round(): to nearest, halves away from zero.
template <class F>
F round_away(F x) {
  F t = round_to_zero(x);
  return select(abs(x - t) >= literal(x, 0.5), t + copy_sign(literal(x, 1.0), x), t);
}

// One step of fmod for a, b >= 0: the result is congruent to a modulo b, and 2^52 (2^23) times
// smaller than a, or at most b in size. It is exact: the quotient is rounded, but quotient * b
// differs from a by few enough bits.
template <class F>
F remainder_step(F a, F b) {
  return fma(-round_to_zero(a / b), b, a);
}

// Computes fmod by slow(a, b), which may be off by b, for |x| / |y| >= T::quotient_limit.
template <class T, class F, class Slow>
F floating_modulo(F x, F y, Slow slow) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x), b = abs(y);
  auto finish = [&](F rest) {
    rest = select(rest < c(0.0), rest + b, rest);
    return copy_sign(select(a < b, a, rest), x);
  };
  F quotient = a / b;
  auto usual = quotient < c(T::quotient_limit);  // false for 0/0, inf/inf and NaN
  return repair(negate(usual), finish(remainder_step(a, b)), [&] {
    auto defined = both(b > c(0.0), a < c(infinity));
    F value = finish(slow(a, b));
    return select(defined, value, c(not_a_number));
  });
}

// Applies pow's table of special values (C99 F.9.4.4) to magnitude = |x|^y, which is right for
// ordinary |x| and y.
template <class F>
F power_special(F x, F y, F magnitude) {
  auto c = [&](double value) { return literal(x, value); };
  F a = abs(x), half = y * c(0.5);
  auto integer = round_to_zero(y) == y;
  auto odd = both(integer, round_to_zero(half) != half);
  F decreasing = select(y < c(0.0), c(infinity), c(0.0));
  F increasing = select(y < c(0.0), c(0.0), c(infinity));
  magnitude = select(a == c(0.0), decreasing, magnitude);
  magnitude = select(a == c(infinity), increasing, magnitude);
  F limit = select(a < c(1.0), decreasing, increasing);
  magnitude = select(abs(y) == c(infinity), select(a == c(1.0), a, limit), magnitude);
  F value = select(both(sign_bit(x), odd), -magnitude, magnitude);
  value = select(both(both(x < c(0.0), a < c(infinity)), negate(integer)), c(not_a_number), value);
  value = select(either(x != x, y != y), c(not_a_number), value);
  return select(either(x == c(1.0), y == c(0.0)), c(1.0), value);
}

}  // namespace tutti::math::detail
