// The weights of the chain of stencils, for Tutti, the loops and Halide.
#pragma once
#include <cstdint>

namespace tutti::bench::chain {

constexpr int stages = 32;

// From 1 to 7, at an offset of -2 to 2 along each axis. They cannot be separated.
constexpr uint16_t weight(int row, int column) {
  return static_cast<uint16_t>(1 + (3 * (row + 2) + 5 * (column + 2)) % 7);
}

}  // namespace tutti::bench::chain
