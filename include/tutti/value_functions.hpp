// Functions on tuples that are composed of the operations of the table: geometry, interpolation,
// choice, hashing. They compute immediately on plain Values, and are recorded inside of programs.
#pragma once
#include "tutti/detail/export.hpp"
#include "tutti/value_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// cast<Value3i>(v) converts the components. Floating point to integer truncates and saturates; NaN
// becomes 0.
template <class To, detail::IsValue X>
auto cast(const X& x) {
  static_assert(detail::ValueOf<X>::size == 1 || detail::ValueOf<X>::size == components<To>,
                "a tuple is cast to tuples of the same size: cast<Value4i>(v)");
  return Value<components<To>, scalar_t<To>>(x);
}

// cond(c, a, b) returns a where c holds, b elsewhere, component by component.
template <detail::IsValue C, detail::IsValueOperand A, detail::IsValueOperand B>
requires(std::is_same_v<typename C::scalar, bool>)
auto cond(const C& c, const A& a, const B& b,
          const std::source_location& where = std::source_location::current()) {
  constexpr int parts = detail::value_parts<C, A, B>;
  using S = detail::MeetValues<A, B>;
  if (detail::capturing()) {
    std::array<detail::NodeRef, parts> nodes;
    for (int i = 0; i < parts; ++i) {
      const detail::NodeRef inputs[] = {detail::value_node<bool>(c, i, where),
                                        detail::value_node<S>(a, i, where),
                                        detail::value_node<S>(b, i, where)};
      nodes[i] = detail::record(Op::choose, inputs, where);
    }
    return Value<parts, S>(detail::FromNodes{}, nodes);
  }
  Value<parts, S> result;
  for (int i = 0; i < parts; ++i)
    result.set(i, detail::value_number<bool>(c, i) ? detail::value_number<S>(a, i)
                                                   : detail::value_number<S>(b, i));
  return result;
}

namespace detail {

// Combines the components from the first to the last.
template <IsValue X, class Combine>
auto fold(const X& x, Combine combine) {
  Value<1, typename X::scalar> result = std::as_const(x)(0);
  for (int i = 1; i < ValueOf<X>::size; ++i) result = combine(result, std::as_const(x)(i));
  return result;
}

}  // namespace detail

// any() and all() combine the flags of a tuple.
template <detail::IsValue X>
requires(std::is_same_v<typename X::scalar, bool>)
auto any(const X& x) {
  return detail::fold(x, [](const auto& a, const auto& b) { return a || b; });
}
template <detail::IsValue X>
requires(std::is_same_v<typename X::scalar, bool>)
auto all(const X& x) {
  return detail::fold(x, [](const auto& a, const auto& b) { return a && b; });
}
// Reduce the components of a tuple from the first to the last.
template <detail::IsValue X>
auto sum(const X& x) {
  return detail::fold(x, [](const auto& a, const auto& b) { return a + b; });
}
template <detail::IsValue X>
auto product(const X& x) {
  return detail::fold(x, [](const auto& a, const auto& b) { return a * b; });
}
template <detail::IsValue X>
auto max_val(const X& x) {
  return detail::fold(x, [](const auto& a, const auto& b) { return max(a, b); });
}
template <detail::IsValue X>
auto min_val(const X& x) {
  return detail::fold(x, [](const auto& a, const auto& b) { return min(a, b); });
}

// ---- the names of the C library for operations with other names in the table

template <detail::IsValue X>
auto fabs(const X& x) {
  return abs(x);
}
template <detail::IsValue X>
auto isnan(const X& x) {
  return is_nan(x);
}
template <detail::IsValue X>
auto isinf(const X& x) {
  return is_inf(x);
}
template <detail::IsValue X>
auto isfinite(const X& x) {
  return is_finite(x);
}

// ---- geometry

// Returns the inner product. Each product is added with a single rounding.
template <detail::IsValue A, detail::IsValue B>
requires(detail::ValueOf<A>::size == detail::ValueOf<B>::size)
auto dot(const A& a, const B& b) {
  const auto &x = std::as_const(a), &y = std::as_const(b);
  auto result = x(0) * y(0);
  for (int i = 1; i < detail::ValueOf<A>::size; ++i) result = fma(x(i), y(i), result);
  return result;
}

// Returns the cross product of two 3-D vectors.
template <detail::IsValue A, detail::IsValue B>
requires(detail::ValueOf<A>::size == 3 && detail::ValueOf<B>::size == 3)
auto cross(const A& a, const B& b) {
  const auto &x = std::as_const(a), &y = std::as_const(b);
  return fma(x(1, 2, 0), y(2, 0, 1), -(x(2, 0, 1) * y(1, 2, 0)));
}

// length() returns the Euclidean norm, distance() that of the difference.
template <detail::IsValue X>
auto length(const X& x) {
  return sqrt(dot(x, x));
}
template <detail::IsValue A, detail::IsValue B>
auto distance(const A& a, const B& b) {
  return length(a - b);
}
// Returns x divided by its length.
template <detail::IsValue X>
auto normalize(const X& x) {
  return x / length(x);
}
// Reflects v at the plane with the unit normal n.
template <detail::IsValue V, detail::IsValue N>
auto mirror(const V& v, const N& n) {
  return v - 2 * dot(n, v) * n;
}

// ---- between numbers

// lerp(a, b, t) returns a + t * (b - a); clamp(x, low, high) limits x to [low, high].
template <detail::IsValueOperand A, detail::IsValueOperand B, detail::IsValueOperand C>
requires(detail::IsValue<A> || detail::IsValue<B> || detail::IsValue<C>)
auto lerp(const A& a, const B& b, const C& t) {
  return fma(t, b - a, a);
}
template <detail::IsValue X, detail::IsValueOperand Low, detail::IsValueOperand High>
auto clamp(const X& x, const Low& low, const High& high) {
  return min(max(x, low), high);
}
// Returns 0 below the first edge, 1 above the second, and a smooth transition in between.
template <detail::IsValueOperand A, detail::IsValueOperand B, detail::IsValue X>
auto smoothstep(const A& from, const B& to, const X& x) {
  const auto t = clamp((x - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}
// Returns 0 where x is below the edge, 1 elsewhere.
template <detail::IsValueOperand E, detail::IsValue X>
auto step(const E& edge, const X& x) {
  return cond(x < edge, Value<1, typename X::scalar>(0), Value<1, typename X::scalar>(1));
}
// Returns the fractional part, 0 <= fract(x) < 1.
template <detail::IsValue X>
auto fract(const X& x) {
  return x - floor(x);
}

// ---- hashing

namespace detail {

// Returns bits that represent a number: those of an integer; of floating point the integral part
// and 32 fractional bits.
template <IsValue X>
Value<ValueOf<X>::size, uint32_t> hash_bits(const X& x) {
  constexpr int N = ValueOf<X>::size;
  if constexpr (kind<typename X::scalar> == 2) {
    const auto whole = floor(x);
    const Value<N, uint32_t> behind((x - whole) * 4294967296.0f);
    return Value<N, uint32_t>(Value<N, int32_t>(whole)) * 2654435769u + behind;
  } else {
    return Value<N, uint32_t>(x);
  }
}

// Mixes 32 bits so that each of them depends on all.
template <int N>
Value<N, uint32_t> mix_bits(Value<N, uint32_t> h) {
  h = (h ^ (h >> 16u)) * 0x7feb352du;
  h = (h ^ (h >> 15u)) * 0x846ca68bu;
  return h ^ (h >> 16u);
}

}  // namespace detail

// Returns pseudorandom numbers from 0 to 1, 1 excluded, one for each component. Each depends on all
// components of x, and on nothing else.
template <detail::IsValue X>
Value<detail::ValueOf<X>::size, float> hash(const X& x) {
  constexpr int N = detail::ValueOf<X>::size;
  const Value<N, uint32_t> bits = detail::hash_bits(x);
  Value<1, uint32_t> all = 0x9e3779b9u;
  for (int i = 0; i < N; ++i) all = detail::mix_bits(all + std::as_const(bits)(i));
  Value<N, uint32_t> seeds = all;
  for (int i = 0; i < N; ++i) seeds(i) = all + 0x85ebca6bu * static_cast<uint32_t>(i + 1);
  return Value<N, float>(detail::mix_bits(seeds) >> 8u) * 0x1p-24f;
}

}  // namespace tutti
TUTTI_END_EXPORTS
