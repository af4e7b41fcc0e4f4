// The combining step of reductions and scans on single numbers, as a function of the reduction at
// compile time. The code generator must agree with it to the bit.
#pragma once
#include <type_traits>

#include "core/convert.hpp"
#include "numerics/scalar_ops.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::ir {

// Whether arrays of T reach the graph with this reduction; builders have rewritten the others.
template <class T>
constexpr bool combines(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
    case Reduction::product:
      return !std::is_same_v<T, bool> && !std::is_same_v<T, half>;
    case Reduction::max:
    case Reduction::min:
      return !std::is_same_v<T, bool>;
    case Reduction::all:
    case Reduction::any:
      return std::is_same_v<T, bool>;
    case Reduction::bit_and:
    case Reduction::bit_or:
      return std::is_integral_v<T> && !std::is_same_v<T, bool>;
    case Reduction::bit_xor:
      return std::is_integral_v<T>;
  }
  return false;
}

template <Reduction reduction, class T>
requires(combines<T>(reduction)) inline T combine(T a, T b) {
  if constexpr (reduction == Reduction::max) {
    if constexpr (std::is_same_v<T, half>)
      return half(maximum<float>(a, b));
    else
      return maximum(a, b);
  } else if constexpr (reduction == Reduction::min) {
    if constexpr (std::is_same_v<T, half>)
      return half(minimum<float>(a, b));
    else
      return minimum(a, b);
  } else if constexpr (reduction == Reduction::all || reduction == Reduction::bit_and) {
    return static_cast<T>(a & b);
  } else if constexpr (reduction == Reduction::any || reduction == Reduction::bit_or) {
    return static_cast<T>(a | b);
  } else if constexpr (reduction == Reduction::bit_xor) {
    return static_cast<T>(a ^ b);
  } else if constexpr (std::is_integral_v<T>) {
    const auto x = static_cast<Wrapping<T>>(a), y = static_cast<Wrapping<T>>(b);
    return static_cast<T>(reduction == Reduction::sum ? x + y : x * y);
  } else {
    return reduction == Reduction::sum ? a + b : a * b;
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
  attempt(ReductionTag<Reduction::sum>{});
  attempt(ReductionTag<Reduction::product>{});
  attempt(ReductionTag<Reduction::max>{});
  attempt(ReductionTag<Reduction::min>{});
  attempt(ReductionTag<Reduction::all>{});
  attempt(ReductionTag<Reduction::any>{});
  attempt(ReductionTag<Reduction::bit_and>{});
  attempt(ReductionTag<Reduction::bit_or>{});
  attempt(ReductionTag<Reduction::bit_xor>{});
}

}  // namespace tutti::ir
