// Harris corners of a colour image: gradients by Sobel filters, sums of their products over 3x3
// windows, determinant less a part of the squared trace.
#include "bench/pipelines/image.hpp"

namespace tutti::bench {
namespace {

constexpr float parts[3] = {0.299f, 0.587f, 0.114f};
using Image = Array<2, float>;
using Planes = Array<3, float>;

Image window_sum(const Image& a) {
  Image total = shift(a, {1, 1});
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x)
      if (y != -1 || x != -1) total += shift(a, {-y, -x});
  return total;
}

Image harris(const Planes& in) {
  const Image grey = parts[0] * Image(in[0]) + parts[1] * Image(in[1]) + parts[2] * Image(in[2]);
  const auto at = [&](int y, int x) { return shift(grey, {-y, -x}); };
  const Image dy = (at(1, -1) - at(-1, -1)) / 12.0f + (at(1, 0) - at(-1, 0)) / 6.0f +
                   (at(1, 1) - at(-1, 1)) / 12.0f;
  const Image dx = (at(-1, 1) - at(-1, -1)) / 12.0f + (at(0, 1) - at(0, -1)) / 6.0f +
                   (at(1, 1) - at(1, -1)) / 12.0f;
  const Image xx = window_sum(dx * dx), yy = window_sum(dy * dy), xy = window_sum(dx * dy);
  const Image trace = xx + yy;
  return xx * yy - xy * xy - 0.04f * trace * trace;
}

namespace baseline {

constexpr int reach = 1, margin = 4;

// Products of gradients of a row, in three rows of scratch memory.
void gradients(const float* up, const float* at, const float* down, float* __restrict xx,
               float* __restrict yy, float* __restrict xy, int columns) {
  for (int x = -reach; x < columns + reach; ++x) {
    const float dy =
        (down[x - 1] - up[x - 1]) / 12 + (down[x] - up[x]) / 6 + (down[x + 1] - up[x + 1]) / 12;
    const float dx = (up[x + 1] - up[x - 1]) / 12 + (at[x + 1] - at[x - 1]) / 6 +
                     (down[x + 1] - down[x - 1]) / 12;
    xx[x] = dx * dx, yy[x] = dy * dy, xy[x] = dx * dy;
  }
}

float sum9(const float* a, const float* b, const float* c, int x) {
  return a[x - 1] + a[x] + a[x + 1] + b[x - 1] + b[x] + b[x + 1] + c[x - 1] + c[x] + c[x + 1];
}

void harris(const float* in, float* out, int rows, int columns) {
  const size_t plane = static_cast<size_t>(rows) * static_cast<size_t>(columns);
  parallel_rows(rows, [=](int first, int last) {
    ScratchRows grey(3, columns), products(9, columns);
    const auto grey_of = [&](int y) { return grey[(y + 3) % 3]; };
    const auto fill_grey = [&](int y) {
      const float* row = clamped_row(in, y, rows, columns);
      float* to = grey_of(y);
      for (int x = 0; x < columns; ++x)
        to[x] = parts[0] * row[x] + parts[1] * row[x + plane] + parts[2] * row[x + 2 * plane];
      clamp_margins(to, columns, margin);
    };
    const auto product = [&](int y, int which) { return products[(y + 3) % 3 * 3 + which]; };
    // Rows of products beyond the border are those of the border, as for every other image.
    const auto fill_products = [&](int y) {
      gradients(grey_of(y - 1), grey_of(y), grey_of(y + 1), product(y, 0), product(y, 1),
                product(y, 2), columns);
      for (int which = 0; which < 3; ++which) clamp_margins(product(y, which), columns, 1);
    };
    const auto copy_products = [&](int from, int to) {
      for (int which = 0; which < 3; ++which)
        std::copy(product(from, which) - 1, product(from, which) + columns + 1,
                  product(to, which) - 1);
    };
    fill_grey(first - 2);
    fill_grey(first - 1);
    for (int y = first - 1; y <= last; ++y) {
      fill_grey(y + 1);
      if (y == rows)
        copy_products(y - 1, y);
      else if (y >= 0)
        fill_products(y);
      if (y == 0) copy_products(0, -1);
      if (y <= first) continue;
      float* to = out + static_cast<size_t>(y - 1) * static_cast<size_t>(columns);
      const auto p = [&](int row, int which) { return product(row, which); };
      const float *a0 = p(y - 2, 0), *b0 = p(y - 1, 0), *c0 = p(y, 0);
      const float *a1 = p(y - 2, 1), *b1 = p(y - 1, 1), *c1 = p(y, 1);
      const float *a2 = p(y - 2, 2), *b2 = p(y - 1, 2), *c2 = p(y, 2);
#pragma omp simd
      for (int x = 0; x < columns; ++x) {
        const float xx = sum9(a0, b0, c0, x), yy = sum9(a1, b1, c1, x), xy = sum9(a2, b2, c2, x);
        const float trace = xx + yy;
        to[x] = xx * yy - xy * xy - 0.04f * trace * trace;
      }
    }
  });
}

}  // namespace baseline

Workload prepare(int rows, int columns) {
  const Buffer<> pixels = colour_planes(rows, columns);
  const Buffer<> result(pixels.size() / 3);
  const Planes image = in_memory(pixels, 3, rows, columns);
  return workload([=] { return harris(image); },
                  [=] { baseline::harris(pixels.data(), result.data(), rows, columns); }, result,
                  16.0 * static_cast<double>(result.size()), {pixels});
}

}  // namespace

Comparison harris_benchmark() {
  return {.name = "harris",
          .description = "Harris corners of three planes",
          .sizes = image_sizes(prepare),
          .tolerance = 1e-5,
          .reason = "differences of products lose digits, and the baseline contracts them"};
}

}  // namespace tutti::bench
