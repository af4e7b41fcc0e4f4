// Circles by a sparse mask, the Fourier transform of rows, and the plain matrix product: each as a
// person would write it who does not reach for a library.
#include <cmath>
#include <vector>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

// ---- circles: the taps in constant memory

struct Tap {
  int row, column;
};
constexpr int most_taps = 256;
__constant__ Tap taps[most_taps];

__global__ void circles_kernel(float* __restrict__ out, const float* __restrict__ image, int side,
                               int count) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= side || column >= side) return;
  float total = 0;
  for (int k = 0; k < count; ++k) {
    const int y = row + taps[k].row, x = column + taps[k].column;
    if (y >= 0 && y < side && x >= 0 && x < side) total += image[static_cast<size_t>(y) * side + x];
  }
  out[static_cast<size_t>(row) * side + column] = total;
}

// ---- the Fourier transform: a block takes a row through all stages in shared memory

__global__ void fft_kernel(float* __restrict__ out_real, float* __restrict__ out_imaginary,
                           const float* __restrict__ real, const float* __restrict__ imaginary,
                           const float2* __restrict__ roots, int n) {
  extern __shared__ float2 rows[];
  float2 *from = rows, *to = rows + n;
  const size_t row = static_cast<size_t>(blockIdx.x) * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    from[i] = make_float2(real[row + i], imaginary[row + i]);
  for (int length = 1; length < n; length *= 2) {
    __syncthreads();
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
      const int k = i & (length - 1);
      const float2 w = roots[k * (n / 2 / length)], a = from[i], b = from[i + n / 2];
      const float2 turned = make_float2(w.x * b.x - w.y * b.y, w.x * b.y + w.y * b.x);
      const int place = 2 * (i - k) + k;
      to[place] = make_float2(a.x + turned.x, a.y + turned.y);
      to[place + length] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    float2* other = from;
    from = to;
    to = other;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out_real[row + i] = from[i].x;
    out_imaginary[row + i] = from[i].y;
  }
}

// ---- the matrix product by tiles in shared memory

constexpr int tile = 32;

__global__ void product_kernel(float* __restrict__ c, const float* __restrict__ a,
                               const float* __restrict__ b, int side) {
  __shared__ float left[tile][tile], right[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
  float total = 0;
  for (int first = 0; first < side; first += tile) {
    const int across = first + threadIdx.x, down = first + threadIdx.y;
    left[threadIdx.y][threadIdx.x] =
        row < side && across < side ? a[static_cast<size_t>(row) * side + across] : 0;
    right[threadIdx.y][threadIdx.x] =
        down < side && column < side ? b[static_cast<size_t>(down) * side + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) total += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (row < side && column < side) c[static_cast<size_t>(row) * side + column] = total;
}

}  // namespace

Launch circles(Arrays& arrays) {
  const int side = arrays.side();
  const auto count = static_cast<int>(arrays.in_count<Tap>(1));
  cudaMemcpyToSymbol(taps, arrays.in<Tap>(1), count * sizeof(Tap), 0, cudaMemcpyDeviceToDevice);
  const dim3 block(32, 8), grid((side + 31) / 32, (side + 7) / 8);
  return
      [=, &arrays] { circles_kernel<<<grid, block>>>(arrays.out(0), arrays.in(0), side, count); };
}

Launch fft(Arrays& arrays) {
  const int n = arrays.side();
  std::vector<float2> table;
  for (int k = 0; k < n / 2; ++k) {
    const double angle = -2 * 3.14159265358979323846 * k / n;
    table.push_back(
        make_float2(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))));
  }
  float2* roots = arrays.scratch<float2>(table.size());
  cudaMemcpy(roots, table.data(), table.size() * sizeof(float2), cudaMemcpyHostToDevice);
  return [=, &arrays] {
    fft_kernel<<<n, 256, 2 * n * sizeof(float2)>>>(arrays.out(0), arrays.out(1), arrays.in(0),
                                                   arrays.in(1), roots, n);
  };
}

Launch matrix_product(Arrays& arrays) {
  const int side = arrays.side();
  const dim3 block(tile, tile), grid((side + tile - 1) / tile, (side + tile - 1) / tile);
  return [=, &arrays] {
    product_kernel<<<grid, block>>>(arrays.out(0), arrays.in(0), arrays.in(1), side);
  };
}

}  // namespace tutti::bench::cuda
