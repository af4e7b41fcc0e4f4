// The greatest of the 17 x 17 pixels around each one, along columns and then rows. Each window is
// made of two shorter ones.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr int reach = 8;
using Image = Array<2, float>;

// Windows around each pixel along an axis. Two of them make one that reaches twice as far.
Image along(const Image& in, int axis) {
  const auto moved = [&](const Image& a, int by) {
    return axis == 0 ? shift(a, {by, 0}) : shift(a, {0, by});
  };
  Image window = max(max(moved(in, 1), in), moved(in, -1));
  for (int half = 1; half < reach; half *= 2)
    window = max(moved(window, half), moved(window, -half));
  return window;
}

Image max_filter(const Image& in) { return along(along(in, 0), 1); }

namespace baseline {

void greater(const float* a, const float* b, float* out, int count) {
#pragma omp simd
  for (int x = 0; x < count; ++x) out[x] = a[x] > b[x] ? a[x] : b[x];
}

void max_filter(const float* in, float* out, int rows, int columns) {
  constexpr int window = 2 * reach + 1, block = 32;
  parallel_rows((rows + block - 1) / block,
                [=](int first, int last) {
                  ScratchRows work(block + 2 * reach, columns);
                  for (int b = first; b < last; ++b) {
                    const int top = b * block, height = std::min(block, rows - top);
                    const int lines = height + 2 * reach;
                    const auto input = [&](int i) {
                      return clamped_row(in, top + i - reach, rows, columns);
                    };
                    for (int i = 0; i + 1 < lines; ++i)
                      greater(input(i), input(i + 1), work[i], columns);
                    for (int length = 2; length < 2 * reach; length *= 2)
                      for (int i = 0; i + 2 * length <= lines; ++i)
                        greater(work[i], work[i + length], work[i], columns);
                    for (int i = 0; i < height; ++i) {
                      float* row = work[i];
                      greater(row, input(i + window - 1), row, columns);
                      clamp_margins(row, columns, reach);
                      float* first_pixel = row - reach;
                      const int wide = columns + 2 * reach;
                      float* to = out + static_cast<size_t>(top + i) * static_cast<size_t>(columns);
                      std::copy(first_pixel + 2 * reach, first_pixel + 2 * reach + columns, to);
                      for (int length = 1; length < 2 * reach; length *= 2)
                        greater(first_pixel, first_pixel + length, first_pixel, wide - length);
                      greater(first_pixel, to, to, columns);
                    }
                  }
                },
                1);
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> pixels = grey_image(rows, columns);
  const Buffer<> result(pixels.size());
  const Image image = in_memory(pixels, rows, columns);
  return workload([=] { return max_filter(image); },
                  [=] { baseline::max_filter(pixels.data(), result.data(), rows, columns); },
                  result, 8.0 * static_cast<double>(pixels.size()), {pixels});
}

}  // namespace

Comparison max_filter_benchmark() {
  return {.name = "max_filter",
          .description = "the greatest of 17 x 17 pixels, windows doubled step by step",
          .sizes = image_sizes(prepare)};
}

}  // namespace tutti::bench
