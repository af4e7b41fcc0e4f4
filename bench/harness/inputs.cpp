// Inputs of the benchmarks, from hashes and sines.
#include "bench/harness/inputs.hpp"

#include <cmath>

#include "bench/harness/rows.hpp"

namespace tutti::bench {
namespace {

// SplitMix64: a good random number for each index, without state.
uint64_t hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// From 0 to 1, exclusive.
double unit(uint64_t x) { return static_cast<double>(hash(x) >> 40) * 0x1p-24; }

// Waves of several lengths in several directions, between -1 and 1: no two places look alike.
double waves(double y, double x) {
  return 0.35 * std::sin(0.071 * x + 0.043 * y) + 0.25 * std::sin(0.23 * y - 0.11 * x) +
         0.2 * std::sin(0.37 * x + 0.29 * y) + 0.2 * std::sin(0.0031 * (x * x + 2 * y * y) / 100);
}

}  // namespace

Buffer<> random_numbers(size_t count, float low, float high, uint64_t seed) {
  Buffer<> numbers(count);
  const double width = static_cast<double>(high) - low;
  constexpr size_t piece = 1 << 16;
  parallel_rows(static_cast<int>((count + piece - 1) / piece), [&](int first, int last) {
    for (size_t i = first * piece; i < std::min(last * piece, count); ++i)
      numbers[i] = static_cast<float>(low + width * unit(i + (seed << 40)));
  });
  return numbers;
}

Buffer<> grey_image(int rows, int columns, Displacement (*shift)(int row, int column),
                    uint64_t seed) {
  Buffer<> image(static_cast<size_t>(rows) * columns);
  parallel_rows(rows, [&](int first, int last) {
    for (int y = first; y < last; ++y)
      for (int x = 0; x < columns; ++x) {
        const size_t i = static_cast<size_t>(y) * columns + x;
        const Displacement d = shift ? shift(y, x) : Displacement();
        const double noise = 6 * (unit(i + (seed << 40)) - 0.5);
        const double level = 127.5 + 120 * waves(y + d.rows, x + d.columns) + noise;
        image[i] = static_cast<float>(std::clamp(std::round(level), 0.0, 255.0));
      }
  });
  return image;
}

}  // namespace tutti::bench
