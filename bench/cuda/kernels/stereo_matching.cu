// Stereo matching in one kernel: a block computes a tile. For each disparity, a thread first slides
// down a column and stores the sums of seven squares above each other in shared memory. Then a
// thread slides along a row of those sums and keeps the least. The two buffers of sums take turns,
// so that one barrier a disparity is enough.
#include <cfloat>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

constexpr int disparities = 32, radius = 3, span = 2 * radius + 1;
constexpr int width = 64, height = 32;  // of the tile
constexpr int run = 16;                 // results that a thread slides over, down or along
constexpr int sum_columns = width + 2 * radius;
constexpr int sum_stride = sum_columns + 1;  // odd: lanes that are rows apart use different banks
constexpr int right_rows = height + 2 * radius;
constexpr int right_columns = sum_columns + disparities - 1;
constexpr int down_tasks = sum_columns * (height / run);  // 140
constexpr int along_tasks = height * (width / run);       // 128
constexpr int threads = 160;
static_assert(down_tasks <= threads && along_tasks <= threads);

__device__ int nearest(int i, int extent) { return min(max(i, 0), extent - 1); }

// The right picture from the tile's first column of sums, less the largest disparity.
__device__ void load_right(float (&tile)[right_rows][right_columns], const float* right, int y0,
                           int x0, int rows, int columns) {
  for (int r = threadIdx.x / 32; r < right_rows; r += threads / 32) {
    const float* row = right + static_cast<size_t>(nearest(y0 - radius + r, rows)) * columns;
    for (int c = threadIdx.x % 32; c < right_columns; c += 32)
      tile[r][c] = row[nearest(x0 - radius - (disparities - 1) + c, columns)];
  }
}

__global__ void __launch_bounds__(threads, 5)
    stereo_kernel(float* __restrict__ out, const float* __restrict__ left,
                  const float* __restrict__ right, int rows, int columns) {
  __shared__ float right_tile[right_rows][right_columns];
  __shared__ float sums[2][height][sum_stride];
  const int x0 = blockIdx.x * width, y0 = blockIdx.y * height;
  load_right(right_tile, right, y0, x0, rows, columns);

  // Down a column: its part of the left picture stays in registers. Beyond the border the nearest
  // difference counts, so the column itself is brought inside.
  const bool goes_down = threadIdx.x < down_tasks;
  const int column = threadIdx.x % sum_columns;
  const int down_first = min(static_cast<int>(threadIdx.x) / sum_columns, height / run - 1) * run;
  const int x = nearest(x0 - radius + column, columns);
  const int right_column = x - (x0 - radius - (disparities - 1));
  float left_column[run + span - 1];
#pragma unroll
  for (int i = 0; i < run + span - 1; ++i)
    left_column[i] =
        left[static_cast<size_t>(nearest(y0 - radius + down_first + i, rows)) * columns + x];

  const bool goes_along = threadIdx.x < along_tasks;
  const int row = threadIdx.x % height;
  const int along_first = threadIdx.x / height * run;
  float least[run], best[run];
#pragma unroll
  for (int i = 0; i < run; ++i) least[i] = FLT_MAX, best[i] = 0;
  __syncthreads();

  for (int d = 0; d < disparities; ++d) {
    auto& buffer = sums[d % 2];
    if (goes_down) {
      float squares[run + span - 1];
      float sum = 0;
#pragma unroll
      for (int i = 0; i < run + span - 1; ++i) {
        const float difference = left_column[i] - right_tile[down_first + i][right_column - d];
        squares[i] = difference * difference;
        sum += squares[i];
        if (i >= span) sum -= squares[i - span];
        if (i >= span - 1) buffer[down_first + i - (span - 1)][column] = sum;
      }
    }
    __syncthreads();
    if (goes_along) {
      float parts[run + span - 1];
      float cost = 0;
#pragma unroll
      for (int i = 0; i < run + span - 1; ++i) {
        parts[i] = buffer[row][along_first + i];
        cost += parts[i];
        if (i >= span) cost -= parts[i - span];
        if (i < span - 1) continue;
        const int o = i - (span - 1);
        best[o] = cost < least[o] ? static_cast<float>(d) : best[o];
        least[o] = fminf(cost, least[o]);
      }
    }
  }

  if (!goes_along || y0 + row >= rows) return;
  float* to = out + static_cast<size_t>(y0 + row) * columns + x0 + along_first;
#pragma unroll
  for (int i = 0; i < run; i += 4)
    if (x0 + along_first + i < columns)
      *reinterpret_cast<float4*>(to + i) =
          make_float4(best[i], best[i + 1], best[i + 2], best[i + 3]);
}

}  // namespace

Launch stereo_matching(Arrays& arrays) {
  const int side = arrays.side();
  return [=, &arrays] {
    const dim3 grid(blocks_for(side, width), blocks_for(side, height));
    stereo_kernel<<<grid, threads>>>(arrays.out(0), arrays.in(0), arrays.in(1), side, side);
  };
}

}  // namespace tutti::bench::cuda
