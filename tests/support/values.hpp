// Test data: the values of a type on which operations go wrong, reproducible random numbers, and
// the list of element types.
#pragma once
#include <tutti/tutti.hpp>

#include <limits>
#include <random>
#include <vector>

#include "core/elements/convert.hpp"

namespace tutti::test {

constexpr ElementType all_types[] = {ElementType::b8,  ElementType::i8,  ElementType::i16,
                                     ElementType::i32, ElementType::i64, ElementType::u8,
                                     ElementType::u16, ElementType::u32, ElementType::u64,
                                     ElementType::f16, ElementType::f32, ElementType::f64};

// Calls f(TypeTag<T>{}) for each element type.
template <class F>
void for_each_type(F f) {
  for (ElementType type : all_types) visit_type(type, f);
}
// One type of each size, and of each way of being stored.
template <class F>
void for_each_size_of_type(F f) {
  for (ElementType type :
       {ElementType::b8, ElementType::i8, ElementType::f16, ElementType::f32, ElementType::f64})
    visit_type(type, f);
}

// Zeros, ones, extremes and their neighbours; for floating point also NaN, infinities, subnormals,
// halves (where rounding decides) and the bounds of the integer types.
template <class T>
std::vector<T> interesting() {
  if constexpr (std::is_same_v<T, bool>) {
    return {false, true};
  } else if constexpr (std::is_same_v<T, half>) {
    std::vector<half> result;
    for (int bits : {0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800, 0xb800, 0x3e00,
                     0xbe00, 0x4100, 0x7bff, 0xfbff, 0x0400, 0x8400, 0x0001, 0x8001,
                     0x03ff, 0x7c00, 0xfc00, 0x7e00, 0x4248, 0x57f8, 0x5800, 0xd808})
      result.push_back(half::from_bits(static_cast<uint16_t>(bits)));
    return result;
  } else if constexpr (std::is_floating_point_v<T>) {
    using L = std::numeric_limits<T>;
    return {T(0),
            -T(0),
            T(1),
            T(-1),
            T(2),
            T(0.5),
            T(-0.5),
            T(1.5),
            T(-1.5),
            T(2.5),
            T(-2.5),
            T(3.1415926535897932),
            L::max(),
            L::lowest(),
            L::min(),
            -L::min(),
            L::denorm_min(),
            -L::denorm_min(),
            L::infinity(),
            -L::infinity(),
            L::quiet_NaN(),
            L::epsilon(),
            T(1) - L::epsilon(),
            T(127.5),
            T(255),
            T(-128),
            T(65535.5),
            T(2147483647.0),
            T(-2147483648.0),
            T(4294967296.0),
            T(9223372036854775808.0),
            T(1e-20),
            T(12345.678)};
  } else {
    using L = std::numeric_limits<T>;
    constexpr int width = 8 * sizeof(T);
    return {T(0),
            T(1),
            T(2),
            T(3),
            T(7),
            T(-1),
            T(-2),
            T(-7),
            L::max(),
            T(L::max() - 1),
            L::min(),
            T(L::min() + 1),
            T(width - 1),
            T(width),
            T(width + 1),
            T(L::max() / 2),
            T(L::max() / 3),
            T(100),
            T(-100)};
  }
}

// n numbers: one in four of the interesting ones, the rest random bits or small values.
template <class T>
std::vector<T> mixed(int64_t n, unsigned seed) {
  const std::vector<T> pool = interesting<T>();
  std::mt19937_64 random(seed);
  std::vector<T> result;
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t dice = random() % 8, bits = random();
    if (dice < 2)
      result.push_back(pool[bits % pool.size()]);
    else if (dice < 4)
      result.push_back(from_bits<T>(std::is_same_v<T, bool> ? bits & 1 : bits));
    else if (detail::kind<T> == 2)  // between -1 and 1, or between -50 and 50
      result.push_back(convert_element<T>((static_cast<double>(bits >> 12) * 0x1p-51 - 1) *
                                          (dice < 6 ? 1 : 50)));
    else
      result.push_back(convert_element<T>(static_cast<int64_t>(bits % 40) - 20));
  }
  return result;
}

// n small whole numbers, exact in every type, no two neighbours alike (as bool: a pattern).
template <class T>
std::vector<T> plain(int64_t n) {
  std::vector<T> result;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t number = i * 7919 % 101;
    result.push_back(convert_element<T>(std::is_same_v<T, bool> ? number % 3 : number));
  }
  return result;
}

template <int D, class T = float>
Array<D, T> plain_array(const Shape<D>& shape) {
  return Array<D, T>(plain<T>(shape.size()), shape);
}

}  // namespace tutti::test
