// Speckle-reducing anisotropic diffusion (Rodinia's srad): statistics of the image, coefficients
// from gradients, and a divergence, for some steps.
#include <tbb/parallel_reduce.h>

#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int steps = 4;
using Image = Array<2, float>;

Image srad(Image j) {
  const float size = static_cast<float>(j.size());
  for (int i = 0; i < steps; ++i) {
    const Array<0, float> mean = sum(j) / size, squares = sum(j * j) / size;
    const Array<0, float> q0 = (squares - mean * mean) / (mean * mean);
    const Image north = shift(j, {1, 0}) - j, south = shift(j, {-1, 0}) - j;
    const Image west = shift(j, {0, 1}) - j, east = shift(j, {0, -1}) - j;
    const Image g2 = (north * north + south * south + west * west + east * east) / (j * j);
    const Image l = (north + south + west + east) / j;
    const Image num = 0.5f * g2 - 0.0625f * (l * l), den = 1.0f + 0.25f * l;
    const Image q = num / (den * den);
    const Image c = clamp(1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0))), 0.0f, 1.0f);
    const Image divergence =
        c * north + shift(c, {-1, 0}) * south + c * west + shift(c, {0, -1}) * east;
    j = j + 0.125f * divergence;
  }
  return j;
}

namespace baseline {

struct Sums {
  double total = 0, squares = 0;
};

Sums sums(const float* image, size_t count) {
  using Range = tbb::blocked_range<size_t>;
  return tbb::parallel_reduce(
      Range(0, count, 1 << 15), Sums(),
      [=](const Range& range, Sums s) {
        float total[16] = {}, squares[16] = {};
        for (size_t i = range.begin(); i < range.end(); i += 16)
          for (size_t k = 0; k < 16; ++k) {
            total[k] += image[i + k];
            squares[k] += image[i + k] * image[i + k];
          }
        for (size_t k = 0; k < 16; ++k) s.total += total[k], s.squares += squares[k];
        return s;
      },
      [](const Sums& a, const Sums& b) { return Sums{a.total + b.total, a.squares + b.squares}; });
}

void coefficients(const float* image, float* c, int side, float q0) {
  parallel_rows(side, [=](int first, int last) {
    for (int y = first; y < last; ++y) {
      const float *at = clamped_row(image, y, side, side),
                  *up = clamped_row(image, y - 1, side, side);
      const float* down = clamped_row(image, y + 1, side, side);
      float* to = clamped_row(c, y, side, side);
      const auto one = [&](int x, int left, int right) {
        const float j = at[x], n = up[x] - j, s = down[x] - j, w = at[left] - j, e = at[right] - j;
        const float g2 = (n * n + s * s + w * w + e * e) / (j * j), l = (n + s + w + e) / j;
        const float num = 0.5f * g2 - 0.0625f * (l * l), den = 1 + 0.25f * l;
        const float q = num / (den * den);
        const float value = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
        to[x] = std::min(std::max(value, 0.0f), 1.0f);
      };
      one(0, 0, 1);
#pragma omp simd
      for (int x = 1; x < side - 1; ++x) one(x, x - 1, x + 1);
      one(side - 1, side - 2, side - 1);
    }
  });
}

void diffuse(const float* image, const float* c, float* out, int side) {
  parallel_rows(side, [=](int first, int last) {
    for (int y = first; y < last; ++y) {
      const float *at = clamped_row(image, y, side, side),
                  *up = clamped_row(image, y - 1, side, side);
      const float *down = clamped_row(image, y + 1, side, side),
                  *own = clamped_row(c, y, side, side);
      const float* below = clamped_row(c, y + 1, side, side);
      float* to = clamped_row(out, y, side, side);
      const auto one = [&](int x, int left, int right) {
        const float j = at[x];
        to[x] = j + 0.125f * (own[x] * (up[x] - j) + below[x] * (down[x] - j) +
                              own[x] * (at[left] - j) + own[right] * (at[right] - j));
      };
      one(0, 0, 1);
#pragma omp simd
      for (int x = 1; x < side - 1; ++x) one(x, x - 1, x + 1);
      one(side - 1, side - 2, side - 1);
    }
  });
}

}  // namespace baseline

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * static_cast<size_t>(side);
  const Buffer<> start = random_numbers(count, 1, 2), result(count), other(count), c(count);
  const Image image = in_memory(start, side, side);
  return workload([=] { return srad(image); },
                  [=] {
                    const float* from = start.data();
                    for (int i = 0; i < steps; ++i) {
                      float* to = (steps - i) % 2 ? result.data() : other.data();
                      const auto [total, squares] = baseline::sums(from, count);
                      const double mean = total / static_cast<double>(count);
                      const double variance = squares / static_cast<double>(count) - mean * mean;
                      baseline::coefficients(from, c.data(), side,
                                             static_cast<float>(variance / (mean * mean)));
                      baseline::diffuse(from, c.data(), to, side);
                      from = to;
                    }
                  },
                  result, 8.0 * static_cast<double>(count) * steps, {start});
}

}  // namespace

Comparison srad_benchmark() {
  return {.name = "srad",
          .description = "four steps of speckle-reducing diffusion (Rodinia)",
          .sizes = square_sizes(1024, prepare),
          .tolerance = 1e-4,
          .reason = "the variance is a difference of sums, which are added in another order"};
}

}  // namespace tutti::bench
