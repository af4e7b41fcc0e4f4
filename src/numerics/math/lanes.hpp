// The operations on "lanes" of numbers in which the elementary functions are written. The same
// templates run on two kinds of lanes. Plain C++ scalars (this file) serve the reference
// interpreter and immediate mode on the host. Values of the code generator
// (codegen/emit/lane_value.hpp) emit one instruction per call for as many lanes as the target has.
// Invariant: an operation has the same meaning, to the bit, for every kind of lanes. Nothing may be
// contracted or reassociated: compile this with -ffp-contract=off.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace tutti::math {

// A literal of the same kind as x (a float kind, respectively an integer kind).
inline float literal(float, double value) { return static_cast<float>(value); }
inline double literal(double, double value) { return value; }
inline int32_t literal(int32_t, int64_t value) { return static_cast<int32_t>(value); }
inline int64_t literal(int64_t, int64_t value) { return value; }

inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline double fma(double a, double b, double c) { return std::fma(a, b, c); }
inline float abs(float a) { return std::fabs(a); }
inline double abs(double a) { return std::fabs(a); }
inline float sqrt(float a) { return std::sqrt(a); }
inline double sqrt(double a) { return std::sqrt(a); }
inline float copy_sign(float a, float b) { return std::copysign(a, b); }
inline double copy_sign(double a, double b) { return std::copysign(a, b); }

// Rounding to an integral value: to nearest with ties to even, down, up, towards zero.
inline float round_even(float a) { return std::nearbyint(a); }
inline double round_even(double a) { return std::nearbyint(a); }
inline float round_down(float a) { return std::floor(a); }
inline double round_down(double a) { return std::floor(a); }
inline float round_up(float a) { return std::ceil(a); }
inline double round_up(double a) { return std::ceil(a); }
inline float round_to_zero(float a) { return std::trunc(a); }
inline double round_to_zero(double a) { return std::trunc(a); }

// The bits of a float as an integer of the same width, and back.
inline int32_t to_bits(float a) { return std::bit_cast<int32_t>(a); }
inline int64_t to_bits(double a) { return std::bit_cast<int64_t>(a); }
inline float from_bits(int32_t a) { return std::bit_cast<float>(a); }
inline double from_bits(int64_t a) { return std::bit_cast<double>(a); }

// Conversions between a float and the integer of the same width. to_integer truncates and
// saturates: NaN becomes 0, values beyond the range become its ends.
template <class I, class F>
I saturating_to_integer(F a) {
  constexpr F limit = -static_cast<F>(INT64_MIN >> (64 - 8 * sizeof(I)));
  if (!(a == a)) return 0;
  if (a >= limit) return static_cast<I>(INT64_MAX >> (64 - 8 * sizeof(I)));
  if (a < -limit) return static_cast<I>(INT64_MIN >> (64 - 8 * sizeof(I)));
  return static_cast<I>(a);
}
inline int32_t to_integer(float a) { return saturating_to_integer<int32_t>(a); }
inline int64_t to_integer(double a) { return saturating_to_integer<int64_t>(a); }
inline float to_floating(int32_t a) { return static_cast<float>(a); }
inline double to_floating(int64_t a) { return static_cast<double>(a); }

// Between single and double lanes (floats), and between 32- and 64-bit integer lanes.
inline double widen(float a) { return a; }
inline float narrow(double a) { return static_cast<float>(a); }
inline int64_t widen(int32_t a) { return a; }
inline int32_t narrow(int64_t a) { return static_cast<int32_t>(a); }

// Integer lanes: wrapping arithmetic; shift counts are host constants below the width.
inline int32_t add(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
inline int64_t add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int32_t subtract(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) - static_cast<uint32_t>(b));
}
inline int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
inline int32_t multiply(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) * static_cast<uint32_t>(b));
}
inline int64_t multiply(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
inline int32_t shift_left(int32_t a, int n) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) << n);
}
inline int64_t shift_left(int64_t a, int n) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) << n);
}
inline int32_t shift_right(int32_t a, int n) { return a >> n; }
inline int64_t shift_right(int64_t a, int n) { return a >> n; }
inline int32_t shift_right_logical(int32_t a, int n) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) >> n);
}
inline int64_t shift_right_logical(int64_t a, int n) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) >> n);
}

// Masks: the results of comparisons (the ordinary operators <, <=, >, >=, ==, != on lanes).
inline bool both(bool a, bool b) { return a && b; }
inline bool either(bool a, bool b) { return a || b; }
inline bool negate(bool a) { return !a; }

// select(mask, a, b): a where the mask holds, else b. Both sides have been computed.
template <class T>
inline T select(bool mask, T a, T b) {
  return mask ? a : b;
}

// Replaces `fast` by slow() in the lanes of the mask; slow() is skipped when no lane needs it.
template <class T, class Slow>
inline T repair(bool mask, T fast, Slow slow) {
  return mask ? slow() : fast;
}

// table[index] with 0 <= index < N guaranteed by the caller.
template <std::size_t N>
inline double lookup(const double (&table)[N], int64_t index) {
  return table[index];
}
template <std::size_t N>
inline float lookup(const float (&table)[N], int32_t index) {
  return table[index];
}
template <std::size_t N>
inline int32_t lookup(const int32_t (&table)[N], int32_t index) {
  return table[index];
}
template <std::size_t N>
inline int64_t lookup(const int64_t (&table)[N], int64_t index) {
  return table[index];
}

}  // namespace tutti::math
