// Maps an ElementType known at run time to a C++ type, and defines the meaning of conversions.
#pragma once
#include <cmath>
#include <limits>

#include "tutti/types.hpp"

namespace tutti {

template <class T>
struct TypeTag {
  using type = T;
};

// Calls f(TypeTag<T>{}) with the C++ type of an element type.
template <class F>
decltype(auto) visit_type(ElementType type, F&& f) {
  switch (type) {
    case ElementType::b8:
      return f(TypeTag<bool>{});
    case ElementType::i8:
      return f(TypeTag<int8_t>{});
    case ElementType::i16:
      return f(TypeTag<int16_t>{});
    case ElementType::i32:
      return f(TypeTag<int32_t>{});
    case ElementType::i64:
      return f(TypeTag<int64_t>{});
    case ElementType::u8:
      return f(TypeTag<uint8_t>{});
    case ElementType::u16:
      return f(TypeTag<uint16_t>{});
    case ElementType::u32:
      return f(TypeTag<uint32_t>{});
    case ElementType::u64:
      return f(TypeTag<uint64_t>{});
    case ElementType::f16:
      return f(TypeTag<half>{});
    case ElementType::f32:
      return f(TypeTag<float>{});
    case ElementType::f64:
      break;
  }
  return f(TypeTag<double>{});
}

template <class T>
T from_bits(uint64_t bits) {
  if constexpr (std::is_same_v<T, bool>)
    return bits != 0;
  else if constexpr (sizeof(T) == 1)
    return static_cast<T>(bits);
  else if constexpr (std::is_same_v<T, half>)
    return half::from_bits(static_cast<uint16_t>(bits));
  else if constexpr (sizeof(T) == 2)
    return static_cast<T>(bits);
  else if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<T>(bits);
}

// cast<To>: integers wrap; floating point to integer truncates and saturates, and NaN becomes 0;
// every value except zero is true, including NaN.
template <class To, class From>
To convert_element(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, half>) {
    return convert_element<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_same_v<To, half>) {
    return half(static_cast<float>(value));  // a double rounds twice, on every device
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (!(value == value)) return To{};
    // The least power of two beyond the range of To is exact in every floating-point type.
    constexpr From limit =
        static_cast<From>(uint64_t{1} << (std::numeric_limits<To>::digits - 1)) * 2;
    if (value >= limit) return std::numeric_limits<To>::max();
    if (std::is_signed_v<To> ? value < -limit : value <= From{-1})
      return std::numeric_limits<To>::min();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace tutti
