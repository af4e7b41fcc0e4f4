// Inputs of the benchmarks: the same on every machine and in every run.
#pragma once
#include <cstdint>

#include "bench/harness/host.hpp"

namespace tutti::bench {

// Returns numbers that are uniformly distributed over [low, high).
Buffer<> random_numbers(size_t count, float low, float high, uint64_t seed = 1);

// Returns a grey image of waves and noise. Its values are whole numbers from 0 to 255. So sums of a
// few thousand of them, or of their squares over a small window, are exact in any order. An arg min
// over such sums is the same on both sides. The waves are displaced by shift(row, column), the
// noise is not.
struct Displacement {
  double rows = 0;
  double columns = 0;
};
Buffer<> grey_image(int rows, int columns, Displacement (*shift)(int row, int column) = nullptr,
                    uint64_t seed = 1);

}  // namespace tutti::bench
