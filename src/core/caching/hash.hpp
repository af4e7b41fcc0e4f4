// 64-bit hashes of words and bytes, for keys that are also compared in full (plans) or stored with
// their value (the disk cache). Not cryptographic.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti {

inline uint64_t mix(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Keys of graphs have thousands of words. Each step depends on the product of the one before it, so
// four chains run in parallel.
inline uint64_t hash_words(std::span<const uint64_t> words, uint64_t seed = 0x9e3779b97f4a7c15u) {
  const auto step = [](uint64_t h, uint64_t word) {
    return mix(h ^ word, 0xd6e8feb86659fd93u) + 0x2545f4914f6cdd1du;
  };
  std::array<uint64_t, 4> h{seed ^ words.size(), seed + 1, seed + 2, seed + 3};
  size_t i = 0;
  for (; i + h.size() <= words.size(); i += h.size())
    for (size_t lane = 0; lane < h.size(); ++lane) h[lane] = step(h[lane], words[i + lane]);
  for (; i < words.size(); ++i) h[0] = step(h[0], words[i]);
  for (size_t lane = 1; lane < h.size(); ++lane) h[0] = step(h[0], h[lane]);
  return mix(h[0], 0xa0761d6478bd642fu);
}

inline uint64_t hash_bytes(std::string_view bytes, uint64_t seed = 0x9e3779b97f4a7c15u) {
  uint64_t h = seed ^ bytes.size();
  while (!bytes.empty()) {
    uint64_t word = 0;
    const size_t count = bytes.size() < 8 ? bytes.size() : 8;
    __builtin_memcpy(&word, bytes.data(), count);
    h = mix(h ^ word, 0xd6e8feb86659fd93u) + 0x2545f4914f6cdd1du;
    bytes.remove_prefix(count);
  }
  return mix(h, 0xa0761d6478bd642fu);
}

}  // namespace tutti
