// The mixing step of `hash`, in terms that evaluators on the host and on contexts share: 32 bits,
// multiplications that wrap, shifts that fill with zeros.
#pragma once
#include <cstdint>

namespace tutti::nesl::hashing {

struct Round {
  std::uint32_t shift, factor;
};
constexpr std::uint32_t spread = 0x9E3779B1u;
constexpr Round rounds[] = {{15, 0x85EBCA77u}, {13, 0xC2B2AE3Du}};
constexpr std::uint32_t last_shift = 16;

// Of a value and what was hashed before it.
constexpr std::uint32_t mix(std::uint32_t seed, std::uint32_t value) {
  std::uint32_t h = seed * spread + value;
  for (const Round& round : rounds) h = (h ^ (h >> round.shift)) * round.factor;
  return h ^ (h >> last_shift);
}

}  // namespace tutti::nesl::hashing
