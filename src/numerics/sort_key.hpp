// The order of sorting: maps every element to an unsigned number of its size. Numbers ascend, -0
// equals +0, and NaNs are last, whether ascending or descending.
#pragma once
#include <bit>
#include <type_traits>

#include "tutti/types.hpp"

namespace tutti::ir {

template <int bytes>
using UnsignedOf = std::conditional_t<
    bytes == 1, uint8_t,
    std::conditional_t<bytes == 2, uint16_t, std::conditional_t<bytes == 4, uint32_t, uint64_t>>>;

template <class T>
UnsignedOf<sizeof(T)> sort_key(T x, bool descending) {
  using U = UnsignedOf<sizeof(T)>;
  constexpr U top = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
  constexpr U all = static_cast<U>(~U{0});
  U bits = std::bit_cast<U>(x);
  if constexpr (detail::kind<T> == 2) {
    constexpr int mantissa = sizeof(T) == 2 ? 10 : sizeof(T) == 4 ? 23 : 52;
    constexpr U magnitude = static_cast<U>(~top);
    constexpr U infinity = static_cast<U>(magnitude & ~((U{1} << mantissa) - 1));
    if ((bits & magnitude) > infinity) return all;
    if ((bits & magnitude) == 0) bits = 0;
    bits = static_cast<U>(bits & top ? ~bits : bits | top);
  } else if constexpr (std::is_signed_v<T>) {
    bits ^= top;
  }
  return descending ? static_cast<U>(~bits) : bits;
}

}  // namespace tutti::ir
