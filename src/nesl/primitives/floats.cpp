// Mathematical functions: the same code as in compiled kernels, so that bits agree.
#include <cmath>

#include "nesl/primitives/checks.hpp"
#include "primitives/math_f64.hpp"

namespace tutti::nesl {
namespace {

using Call = PrimitiveCall;
namespace math = tutti::primitives::f64;

Value square_root(const Call& c) {
  require(c, !(c[0].floating() < 0), "square root of a negative number");
  return std::sqrt(c[0].floating());
}
Value logarithm(const Call& c) {
  require(c, !(c[0].floating() < 0), "logarithm of a negative number");
  return math::log(c[0].floating());
}
Value exponential(const Call& c) { return math::exp(c[0].floating()); }
Value sine(const Call& c) { return math::sin(c[0].floating()); }
Value cosine(const Call& c) { return math::cos(c[0].floating()); }
Value tangent(const Call& c) { return math::tan(c[0].floating()); }
Value arc_sine(const Call& c) { return math::asin(c[0].floating()); }
Value arc_cosine(const Call& c) { return math::acos(c[0].floating()); }
Value arc_tangent(const Call& c) { return math::atan(c[0].floating()); }
Value hyperbolic_sine(const Call& c) { return math::sinh(c[0].floating()); }
Value hyperbolic_cosine(const Call& c) { return math::cosh(c[0].floating()); }
Value hyperbolic_tangent(const Call& c) { return math::tanh(c[0].floating()); }

}  // namespace

std::vector<Primitive> float_primitives() {
  constexpr const char* type = "float -> float";
  return {
      {"sqrt", type, square_root, "The square root."},
      {"ln", type, logarithm, "The natural logarithm."},
      {"exp", type, exponential, "e to the power of the argument."},
      {"sin", type, sine, "The sine."},
      {"cos", type, cosine, "The cosine."},
      {"tan", type, tangent, "The tangent."},
      {"asin", type, arc_sine, "The arc sine."},
      {"acos", type, arc_cosine, "The arc cosine."},
      {"atan", type, arc_tangent, "The arc tangent."},
      {"sinh", type, hyperbolic_sine, "The hyperbolic sine."},
      {"cosh", type, hyperbolic_cosine, "The hyperbolic cosine."},
      {"tanh", type, hyperbolic_tangent, "The hyperbolic tangent."},
  };
}

}  // namespace tutti::nesl
