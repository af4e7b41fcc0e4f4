// Unsharp mask of a colour image: the ratio of sharpened to plain grey scales every colour.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int taps = 7;
constexpr float parts[3] = {0.299f, 0.587f, 0.114f};
using Image = Array<2, float>;
using Planes = Array<3, float>;

Planes unsharp(const Planes& in, const Weights<taps>& kernel) {
  const Image grey = parts[0] * Image(in[0]) + parts[1] * Image(in[1]) + parts[2] * Image(in[2]);
  Image down = kernel[0] * shift(grey, {taps / 2, 0});
  for (int k = 1; k < taps; ++k) down += kernel[k] * shift(grey, {taps / 2 - k, 0});
  Image across = kernel[0] * shift(down, {0, taps / 2});
  for (int k = 1; k < taps; ++k) across += kernel[k] * shift(down, {0, taps / 2 - k});
  const Image ratio = (2.0f * grey - across) / grey;
  return in * add_dimension(ratio, 0, 3);
}

namespace baseline {

void grey_row(const float* in, size_t plane, float* __restrict out, int columns) {
  for (int x = 0; x < columns; ++x)
    out[x] = parts[0] * in[x] + parts[1] * in[x + plane] + parts[2] * in[x + 2 * plane];
}

void unsharp(const float* in, float* out, int rows, int columns, const Weights<taps>& kernel) {
  const size_t plane = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  parallel_rows(rows, [=](int first, int last) {
    ScratchRows grey(taps, columns), work(2, columns);
    const auto kept = [&](int y) { return grey[(y + taps) % taps]; };
    const auto fill = [&](int y) {
      grey_row(clamped_row(in, y, rows, columns), plane, kept(y), columns);
    };
    for (int y = first - taps / 2; y < first + taps / 2; ++y) fill(y);
    for (int y = first; y < last; ++y) {
      fill(y + taps / 2);
      std::array<const float*, taps> window;
      for (int k = 0; k < taps; ++k) window[static_cast<size_t>(k)] = kept(y + k - taps / 2);
      filter_columns<taps>(kernel, window, work[0], columns);
      clamp_margins(work[0], columns, taps / 2);
      filter_row<taps>(kernel, work[0], work[1], columns);
      const float* g = kept(y);
      float* ratio = work[1];
      for (int x = 0; x < columns; ++x) ratio[x] = (2 * g[x] - ratio[x]) / g[x];
      for (size_t c = 0; c < 3; ++c) {
        const size_t row = c * plane + static_cast<size_t>(y) * static_cast<size_t>(columns);
        const float* from = in + row;
        float* to = out + row;
#pragma omp simd
        for (int x = 0; x < columns; ++x) to[x] = from[x] * ratio[x];
      }
    }
  });
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> pixels = colour_planes(rows, columns);
  for (float& x : pixels) x += 0.1f;  // no grey is zero
  const Buffer<> result(pixels.size());
  const Planes image = in_memory(pixels, 3, rows, columns);
  const Weights<taps> kernel = gaussian<taps>(1.5);
  return workload([=] { return unsharp(image, kernel); },
                  [=] { baseline::unsharp(pixels.data(), result.data(), rows, columns, kernel); },
                  result, 8.0 * static_cast<double>(pixels.size()), {pixels});
}

}  // namespace

Comparison unsharp_benchmark() {
  return {.name = "unsharp",
          .description = "unsharp mask of three planes, a Gaussian of seven taps",
          .sizes = image_sizes(prepare)};
}

}  // namespace tutti::bench
