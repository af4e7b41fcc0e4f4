// Functions of complex numbers, put together from functions of their parts. The formulas for
// inverse functions are those of W. Kahan, "Branch cuts for complex elementary functions", 1987:
// they keep the sign of zeros, so that each side of a branch cut has its own values.
#include "tutti/complex_functions.hpp"

#include <limits>
#include <numbers>

#include "api/array/complex_term.hpp"

namespace tutti::detail {
namespace {

Term abs(const Term& a) { return apply_op(Op::abs, a); }
Term sqrt(const Term& a) { return apply_op(Op::sqrt, a); }
Term exp(const Term& a) { return apply_op(Op::exp, a); }
Term log(const Term& a) { return apply_op(Op::log, a); }
Term log1p(const Term& a) { return apply_op(Op::log1p, a); }
Term sin(const Term& a) { return apply_op(Op::sin, a); }
Term cos(const Term& a) { return apply_op(Op::cos, a); }
Term sinh(const Term& a) { return apply_op(Op::sinh, a); }
Term cosh(const Term& a) { return apply_op(Op::cosh, a); }
Term asinh(const Term& a) { return apply_op(Op::asinh, a); }
Term copysign(const Term& a, const Term& sign) { return apply_op(Op::copysign, a, sign); }
Term atan2(const Term& y, const Term& x) { return apply_op(Op::atan2, y, x); }
Term hypot(const Term& x, const Term& y) { return apply_op(Op::hypot, x, y); }
Term maximum(const Term& a, const Term& b) { return apply_op(Op::max, a, b); }
Term minimum(const Term& a, const Term& b) { return apply_op(Op::min, a, b); }
Term is_infinite(const Term& a) { return apply_op(Op::is_inf, a); }
Term is_nan(const Term& a) { return apply_op(Op::is_nan, a); }
Term is_finite(const Term& a) { return apply_op(Op::is_finite, a); }
Term inverted(const Term& flags) { return apply_op(Op::logical_not, flags); }
Term infinity_like(const Term& a) {
  return number_like(a, std::numeric_limits<double>::infinity());
}
Term has_infinity(const ComplexTerm& a) { return is_infinite(a.real) || is_infinite(a.imag); }
// Returns whether the real part is infinite and the angle unknown.
Term has_no_angle(const ComplexTerm& a) {
  return is_infinite(a.real) && inverted(is_finite(a.imag));
}

struct Limits {
  double large, small;  // magnitudes beyond which squares and sums of parts lose digits
};
Limits limits_of(const Term& a) {
  return a.type() == ElementType::f32 ? Limits{1e37, 1e-35} : Limits{1e307, 1e-290};
}

// Returns a product that is 0 where the first factor is, even if the other is infinite.
Term times_zero_wins(const Term& zero, const Term& other) {
  return choose(zero == 0, zero * copysign(number_like(other, 1), other), zero * other);
}

ComplexTerm plus_one(const ComplexTerm& a) { return {a.real + 1.0, a.imag}; }
ComplexTerm one_minus(const ComplexTerm& a) {
  return {number_like(a.real, 1) - a.real, negated(a.imag)};
}
// a times i, and a divided by i.
ComplexTerm turned(const ComplexTerm& a) { return {negated(a.imag), a.real}; }
ComplexTerm turned_back(const ComplexTerm& a) { return {a.imag, negated(a.real)}; }

// Returns the logarithm of the absolute value. Near 1 the square minus 1 is computed without
// rounding it to 1 first.
Term log_abs(const ComplexTerm& a) {
  const Term x = abs(a.real), y = abs(a.imag);
  const Term more = maximum(x, y), less = minimum(x, y);
  const Term near_one = log1p((more - 1.0) * (more + 1.0) + less * less) * 0.5;
  const Term large = log(hypot(x * 0.25, y * 0.25)) + 2 * std::numbers::ln2;
  const Term far = choose(more > limits_of(x).large, large, log(hypot(x, y)));
  return choose(more > 0.5 && more < 1.5 && less < 1.0, near_one, far);
}

ComplexTerm complex_log(const ComplexTerm& a) { return {log_abs(a), atan2(a.imag, a.real)}; }

// e to the real part, times the sine of the other one.
Term exp_times_sine(const ComplexTerm& a) {
  const Term vanishes = has_no_angle(a) && a.real < 0;
  const Term sine = choose(vanishes, number_like(a.real, 0), exp(a.real) * sin(a.imag));
  return choose(a.imag == 0, a.imag, sine);
}

ComplexTerm complex_exp(const ComplexTerm& a) {
  const Term length = exp(a.real);
  return {choose(has_no_angle(a), length, length * cos(a.imag)), exp_times_sine(a)};
}

ComplexTerm complex_sqrt(const ComplexTerm& given) {
  // Numbers near the ends of the range are scaled by a power of 4.
  const Term size = maximum(abs(given.real), abs(given.imag));
  const Limits limits = limits_of(size);
  const Term large = size > limits.large, small = size < limits.small;
  const Term one = number_like(size, 1);
  const double up = given.real.type() == ElementType::f32 ? 0x1p24 : 0x1p54;
  const Term factor =
      choose(large, number_like(size, 0.0625), choose(small, number_like(size, up), one));
  const Term back = choose(
      large, number_like(size, 4),
      choose(small, number_like(size, given.real.type() == ElementType::f32 ? 0x1p-12 : 0x1p-27),
             one));
  const ComplexTerm a = scaled(given, factor);
  const Term t = sqrt((hypot(a.real, a.imag) + abs(a.real)) * 0.5);
  const Term other = choose(t == 0, t, abs(a.imag) / (t + t));
  const Term right = a.real >= 0;
  const ComplexTerm root{choose(right, t, other), copysign(choose(right, other, t), a.imag)};
  const Term infinite = is_infinite(given.imag);
  return {choose(infinite, abs(given.imag), root.real * back),
          choose(infinite, given.imag, root.imag * back)};
}

ComplexTerm complex_sinh(const ComplexTerm& a) {
  const Term real = times_zero_wins(sinh(a.real), cos(a.imag));
  return {choose(has_no_angle(a), a.real, real), times_zero_wins(sin(a.imag), cosh(a.real))};
}
ComplexTerm complex_cosh(const ComplexTerm& a) {
  const Term sine = sin(a.imag), slope = sinh(a.real);
  const Term real = cosh(a.real) * cos(a.imag);
  return {choose(has_no_angle(a), abs(a.real), real),
          choose(sine == 0, times_zero_wins(sine, slope), times_zero_wins(slope, sine))};
}

ComplexTerm complex_tanh(const ComplexTerm& a) {
  const Term t = apply_op(Op::tan, a.imag), s = sinh(a.real);
  const Term beta = t * t + 1.0, rho = sqrt(s * s + 1.0), divisor = beta * s * s + 1.0;
  const ComplexTerm near{choose(a.real == 0, a.real, beta * rho * s / divisor),
                         choose(a.imag == 0, a.imag, t / divisor)};
  const Term size = abs(a.real);
  const Term decay = exp(negated(size)) * 2.0;
  const Term unknown = has_no_angle(a), one = number_like(size, 1);
  const Term slope = times_zero_wins(sin(a.imag) * cos(a.imag), decay * decay);
  const ComplexTerm far{
      copysign(choose(unknown || is_finite(a.imag), one, a.imag - a.imag), a.real),
      choose(is_infinite(a.real), copysign(number_like(size, 0), a.imag), slope)};
  return choose(size > 20.0, far, near);
}

// Large numbers: the inverse functions are logarithms of twice their size there.
Term is_large(const ComplexTerm& a) {
  return maximum(abs(a.real), abs(a.imag)) > limits_of(a.real).large * 0.1;
}
Term log_of_double(const ComplexTerm& a) { return log_abs(a) + std::numbers::ln2; }

ComplexTerm complex_asin(const ComplexTerm& a) {
  const ComplexTerm below = complex_sqrt(one_minus(a)), above = complex_sqrt(plus_one(a));
  const Term product = (below * above).real;
  const Term real = atan2(a.real, product);
  const Term imag = asinh((conjugated(below) * above).imag);
  const Term large = is_large(a);
  const Term size =
      choose(has_infinity(a), infinity_like(imag), choose(large, log_of_double(a), imag));
  return {choose(a.real == 0, a.real, choose(large, atan2(a.real, abs(a.imag)), real)),
          copysign(size, a.imag)};
}

ComplexTerm complex_acos(const ComplexTerm& a) {
  const ComplexTerm below = complex_sqrt(one_minus(a)), above = complex_sqrt(plus_one(a));
  const Term real = atan2(below.real, above.real) * 2.0;
  const Term imag = asinh((conjugated(above) * below).imag);
  const Term large = is_large(a);
  const Term size =
      choose(has_infinity(a), infinity_like(imag), choose(large, log_of_double(a), imag));
  const Term quarter = number_like(real, std::numbers::pi / 2);
  const Term angle = choose(is_nan(a.real), a.real, real);
  return {choose(a.real == 0, quarter, choose(large, atan2(abs(a.imag), a.real), angle)),
          copysign(size, negated(a.imag))};
}

ComplexTerm complex_asinh(const ComplexTerm& a) { return turned_back(complex_asin(turned(a))); }

ComplexTerm complex_acosh(const ComplexTerm& a) {
  // i times acos or its negative: the one whose real part is not negative.
  const ComplexTerm angle = complex_acos(a);
  return {abs(angle.imag), copysign(angle.real, a.imag)};
}

ComplexTerm complex_atanh(const ComplexTerm& a) {
  // The real part is odd in x: for negative x, a difference would cancel.
  const Term x = abs(a.real), y = a.imag, size = hypot(x, y);
  const Term rest = number_like(x, 1) - x, gap = hypot(rest, y);
  const bool narrow = a.real.type() == ElementType::f32;
  const Term common = log1p(x * 4.0 / (rest * rest + y * y)) * 0.25;
  const Term at_pole = (number_like(x, std::numbers::ln2) - log(gap)) * 0.5;
  const Term distant = choose(is_infinite(size), number_like(x, 0), x / size / size);
  const Term far = size > (narrow ? 1e6 : 1e12);
  const Term real = choose(far, distant, choose(gap < (narrow ? 1e-15 : 1e-120), at_pole, common));
  const Term angle = atan2(y * 2.0, rest * (x + 1.0) - y * y) * 0.5;
  const Term quarter = copysign(number_like(y, std::numbers::pi / 2), y);
  return {copysign(choose(x == 0 || is_infinite(size), number_like(x, 0), real), a.real),
          choose(far && inverted(is_nan(y)), quarter, angle)};
}

ComplexTerm complex_atan(const ComplexTerm& a) { return turned_back(complex_atanh(turned(a))); }

ComplexTerm complex_expm1(const ComplexTerm& a) {
  const Term half = sin(a.imag * 0.5);
  const Term length = apply_op(Op::expm1, a.real);
  const Term real = length * cos(a.imag) - half * half * 2.0;
  return {choose(has_no_angle(a) || a.imag == 0, length + 0.0, real), exp_times_sine(a)};
}

ComplexTerm complex_log1p(const ComplexTerm& a) {
  const Term near = log1p(a.real * (a.real + 2.0) + a.imag * a.imag) * 0.5;
  const ComplexTerm more = plus_one(a);
  const Term small = maximum(abs(a.real), abs(a.imag)) < 0.5;
  return {choose(small, near, log_abs(more)), atan2(a.imag, more.real)};
}

ComplexTerm complex_sign(const ComplexTerm& a) {
  const Term size = maximum(abs(a.real), abs(a.imag));
  const Term zero = size == 0;
  const ComplexTerm unit{a.real / size, a.imag / size};
  const Term length = hypot(unit.real, unit.imag);
  const Term none = number_like(size, 0);
  return choose(zero, ComplexTerm{none, none}, ComplexTerm{unit.real / length, unit.imag / length});
}

ComplexTerm computed(ComplexFunction function, const ComplexTerm& a) {
  switch (function) {
    case ComplexFunction::sqrt:
      return complex_sqrt(a);
    case ComplexFunction::exp:
      return complex_exp(a);
    case ComplexFunction::expm1:
      return complex_expm1(a);
    case ComplexFunction::log:
      return complex_log(a);
    case ComplexFunction::log2:
      return scaled(complex_log(a), std::numbers::log2e);
    case ComplexFunction::log10:
      return scaled(complex_log(a), std::numbers::log10e);
    case ComplexFunction::log1p:
      return complex_log1p(a);
    case ComplexFunction::sin:
      return turned_back(complex_sinh(turned(a)));
    case ComplexFunction::cos:
      return complex_cosh(turned(a));
    case ComplexFunction::tan:
      return turned_back(complex_tanh(turned(a)));
    case ComplexFunction::asin:
      return complex_asin(a);
    case ComplexFunction::acos:
      return complex_acos(a);
    case ComplexFunction::atan:
      return complex_atan(a);
    case ComplexFunction::sinh:
      return complex_sinh(a);
    case ComplexFunction::cosh:
      return complex_cosh(a);
    case ComplexFunction::tanh:
      return complex_tanh(a);
    case ComplexFunction::asinh:
      return complex_asinh(a);
    case ComplexFunction::acosh:
      return complex_acosh(a);
    case ComplexFunction::atanh:
      return complex_atanh(a);
    case ComplexFunction::reciprocal:
      return quotient({number_like(a.real, 1), number_like(a.real, 0)}, a);
    case ComplexFunction::sign:
      return complex_sign(a);
  }
  throw InternalError("a complex function that is not known");
}

}  // namespace

ComplexTerm quotient(const ComplexTerm& a, const ComplexTerm& b) {
  const Term real_is_greater = abs(b.real) >= abs(b.imag);
  const Term greater = choose(real_is_greater, b.real, b.imag);
  const Term lesser = choose(real_is_greater, b.imag, b.real);
  const Term ratio = choose(greater == 0, lesser, lesser / greater);
  const Term divisor = greater + lesser * ratio;
  const Term p = choose(real_is_greater, a.real, a.imag);
  const Term q = choose(real_is_greater, a.imag, a.real);
  const Term imag = choose(real_is_greater, q - p * ratio, p * ratio - q);
  return {(p + q * ratio) / divisor, imag / divisor};
}

ComplexNodes apply(ComplexFunction function, const ComplexNodes& a, const Location& where) {
  return nodes(computed(function, terms(a, where)));
}

ComplexNodes complex_divide(const ComplexNodes& a, const ComplexNodes& b, const Location& where) {
  return nodes(quotient(terms(a, where), terms(b, where)));
}

ComplexNodes complex_power(const ComplexNodes& a, const ComplexNodes& b, const Location& where) {
  const ComplexTerm base = terms(a, where), exponent = terms(b, where);
  const ComplexTerm power = complex_exp(exponent * complex_log(base));
  const Term one = number_like(base.real, 1), zero = number_like(base.real, 0);
  const Term none = exponent.real == 0 && exponent.imag == 0;
  const Term vanishes = base.real == 0 && base.imag == 0 && exponent.real > 0;
  const ComplexTerm rest = choose(vanishes, ComplexTerm{zero, zero}, power);
  return nodes(choose(none, ComplexTerm{one, zero}, rest));
}

}  // namespace tutti::detail
