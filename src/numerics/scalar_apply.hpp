// Applies one operation of the table to single numbers: for interpreters and immediate mode.
#pragma once
#include <span>

#include "numerics/fast_ops.hpp"
#include "numerics/scalar_ops.hpp"
#include "tutti/shape.hpp"

namespace tutti::ir {

template <class T>
T apply(Op op, T a, T b, T c) {
  if constexpr (std::is_same_v<T, half>) {
    return half(apply<float>(op, a, b, c));
  } else if constexpr (std::is_same_v<T, bool>) {
    return bitwise(op, a, b);
  } else {
    if (op > Op::fmax) op = exact_of(op);
    if (op <= Op::fma) return arithmetic(op, a, b, c);
    if constexpr (std::is_integral_v<T>)
      return bitwise(op, a, b);
    else
      return mathematics(op, a, b);
  }
}

template <class T>
bool test(Op op, T a, T b) {
  if constexpr (std::is_same_v<T, half>)
    return compare<float>(op, a, b);
  else
    return compare(op, a, b);
}

// Applies a boundary rule to one coordinate. Returns false if the fill value replaces the element.
inline bool bring_inside(int64_t& coordinate, int64_t extent, Boundary::Kind rule) {
  if (coordinate >= 0 && coordinate < extent) return true;
  if (rule == Boundary::Kind::constant) return false;
  if (rule == Boundary::Kind::clamp)
    coordinate = coordinate < 0 ? 0 : extent - 1;
  else
    coordinate = (coordinate % extent + extent) % extent;
  return true;
}

// The operands have the types that the operation's rule requires; the result has `type`.
ScalarValue apply_operation(Op op, ElementType type, std::span<const ScalarValue> operands);

}  // namespace tutti::ir
