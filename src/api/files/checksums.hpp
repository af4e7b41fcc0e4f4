// The checksums of zip archives and PNG images.
#pragma once
#include <array>

#include "tutti/files.hpp"

namespace tutti::detail {

inline uint32_t crc32(ByteView bytes, uint32_t before = 0) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> result{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t remainder = i;
      for (int bit = 0; bit < 8; ++bit)
        remainder = remainder >> 1 ^ (remainder & 1 ? 0xEDB88320u : 0);
      result[i] = remainder;
    }
    return result;
  }();
  uint32_t crc = ~before;
  for (const std::byte byte : bytes)
    crc = table[(crc ^ static_cast<uint32_t>(byte)) & 255] ^ crc >> 8;
  return ~crc;
}

inline uint32_t adler32(ByteView bytes) {
  uint64_t a = 1, b = 0;
  for (const std::byte byte : bytes) {
    a = (a + static_cast<uint32_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return static_cast<uint32_t>(b << 16 | a);
}

}  // namespace tutti::detail
