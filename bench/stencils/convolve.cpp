// A 5x5 Gaussian filter of a grey image, separated into columns and rows: the Accelerator paper's
// Figure 2. Beyond the border the nearest pixel counts.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

constexpr int taps = 5;
using Image = Array<2, float>;

Image blur(const Image& image, const Weights<taps>& kernel) {
  Image across(image.shape(), 0.0f);
  for (int i = 0; i < taps; ++i) across = fma(shift(image, {0, i - taps / 2}), kernel[i], across);
  Image result(image.shape(), 0.0f);
  for (int i = 0; i < taps; ++i) result = fma(shift(across, {i - taps / 2, 0}), kernel[i], result);
  return result;
}

namespace baseline {

void blur(const float* image, float* out, int rows, int columns, const Weights<taps>& kernel) {
  parallel_rows(rows, [=](int first, int last) {
    RowWindow down(columns, taps / 2);
    for (int y = first; y < last; ++y) {
      std::array<const float*, taps> window;
      for (int k = 0; k < taps; ++k) {
        const int near = std::clamp(y + k - taps / 2, 0, rows - 1);
        window[k] = image + static_cast<size_t>(near) * columns;
      }
      filter_columns<taps>(kernel, window, down.row(0), columns);
      down.clamp(0);
      filter_row<taps>(kernel, down.row(0), out + static_cast<size_t>(y) * columns, columns);
    }
  });
}

}  // namespace baseline

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> pixels = grey_image(side, side);
  const Buffer<> blurred(count);
  const Image image(pixels, side, side);
  image.evaluate();
  const Weights<taps> kernel = gaussian<taps>(1.0);
  return {
      .tutti = [=] { blur(image, kernel).evaluate(); },
      .baseline = [=] { baseline::blur(pixels.data(), blurred.data(), side, side, kernel); },
      .disagreement = [=] { return disagreement(blurred, blur(image, kernel)); },
      .bytes = 2.0 * count * sizeof(float),
      .inputs = {pixels},
      .outputs = {blurred},
  };
}

}  // namespace

Comparison convolve_benchmark() {
  return {.name = "convolve",
          .description = "5x5 Gaussian of a grey image, separated (Accelerator, Figure 2)",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(16384, prepare)}};
}

}  // namespace tutti::bench
