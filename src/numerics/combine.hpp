// The combining step of reductions and scans on single numbers, as a function of the reduction at
// compile time. The code generator must agree with it to the bit.
#pragma once
#include <type_traits>

#include "core/elements/convert.hpp"
#include "numerics/reductions.hpp"
#include "numerics/scalar_apply.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Returns whether graphs contain this reduction for arrays of T; builders rewrite the others.
template <class T>
constexpr bool combines(Reduction reduction) {
  return canonical_reduction(reduction, element_type<T>) == reduction &&
         !sums_in_float(reduction, element_type<T>);
}

// Primitives of the CPU combine in their inner loops: frequent operations are unrolled.
template <Reduction reduction, class T>
requires(combines<T>(reduction))
inline T combine(T a, T b) {
  constexpr Op op = info_of(reduction).op;
  if constexpr (std::is_same_v<T, half>) {
    return half(apply<float>(op, a, b, 0));
  } else if constexpr (op == Op::max) {
    return maximum(a, b);
  } else if constexpr (op == Op::min) {
    return minimum(a, b);
  } else if constexpr (op == Op::logical_and || op == Op::bit_and) {
    return static_cast<T>(a & b);
  } else if constexpr (op == Op::logical_or || op == Op::bit_or) {
    return static_cast<T>(a | b);
  } else if constexpr (op == Op::bit_xor) {
    return static_cast<T>(a ^ b);
  } else if constexpr (op == Op::add || op == Op::multiply) {
    if constexpr (std::is_integral_v<T>) {
      const auto x = static_cast<Wrapping<T>>(a), y = static_cast<Wrapping<T>>(b);
      return static_cast<T>(op == Op::add ? x + y : x * y);
    } else {
      return op == Op::add ? a + b : a * b;
    }
  } else {
    return apply<T>(op, a, b, T{});
  }
}

template <Reduction reduction>
struct ReductionTag {
  static constexpr Reduction value = reduction;
};

// Calls f(ReductionTag<reduction>{}) if arrays of T are combined by it.
template <class T, class F>
void visit_reduction(Reduction reduction, F&& f) {
  const auto attempt = [&]<Reduction candidate>(ReductionTag<candidate> tag) {
    if constexpr (combines<T>(candidate))
      if (reduction == candidate) f(tag);
  };
#define TUTTI_REDUCTION(id, function, op, identity, floats, integers, flags, result, python, doc) \
  attempt(ReductionTag<Reduction::id>{});
#include "tutti/detail/reductions.def"
#undef TUTTI_REDUCTION
}

}  // namespace tutti::ir
