// Names, conversions and the binary16 format of element types.
#include "tutti/types.hpp"

#include "core/elements/convert.hpp"
#include "tutti/shape.hpp"

namespace tutti {

const char* name(ElementType type) {
  static constexpr const char* names[] = {"bool",   "int8",   "int16",  "int32", "int64", "uint8",
                                          "uint16", "uint32", "uint64", "half",  "float", "double"};
  return names[static_cast<int>(type)];
}

uint16_t half::encode(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return sign | 0x7e00u;   // NaN
  if (magnitude >= 0x477ff000u) return sign | 0x7c00u;  // rounds to infinity
  if (magnitude < 0x33000001u) return sign;             // rounds to zero
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  const int shift = exponent < -14 ? 13 + (-14 - exponent) : 13;  // subnormals lose more bits
  const uint32_t half_way = 1u << (shift - 1), rest = mantissa & ((1u << shift) - 1);
  mantissa >>= shift;
  if (rest > half_way || (rest == half_way && (mantissa & 1))) ++mantissa;
  const uint32_t base = exponent < -14 ? 0 : static_cast<uint32_t>(exponent + 14) << 10;
  return static_cast<uint16_t>(sign | (base + mantissa));  // a carry moves into the exponent
}

float half::decode(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1fu, mantissa = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

ScalarValue convert(ScalarValue value, ElementType type) {
  return visit_type(value.type, [&](auto from) {
    using From = typename decltype(from)::type;
    return visit_type(type, [&](auto to) {
      using To = typename decltype(to)::type;
      return scalar_value(convert_element<To>(from_bits<From>(value.bits)));
    });
  });
}

std::string detail::to_string(const Extents& extents) {
  std::string text = "{";
  for (int i = 0; i < extents.rank; ++i) text += (i ? ", " : "") + std::to_string(extents[i]);
  return text + "}";
}

}  // namespace tutti
