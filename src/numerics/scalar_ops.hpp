// The meaning of every operation of the table on single numbers. The code generator must agree with
// this file to the bit; tests compare the two for every operation and type.
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "numerics/math/f32.hpp"
#include "numerics/math/f64.hpp"
#include "tutti/detail/op_traits.hpp"
#include "tutti/error.hpp"

namespace tutti::ir {

// -0 < +0, and NaN wins, so the maximum does not depend on the order of its arguments.
template <class T>
T maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}
template <class T>
T minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

// Integer arithmetic wraps: it is computed in the unsigned type, at least 32 bits wide.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}

template <class T>
T remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  } else if constexpr (sizeof(T) == 4) {
    return math::f32::fmod(a, b);
  } else {
    return math::f64::fmod(a, b);
  }
}

template <class T>
T shift_left(T a, T count) {
  constexpr int width = 8 * sizeof(T);
  if (count < 0 || count >= width) return 0;
  return static_cast<T>(static_cast<Wrapping<T>>(a) << count);
}
template <class T>
T shift_right(T a, T count) {
  constexpr int width = 8 * sizeof(T);
  if (count < 0 || count >= width) return a < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(a >> count);
}

// Arithmetic on T = integers, float, double.
template <class T>
T arithmetic(Op op, T a, T b, T c) {
  if constexpr (std::is_integral_v<T>) {
    using W = Wrapping<T>;
    const W x = static_cast<W>(a), y = static_cast<W>(b), z = static_cast<W>(c);
    switch (op) {
      case Op::add:
        return static_cast<T>(x + y);
      case Op::subtract:
        return static_cast<T>(x - y);
      case Op::multiply:
        return static_cast<T>(x * y);
      case Op::negate:
        return static_cast<T>(W{0} - x);
      case Op::abs:
        return a < 0 ? static_cast<T>(W{0} - x) : a;
      case Op::sign:
        return static_cast<T>((a > 0) - (a < 0));
      case Op::fma:
        return static_cast<T>(x * y + z);
      default:
        break;
    }
  } else {
    switch (op) {
      case Op::add:
        return a + b;
      case Op::subtract:
        return a - b;
      case Op::multiply:
        return a * b;
      case Op::negate:
        return -a;
      case Op::abs:
        return std::fabs(a);
      case Op::sign:
        return a > 0 ? T{1} : a < 0 ? T{-1} : a;
      case Op::fma:
        return std::fma(a, b, c);
      default:
        break;
    }
  }
  switch (op) {
    case Op::divide:
      return divide(a, b);
    case Op::remainder:
      return remainder(a, b);
    case Op::min:
      return minimum(a, b);
    case Op::max:
      return maximum(a, b);
    default:
      throw InternalError("arithmetic: not an arithmetic operation");
  }
}

template <class T>
bool compare(Op op, T a, T b) {
  switch (op) {
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::is_nan:
      return a != a;
    case Op::is_inf:
      return a == a && !(a - a == 0);
    case Op::is_finite:
      return a - a == 0;
    default:
      throw InternalError("compare: not a comparison");
  }
}

// Returns the rank of a number among all floating-point values.
template <class F>
detail::IntegerLike<F> ordinal(F a) {
  using Integer = detail::IntegerLike<F>;
  if (a != a) return std::numeric_limits<Integer>::max();
  const auto bits = std::bit_cast<Integer>(a);
  return bits < 0 ? static_cast<Integer>(bits ^ std::numeric_limits<Integer>::max()) : bits;
}

template <class T>
T bitwise(Op op, T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    switch (op) {
      case Op::bit_and:
      case Op::logical_and:
        return a && b;
      case Op::bit_or:
      case Op::logical_or:
        return a || b;
      case Op::bit_xor:
      case Op::logical_xor:
        return a != b;
      case Op::bit_not:
      case Op::logical_not:
        return !a;
      case Op::shift_left:
      case Op::shift_right:
        return a && !b;
      case Op::popcount:
        return a;
      case Op::leading_zeros:
      case Op::trailing_zeros:
        return !a;
      default:
        break;
    }
  } else {
    using U = std::make_unsigned_t<T>;
    switch (op) {
      case Op::bit_and:
        return static_cast<T>(a & b);
      case Op::bit_or:
        return static_cast<T>(a | b);
      case Op::bit_xor:
        return static_cast<T>(a ^ b);
      case Op::bit_not:
        return static_cast<T>(~a);
      case Op::shift_left:
        return shift_left(a, b);
      case Op::shift_right:
        return shift_right(a, b);
      case Op::popcount:
        return static_cast<T>(std::popcount(static_cast<U>(a)));
      case Op::leading_zeros:
        return static_cast<T>(std::countl_zero(static_cast<U>(a)));
      case Op::trailing_zeros:
        return static_cast<T>(std::countr_zero(static_cast<U>(a)));
      default:
        break;
    }
  }
  throw InternalError("bitwise: not an operation on bits");
}

// The functions of the C mathematics library in single or double precision, with one implementation
// for every device.
template <class F>
F mathematics(Op op, F a, F b) {
#define TUTTI_CALL(id)            \
  case Op::id:                    \
    if constexpr (sizeof(F) == 4) \
      return math::f32::id(a);    \
    else                          \
      return math::f64::id(a);
#define TUTTI_CALL2(id)           \
  case Op::id:                    \
    if constexpr (sizeof(F) == 4) \
      return math::f32::id(a, b); \
    else                          \
      return math::f64::id(a, b);
  switch (op) {
    case Op::sqrt:
      return std::sqrt(a);
    case Op::rsqrt:
      return F{1} / std::sqrt(a);
    case Op::reciprocal:
      return F{1} / a;
    case Op::floor:
      return std::floor(a);
    case Op::ceil:
      return std::ceil(a);
    case Op::trunc:
      return std::trunc(a);
    case Op::rint:
      return std::nearbyint(a);
    case Op::copysign:  // the sign of a NaN is unspecified
      return std::isnan(b) ? std::fabs(a) : std::copysign(a, b);
    case Op::fmin:
      return a != a ? b : b != b ? a : minimum(a, b);
    case Op::fmax:
      return a != a ? b : b != b ? a : maximum(a, b);
    case Op::round:
      if constexpr (sizeof(F) == 4)
        return math::f32::round_half_away(a);
      else
        return math::f64::round_half_away(a);
#include "numerics/math/functions.def"
    default:
      throw InternalError("mathematics: not a mathematical function");
  }
#undef TUTTI_CALL
#undef TUTTI_CALL2
}

}  // namespace tutti::ir
