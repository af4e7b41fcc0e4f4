// The Game of Life, a separable 5x5 filter and demosaicking: one pass over the image each, marching
// down the columns (rows.cuh). Strips are long enough that reading the rows around them costs
// little and short enough to fill the device.
#include "bench/cuda/kernels/rows.cuh"
#include "bench/stencils/gaussian.hpp"

namespace tutti::bench::cuda {
namespace {

constexpr int life_strip = 30;  // a multiple of the three rows in use

__global__ void life_kernel(float* __restrict__ out, const float* __restrict__ cells, int rows,
                            int columns) {
  const March at(columns, life_strip);
  float own[3][4], three[3][4];  // the cells, and the sums of three side by side
  RowPiece<1, Border::wrap> piece;
  piece.load(cells, at.first_row - 1, at.x, rows, columns);
  auto take = [&](int y, int slot) {  // row y, which is there; asks for the one below
    float v[6];
    const auto current = piece;
    piece.load(cells, y + 1, at.x, rows, columns);
    current.spread(at.x, columns, v);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      own[slot][k] = v[k + 1];
      three[slot][k] = v[k] + v[k + 1] + v[k + 2];
    }
  };
  take(at.first_row - 1, 0);
  take(at.first_row, 1);
  for (int base = 0; base < life_strip; base += 3) {
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const int y = at.first_row + base + i;
      if (y >= rows) return;
      take(y + 1, (i + 2) % 3);
      float next[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const float nine = three[0][k] + three[1][k] + three[2][k];
        const bool lives = nine == 3.0f || (nine == 4.0f && own[(i + 1) % 3][k] == 1.0f);
        next[k] = lives ? 1.0f : 0.0f;
      }
      store_four(out, y, at, columns, next);
    }
  }
}

constexpr int blur_taps = 5;
constexpr int blur_strip = 40;  // a multiple of the taps

struct BlurWeights {
  float w[blur_taps];
};

__global__ void blur_kernel(float* __restrict__ out, const float* __restrict__ image, int rows,
                            int columns, BlurWeights weights) {
  const March at(columns, blur_strip);
  float across[blur_taps][4];  // the last rows, filtered along themselves
  RowPiece<blur_taps / 2, Border::clamp> piece;
  piece.load(image, at.first_row - blur_taps / 2, at.x, rows, columns);
  auto take = [&](int y, int slot) {  // row y, which is there; asks for the one below
    float v[4 + blur_taps - 1];
    const auto current = piece;
    piece.load(image, y + 1, at.x, rows, columns);
    current.spread(at.x, columns, v);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float total = 0;
#pragma unroll
      for (int j = 0; j < blur_taps; ++j) total += weights.w[j] * v[k + j];
      across[slot][k] = total;
    }
  };
#pragma unroll
  for (int i = 0; i < blur_taps - 1; ++i) take(at.first_row + i - blur_taps / 2, i);
  for (int base = 0; base < blur_strip; base += blur_taps) {
#pragma unroll
    for (int i = 0; i < blur_taps; ++i) {
      const int y = at.first_row + base + i;
      if (y >= rows) return;
      take(y + blur_taps / 2, (i + blur_taps - 1) % blur_taps);
      float result[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        result[k] = 0;
#pragma unroll
        for (int j = 0; j < blur_taps; ++j)
          result[k] += weights.w[j] * across[(i + j) % blur_taps][k];
      }
      store_four(out, y, at, columns, result);
    }
  }
}

constexpr int demosaic_strip = 20;  // a multiple of five rows in use times two kinds of rows

struct Colours {
  float *red, *green, *blue;
};

// The pixel at column k of the four, in a row with red pixels or one with blue ones; which of them
// is known when the rows are unrolled.
__device__ void demosaic_pixel(bool red_row, const float (&above2)[8], const float (&above)[8],
                               const float (&here)[8], const float (&below)[8],
                               const float (&below2)[8], int k, float& red, float& green,
                               float& blue) {
  const int x = k + 2;
  const float raw = here[x];
  const float rows1 = above[x] + below[x], columns1 = here[x - 1] + here[x + 1];
  const float rows2 = above2[x] + below2[x], columns2 = here[x - 2] + here[x + 2];
  const float corners = above[x - 1] + above[x + 1] + below[x - 1] + below[x + 1];
  const float cross = (4 * raw + 2 * (rows1 + columns1) - (rows2 + columns2)) * 0.125f;
  const float same_row = (5 * raw + 4 * columns1 - columns2 - corners + 0.5f * rows2) * 0.125f;
  const float same_column = (5 * raw + 4 * rows1 - rows2 - corners + 0.5f * columns2) * 0.125f;
  const float diagonal = (6 * raw + 2 * corners - 1.5f * (rows2 + columns2)) * 0.125f;
  const bool lacks_green = (k % 2 == 0) == red_row;
  green = lacks_green ? cross : raw;
  float& own = red_row ? red : blue;    // the colour that this row has besides green
  float& other = red_row ? blue : red;  // the colour that it lacks
  own = lacks_green ? raw : same_row;
  other = lacks_green ? diagonal : same_column;
}

__global__ void demosaic_kernel(Colours out, const float* __restrict__ raw, int rows, int columns) {
  const March at(columns, demosaic_strip);
  float window[5][8];
  RowPiece<2, Border::clamp> piece;
  piece.load(raw, at.first_row - 2, at.x, rows, columns);
  auto take = [&](int y, int slot) {  // row y, which is there; asks for the one below
    const auto current = piece;
    piece.load(raw, y + 1, at.x, rows, columns);
    current.spread(at.x, columns, window[slot]);
  };
#pragma unroll
  for (int i = 0; i < 4; ++i) take(at.first_row + i - 2, i);
  for (int base = 0; base < demosaic_strip; base += 10) {
#pragma unroll
    for (int i = 0; i < 10; ++i) {
      const int y = at.first_row + base + i;
      if (y >= rows) return;
      take(y + 2, (i + 4) % 5);
      float red[4], green[4], blue[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        demosaic_pixel(i % 2 == 0, window[i % 5], window[(i + 1) % 5], window[(i + 2) % 5],
                       window[(i + 3) % 5], window[(i + 4) % 5], k, red[k], green[k], blue[k]);
      }
      store_four(out.red, y, at, columns, red);
      store_four(out.green, y, at, columns, green);
      store_four(out.blue, y, at, columns, blue);
    }
  }
}

}  // namespace

Launch life(Arrays& arrays) {
  const int side = arrays.side();
  return [=, &arrays] {
    life_kernel<<<march_grid(side, side, life_strip), march_threads>>>(arrays.out(0), arrays.in(0),
                                                                       side, side);
  };
}

Launch convolve(Arrays& arrays) {
  const int side = arrays.side();
  const Weights<blur_taps> kernel = gaussian<blur_taps>(1.0);
  BlurWeights weights;
  for (int i = 0; i < blur_taps; ++i) weights.w[i] = kernel[i];
  return [=, &arrays] {
    blur_kernel<<<march_grid(side, side, blur_strip), march_threads>>>(arrays.out(0), arrays.in(0),
                                                                       side, side, weights);
  };
}

Launch demosaic(Arrays& arrays) {
  const int side = arrays.side();
  const Colours out{arrays.out(0), arrays.out(1), arrays.out(2)};
  return [=, &arrays] {
    demosaic_kernel<<<march_grid(side, side, demosaic_strip), march_threads>>>(out, arrays.in(0),
                                                                               side, side);
  };
}

}  // namespace tutti::bench::cuda
