// Helpers of the elementary functions: polynomials, sums and products with their rounding error,
// splitting and scaling floats, reduction of huge angles.
// In: lanes (lanes.hpp). A parameter T (f32::Constants or f64::Constants) names their format. Out:
// lanes. Invariant: no branch on a lane; rare cases are handled by repair(). Nothing here relies on
// contraction: every fused operation is written fma().
#pragma once
#include <cstddef>
#include <limits>

#include "numerics/math/lanes.hpp"

namespace tutti::math::detail {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The unevaluated sum hi + lo, |lo| at most about an ulp of hi.
template <class F>
struct Pair {
  F hi, lo;
};

// c[0] + c[1] x + c[2] x^2 + ... by Horner's rule.
template <class F, std::size_t N>
F polynomial(F x, const double (&c)[N]) {
  F sum = literal(x, c[N - 1]);
  for (std::size_t i = N - 1; i-- > 0;) sum = fma(sum, x, literal(x, c[i]));
  return sum;
}

// a + b exactly; the fast form needs |a| >= |b| or a == 0.
template <class F>
Pair<F> two_sum(F a, F b) {
  F sum = a + b;
  F part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
template <class F>
Pair<F> fast_two_sum(F a, F b) {
  F sum = a + b;
  return {sum, b - (sum - a)};
}
// a * b exactly (as long as nothing underflows).
template <class F>
Pair<F> two_product(F a, F b) {
  F product = a * b;
  return {product, fma(a, b, -product)};
}

// Returns the smaller of both, or NaN where a is NaN.
template <class F>
F at_most(F a, F limit) {
  return select(a > limit, limit, a);
}

template <class F>
auto sign_bit(F x) {
  auto bits = to_bits(x);
  return bits < literal(bits, 0);
}

// Adding T::rounder to a value of moderate size rounds it to an integer n: the low bits of the sum
// are those of n. `shifted` below is always such a sum.
template <class T, class F>
auto integer_of(F shifted) {
  return subtract(to_bits(shifted), to_bits(literal(shifted, T::rounder)));
}

// 2^n as a float; n within the normal exponents.
template <class T, class I>
auto power_of_two(I n) {
  return from_bits(shift_left(add(n, literal(n, T::bias)), T::mantissa_bits));
}

// p 2^n for any n whose half is a normal exponent: two factors, so that only the last step rounds.
template <class T, class F, class I>
F scale_anywhere(F p, I n) {
  I half = shift_right(n, 1);
  return p * power_of_two<T>(half) * power_of_two<T>(subtract(n, half));
}

// p 2^n where the result is a normal number: an addition to the exponent.
template <class T, class F>
F scale_normal(F p, F shifted) {
  return from_bits(add(to_bits(p), shift_left(to_bits(shifted), T::mantissa_bits)));
}

// p 2^n, n from `shifted`, for the exponential of x: normal results for |x| <= usual, zero below
// `low`, infinite above `high`, NaN through p.
template <class T, class F>
F scale_exponential(F x, F p, F shifted, double usual, double low, double high) {
  return repair(negate(abs(x) <= literal(x, usual)), scale_normal<T>(p, shifted), [&] {
    F value = scale_anywhere<T>(p, integer_of<T>(shifted));
    value = select(x > literal(x, high), literal(x, infinity), value);
    return select(x < literal(x, low), literal(x, 0.0), value);
  });
}

// x = 2^e (1 + f) for a positive normal x; 1 + f lies in [T::split, 2 T::split).
template <class F>
struct Split {
  F e, f;
};
template <class T, class F>
Split<F> split(F x) {
  auto bits = to_bits(x);
  auto e = shift_right(subtract(bits, to_bits(literal(x, T::split))), T::mantissa_bits);
  F m = from_bits(subtract(bits, shift_left(e, T::mantissa_bits)));
  return {to_floating(e), m - literal(x, 1.0)};
}

// Returns whether x is not a positive normal number: one comparison of bits, offset to unsigned.
template <class T, class F>
auto not_positive_normal(F x) {
  auto bits = to_bits(x);
  auto first = to_bits(literal(x, T::smallest_normal));
  auto count = subtract(to_bits(literal(x, infinity)), first);
  auto offset = literal(bits, std::numeric_limits<int64_t>::min() >> (63 - T::sign_position));
  return add(subtract(bits, first), offset) >= add(count, offset);
}

// A logarithm from finish(Split): -inf at 0, NaN below, subnormal numbers scaled.
template <class T, class F, class Finish>
F logarithm(F x, Finish finish) {
  return repair(not_positive_normal<T>(x), finish(split<T>(x)), [&] {
    auto c = [&](double value) { return literal(x, value); };
    auto small = x < c(T::smallest_normal);
    Split<F> parts = split<T>(select(small, x * c(T::subnormal_scale), x));
    parts.e = parts.e - select(small, c(T::subnormal_shift), c(0.0));
    F value = select(x == c(0.0), c(-infinity), finish(parts));
    value = select(x < c(0.0), c(not_a_number), value);
    return select(negate(x < c(infinity)), x, value);
  });
}

// 2^512/pi in pieces of 53 bits, each an exact double; computed with mpmath.
inline constexpr double inverse_pi_pieces[] = {
    0x1.45f306dc9c882p+510, 0x1.4a7f09d5f47d4p+457, 0x1.a6ee06db14accp+404, 0x1.3c439041fe516p+351,
    0x1.d5ef5de2b0db8p+296, 0x1.2371d2126e970p+244, 0x1.924bba8274600p+185, 0x1.21cfe1deb1cb0p+139,
    0x1.29a73ee88235fp+87,  0x1.4baed1213a670p+33,  0x1.c09ad17df904ep-19,  0x1.91d639835339ep-73,
    0x1.49c845f8bbdf9p-125, 0x1.41d8ffc4bffecp-180, 0x1.816603fbcbc46p-231, 0x1.6b414da3eda6cp-286,
    0x1.fb3c9f2c26dd0p-339, 0x1.e8c7ecd3cbfd4p-390, 0x1.6ba93dd63f5f2p-444, 0x1.f17b3d0739f78p-497,
    0x1.4a525d4d7f6bep-550, 0x1.623f1aba10ac0p-602, 0x1.98237e3db5d5ep-656};

template <class F, class I>
struct Angle {
  F hi, lo;  // the angle less n steps, |hi| at most half a step
  I n;       // if it is large, only its parity is meaningful
};

// Returns x + phase pi, x a positive double (lanes), minus the nearest multiple of pi / steps. It
// sums exact products of x with the relevant pieces of 1/pi in three words. Pieces that give
// multiples of 2 are skipped, those beyond 2^-103 of the first are dropped. Needs x >= 1; otherwise
// the result is wrong but harmless.
template <class F>
auto reduce_huge_angle(F x, double phase, double steps) {
  auto c = [&](double value) { return literal(x, value); };
  F scaled = x * c(0x1p-512);
  F ulp_exponent =
      to_floating(subtract(shift_right_logical(to_bits(x), 52), literal(to_bits(x), 1075)));
  F first = round_down((ulp_exponent - c(0.5)) * c(1.0 / 53));
  first = select(first > c(0.0), at_most(first, c(18.0)), c(0.0));
  auto index = to_integer(first);
  F high = c(phase), middle = c(0.0), low = c(0.0);
  auto accumulate = [&](F term) {
    Pair<F> a = two_sum(high, term);
    Pair<F> b = two_sum(middle, a.lo);
    high = a.hi;
    middle = b.hi;
    low = low + b.lo;
  };
  auto modulo_2 = [&](F term) { return term - c(2.0) * round_even(term * c(0.5)); };
  for (int i = 0; i < 5; ++i) {
    Pair<F> term = two_product(scaled, lookup(inverse_pi_pieces, add(index, literal(index, i))));
    accumulate(i < 2 ? modulo_2(term.hi) : term.hi);
    accumulate(i < 2 ? modulo_2(term.lo) : term.lo);
  }
  F n = round_even(high * c(steps));
  Pair<F> turn = two_sum(high - n * c(1 / steps), middle);
  turn = two_sum(turn.hi, turn.lo + low);
  Pair<F> angle = two_product(turn.hi, c(0x1.921fb54442d18p+1));
  angle.lo = angle.lo + fma(turn.lo, c(0x1.921fb54442d18p+1), turn.hi * c(0x1.1a62633145c07p-53));
  angle = fast_two_sum(angle.hi, angle.lo);
  auto integer = to_integer(n);
  return Angle<F, decltype(integer)>{angle.hi, angle.lo, integer};
}

}  // namespace tutti::math::detail
