// A colour image from a Bayer pattern by the 5x5 linear filters of Malvar, He and Cutler (ICASSP
// 2004). Even rows are red, green, odd ones green, blue; beyond the border the nearest pixel
// counts.
#include "bench/harness/inputs.hpp"
#include "bench/harness/registry.hpp"
#include "bench/harness/rows.hpp"
#include "tutti/tutti.hpp"

namespace tutti::bench {
namespace {

using Image = Array<2, float>;

Array<2, Value3f> demosaic(const Image& raw) {
  auto at = [&](int down, int right) { return shift(raw, {-down, -right}); };
  const Image rows1 = at(-1, 0) + at(1, 0), columns1 = at(0, -1) + at(0, 1);
  const Image rows2 = at(-2, 0) + at(2, 0), columns2 = at(0, -2) + at(0, 2);
  const Image corners = at(-1, -1) + at(-1, 1) + at(1, -1) + at(1, 1);

  // What a colour is where the raw pixel has another: green, and red or blue from the same row, the
  // same column or the diagonal.
  const Image green = (4.0f * raw + 2.0f * (rows1 + columns1) - (rows2 + columns2)) * 0.125f;
  const Image same_row =
      (5.0f * raw + 4.0f * columns1 - columns2 - corners + 0.5f * rows2) * 0.125f;
  const Image same_column =
      (5.0f * raw + 4.0f * rows1 - rows2 - corners + 0.5f * columns2) * 0.125f;
  const Image diagonal = (6.0f * raw + 2.0f * corners - 1.5f * (rows2 + columns2)) * 0.125f;

  const Array<2, bool> red_row = index(raw.shape(), 0) % 2 == 0;
  const Array<2, bool> red_column = index(raw.shape(), 1) % 2 == 0;
  return join(
      cond(red_row, cond(red_column, raw, same_row), cond(red_column, same_column, diagonal)),
      cond(red_row == red_column, green, raw),
      cond(red_row, cond(red_column, diagonal, same_column), cond(red_column, same_row, raw)));
}

namespace baseline {

// The rows around one, from two above to two below.
using Window = std::array<const float*, 5>;

struct Colours {
  float* red;
  float* green;
  float* blue;
  Colours row(size_t offset) const { return {red + offset, green + offset, blue + offset}; }
};

// One pixel; its neighbours' columns are given because they differ at the border.
template <bool red_row>
inline void demosaic_pixel(const Window& rows, Colours out, int x, int west2, int west, int east,
                           int east2) {
  const float raw = rows[2][x];
  const float rows1 = rows[1][x] + rows[3][x], columns1 = rows[2][west] + rows[2][east];
  const float rows2 = rows[0][x] + rows[4][x], columns2 = rows[2][west2] + rows[2][east2];
  const float corners = rows[1][west] + rows[1][east] + rows[3][west] + rows[3][east];
  const float green = (4 * raw + 2 * (rows1 + columns1) - (rows2 + columns2)) * 0.125f;
  const float same_row = (5 * raw + 4 * columns1 - columns2 - corners + 0.5f * rows2) * 0.125f;
  const float same_column = (5 * raw + 4 * rows1 - rows2 - corners + 0.5f * columns2) * 0.125f;
  const float diagonal = (6 * raw + 2 * corners - 1.5f * (rows2 + columns2)) * 0.125f;
  const bool even = x % 2 == 0;
  out.green[x] = even == red_row ? green : raw;
  float* own = red_row ? out.red : out.blue;    // the colour that this row has besides green
  float* other = red_row ? out.blue : out.red;  // the colour that it lacks
  own[x] = even == red_row ? raw : same_row;
  other[x] = even == red_row ? diagonal : same_column;
}

template <bool red_row>
void demosaic_row(const Window& rows, const Colours& out, int columns) {
  auto border = [&](int x) {
    auto near = [&](int column) { return std::clamp(column, 0, columns - 1); };
    demosaic_pixel<red_row>(rows, out, x, near(x - 2), near(x - 1), near(x + 1), near(x + 2));
  };
  for (int x : {0, 1, columns - 2, columns - 1}) border(x);
#pragma omp simd  // the colours overlap neither the raw image nor each other
  for (int x = 2; x < columns - 2; ++x)
    demosaic_pixel<red_row>(rows, out, x, x - 2, x - 1, x + 1, x + 2);
}

void demosaic(const float* raw, const Colours& out, int rows, int columns) {
  parallel_rows(rows, [=](int first, int last) {
    for (int y = first; y < last; ++y) {
      Window window;
      for (int k = 0; k < 5; ++k)
        window[k] = raw + static_cast<size_t>(std::clamp(y + k - 2, 0, rows - 1)) * columns;
      const Colours row = out.row(static_cast<size_t>(y) * columns);
      if (y % 2 == 0)
        demosaic_row<true>(window, row, columns);
      else
        demosaic_row<false>(window, row, columns);
    }
  });
}

}  // namespace baseline

Workload prepare(int side) {
  const size_t count = static_cast<size_t>(side) * side;
  const Buffer<> pixels = grey_image(side, side);
  const Buffer<> red(count), green(count), blue(count);
  const Image raw(pixels, side, side);
  raw.evaluate();
  const baseline::Colours out{red.data(), green.data(), blue.data()};
  return {
      .tutti = [=] { demosaic(raw).evaluate(); },
      .baseline = [=] { baseline::demosaic(pixels.data(), out, side, side); },
      .disagreement =
          [=] {
            const Array<2, Value3f> image = demosaic(raw);
            return std::max({disagreement(red, image.component(0)),
                             disagreement(green, image.component(1)),
                             disagreement(blue, image.component(2))});
          },
      .bytes = 4.0 * count * sizeof(float),
      .inputs = {pixels},
      .outputs = {red, green, blue},
  };
}

}  // namespace

Comparison demosaic_benchmark() {
  return {.name = "demosaic",
          .description = "colour image from a Bayer pattern (Malvar, He and Cutler)",
          .sizes = square_sizes(1000, prepare),
          .gpu_sizes = {square_size(8192, prepare)}};
}

}  // namespace tutti::bench
