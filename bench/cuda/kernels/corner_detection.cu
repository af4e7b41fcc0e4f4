// The KLT corner detector in one kernel: a block computes a tile of the result, all stages in
// shared memory. In each stage a thread computes a run of results from registers, so that a number
// in shared memory is read about twice and not once for each tap.
#include "bench/cuda/kernels/arrays.cuh"
#include "bench/stencils/gaussian.hpp"

namespace tutti::bench::cuda {
namespace {

constexpr int width = 64, height = 32;  // of the tile
constexpr int threads = 288;            // four runs for each column of the products

// What a stage computes reaches beyond the tile: by 4 for the window, 1 for the gradient and 2 for
// the first filter. Odd strides keep lanes that are rows apart in different banks.
constexpr int product_columns = width + 8;
constexpr int smooth_rows = height + 10, smooth_columns = width + 10;
constexpr int image_rows = height + 14, image_columns = width + 14;
constexpr int product_stride = product_columns + 1;
constexpr int smooth_stride = smooth_columns + 1;
constexpr int image_stride = image_columns + 1;

constexpr int down_run = smooth_rows / 3;  // 14 rows, three runs a column
constexpr int across_run = 13;             // columns, six runs a row
constexpr int window_run = 8;              // rows of the averages, and columns of the result
static_assert(3 * image_columns <= threads && 6 * smooth_rows <= threads);
static_assert(6 * across_run >= smooth_columns);
static_assert(height / window_run * product_columns == threads);
static_assert(height * (width / window_run) <= threads);

constexpr float larger_weight = 0.5f;  // of the larger eigenvalue

struct FilterWeights {
  float noise[5], window[9];
};

__device__ int nearest(int i, int extent) { return min(max(i, 0), extent - 1); }

// out[i] = sum of weights[k] * in[i + k]
template <int taps, int count>
__device__ void filter(const float (&weights)[taps], const float (&in)[count + taps - 1],
                       float (&out)[count]) {
#pragma unroll
  for (int i = 0; i < count; ++i) {
    out[i] = weights[0] * in[i];
#pragma unroll
    for (int k = 1; k < taps; ++k) out[i] += weights[k] * in[i + k];
  }
}

// The memory of the first stages serves the last ones again.
constexpr int image_size = image_rows * image_stride, down_size = smooth_rows * image_stride;
constexpr int average_size = height * product_stride;
constexpr int work_size =
    image_size + down_size > 3 * average_size ? image_size + down_size : 3 * average_size;

// A tile at row y0 and column x0 of an image, with its place in shared memory.
struct Tile {
  float* work;
  float* smooth;
  int y0, x0, rows, columns;

  __device__ void load(const float* image) const {
    for (int r = threadIdx.x / 32; r < image_rows; r += threads / 32) {
      const float* row = image + static_cast<size_t>(nearest(y0 - 7 + r, rows)) * columns;
      for (int c = threadIdx.x % 32; c < image_columns; c += 32)
        work[r * image_stride + c] = row[nearest(x0 - 7 + c, columns)];
    }
  }

  __device__ void filter_down(const FilterWeights& weights) const {
    const int c = threadIdx.x % image_columns, first = threadIdx.x / image_columns * down_run;
    if (threadIdx.x >= 3 * image_columns) return;
    float in[down_run + 4], out[down_run];
#pragma unroll
    for (int i = 0; i < down_run + 4; ++i) in[i] = work[(first + i) * image_stride + c];
    filter<5>(weights.noise, in, out);
#pragma unroll
    for (int i = 0; i < down_run; ++i) work[image_size + (first + i) * image_stride + c] = out[i];
  }

  __device__ void filter_across(const FilterWeights& weights) const {
    const int r = threadIdx.x % smooth_rows, first = threadIdx.x / smooth_rows * across_run;
    if (threadIdx.x >= 6 * smooth_rows) return;
    const float* down = work + image_size + r * image_stride;
    float in[across_run + 4], out[across_run];
#pragma unroll
    for (int i = 0; i < across_run + 4; ++i) in[i] = down[min(first + i, image_columns - 1)];
    filter<5>(weights.noise, in, out);
#pragma unroll
    for (int i = 0; i < across_run; ++i)
      if (first + i < smooth_columns) smooth[r * smooth_stride + first + i] = out[i];
  }

  // Beyond the border of the image the nearest smooth element counts, not a filter of what lies
  // there.
  __device__ bool at_border() const {
    return y0 < 5 || x0 < 5 || y0 + height + 5 > rows || x0 + width + 5 > columns;
  }
  __device__ void repeat_border() const {
    for (int r = threadIdx.x / 32; r < smooth_rows; r += threads / 32)
      for (int c = threadIdx.x % 32; c < smooth_columns; c += 32) {
        const int from_r = nearest(y0 - 5 + r, rows) - (y0 - 5);
        const int from_c = nearest(x0 - 5 + c, columns) - (x0 - 5);
        if (from_r != r || from_c != c)
          smooth[r * smooth_stride + c] = smooth[from_r * smooth_stride + from_c];
      }
  }

  // The products of the gradient's parts, averaged down the columns.
  __device__ void average_down(const FilterWeights& weights) const {
    const int c = threadIdx.x % product_columns;
    const int first = threadIdx.x / product_columns * window_run;
    const int smooth_c = nearest(x0 - 4 + c, columns) - (x0 - 5);
    float average[3][window_run] = {};
#pragma unroll
    for (int i = 0; i < window_run + 8; ++i) {
      const int smooth_r = nearest(y0 - 4 + first + i, rows) - (y0 - 5);
      const float* here = smooth + smooth_r * smooth_stride + smooth_c;
      const float dx = 0.5f * (here[1] - here[-1]);
      const float dy = 0.5f * (here[smooth_stride] - here[-smooth_stride]);
      const float product[3] = {dx * dx, dx * dy, dy * dy};
#pragma unroll
      for (int k = 0; k < 9; ++k) {
        const int o = i - k;  // the result that this is tap k of
        if (o < 0 || o >= window_run) continue;
#pragma unroll
        for (int p = 0; p < 3; ++p) average[p][o] += weights.window[k] * product[p];
      }
    }
#pragma unroll
    for (int p = 0; p < 3; ++p)
#pragma unroll
      for (int o = 0; o < window_run; ++o)
        work[p * average_size + (first + o) * product_stride + c] = average[p][o];
  }

  __device__ void finish(const FilterWeights& weights, float* out) const {
    const int r = threadIdx.x % height, first = threadIdx.x / height * window_run;
    if (first >= width || y0 + r >= rows) return;
    float average[3][window_run];
#pragma unroll
    for (int p = 0; p < 3; ++p) {
      float in[window_run + 8];
      const float* row = work + p * average_size + r * product_stride + first;
#pragma unroll
      for (int i = 0; i < window_run + 8; ++i) in[i] = row[i];
      filter<9>(weights.window, in, average[p]);
    }
    float* to = out + static_cast<size_t>(y0 + r) * columns + x0 + first;
#pragma unroll
    for (int i = 0; i < window_run; i += 4) {
      if (x0 + first + i >= columns) return;
      float four[4];
#pragma unroll
      for (int k = 0; k < 4; ++k)
        four[k] = cornerness(average[0][i + k], average[1][i + k], average[2][i + k]);
      *reinterpret_cast<float4*>(to + i) = make_float4(four[0], four[1], four[2], four[3]);
    }
  }

  __device__ static float cornerness(float xx, float xy, float yy) {
    const float mean = 0.5f * (xx + yy), half = 0.5f * (xx - yy);
    const float spread = sqrtf(half * half + xy * xy);
    return larger_weight * (mean + spread) + (mean - spread);
  }
};

__global__ void __launch_bounds__(threads, 4)
    corner_kernel(float* __restrict__ out, const float* __restrict__ image, int rows, int columns,
                  FilterWeights weights) {
  __shared__ float work[work_size], smooth[smooth_rows * smooth_stride];
  const Tile tile{
      work, smooth, static_cast<int>(blockIdx.y) * height, static_cast<int>(blockIdx.x) * width,
      rows, columns};
  tile.load(image);
  __syncthreads();
  tile.filter_down(weights);
  __syncthreads();
  tile.filter_across(weights);
  __syncthreads();
  if (tile.at_border()) {
    tile.repeat_border();
    __syncthreads();
  }
  tile.average_down(weights);
  __syncthreads();
  tile.finish(weights, out);
}

}  // namespace

Launch corner_detection(Arrays& arrays) {
  const int side = arrays.side();
  const Weights<5> noise = gaussian<5>(1.0);
  const Weights<9> window = gaussian<9>(2.0);
  FilterWeights weights;
  for (int i = 0; i < 5; ++i) weights.noise[i] = noise[i];
  for (int i = 0; i < 9; ++i) weights.window[i] = window[i];
  return [=, &arrays] {
    const dim3 grid(blocks_for(side, width), blocks_for(side, height));
    corner_kernel<<<grid, threads>>>(arrays.out(0), arrays.in(0), side, side, weights);
  };
}

}  // namespace tutti::bench::cuda
