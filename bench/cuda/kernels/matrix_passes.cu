// The sums of rows, the sums of columns and the transpose of a matrix. The side is a multiple of
// four.
#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

constexpr int row_threads = 256;

// A block a row: accesses of 16 bytes, then a sum over the block.
__global__ void __launch_bounds__(row_threads)
    row_sum_kernel(float* out, const float4* __restrict__ matrix, int fours_a_row) {
  const float4* row = matrix + static_cast<size_t>(blockIdx.x) * fours_a_row;
  float total = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < fours_a_row; i += row_threads) {
    const float4 v = row[i];
    total += (v.x + v.y) + (v.z + v.w);
  }
  for (int distance = 16; distance > 0; distance /= 2)
    total += __shfl_xor_sync(0xffffffff, total, distance);
  __shared__ float warps[row_threads / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int i = 1; i < row_threads / 32; ++i) total += warps[i];
  out[blockIdx.x] = total;
}

constexpr int column_threads = 128;
constexpr int strip = 128;  // rows that a thread adds up

// A thread owns four columns of a row block. A second launch of the same kernel adds the sums of
// the row blocks, at most 128, as its rows.
__global__ void column_sum_kernel(float4* out, const float4* __restrict__ matrix, int rows,
                                  int fours_a_row) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= fours_a_row) return;
  const int first = blockIdx.y * strip, last = min(first + strip, rows);
  float4 total = make_float4(0, 0, 0, 0);
#pragma unroll 8
  for (int y = first; y < last; ++y) {
    const float4 v = matrix[static_cast<size_t>(y) * fours_a_row + x];
    total.x += v.x, total.y += v.y, total.z += v.z, total.w += v.w;
  }
  out[static_cast<size_t>(blockIdx.y) * fours_a_row + x] = total;
}

constexpr int tile = 32, tile_rows = 8;

// Through shared memory, so that both reads and writes run along rows.
__global__ void transpose_kernel(float* __restrict__ out, const float* __restrict__ matrix,
                                 int rows, int columns) {
  __shared__ float block[tile][tile + 1];
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
#pragma unroll
  for (int i = 0; i < tile; i += tile_rows)
    if (x < columns && y + i < rows)
      block[threadIdx.y + i][threadIdx.x] = matrix[static_cast<size_t>(y + i) * columns + x];
  __syncthreads();
  const int to_x = blockIdx.y * tile + threadIdx.x, to_y = blockIdx.x * tile + threadIdx.y;
#pragma unroll
  for (int i = 0; i < tile; i += tile_rows)
    if (to_x < rows && to_y + i < columns)
      out[static_cast<size_t>(to_y + i) * rows + to_x] = block[threadIdx.x][threadIdx.y + i];
}

}  // namespace

Launch row_sums(Arrays& arrays) {
  const int side = arrays.side();
  return [=, &arrays] {
    row_sum_kernel<<<side, row_threads>>>(arrays.out(0), arrays.in<float4>(0), side / 4);
  };
}

Launch column_sums(Arrays& arrays) {
  const int side = arrays.side();
  const int strips = static_cast<int>(blocks_for(side, strip));
  float4* partial = arrays.scratch<float4>(static_cast<size_t>(strips) * side / 4);
  return [=, &arrays] {
    const unsigned across = blocks_for(side / 4, column_threads);
    column_sum_kernel<<<dim3(across, strips), column_threads>>>(partial, arrays.in<float4>(0), side,
                                                                side / 4);
    column_sum_kernel<<<dim3(across, 1), column_threads>>>(arrays.out<float4>(0), partial, strips,
                                                           side / 4);
  };
}

Launch transpose(Arrays& arrays) {
  const int side = arrays.side();
  return [=, &arrays] {
    const dim3 grid(blocks_for(side, tile), blocks_for(side, tile)), block(tile, tile_rows);
    transpose_kernel<<<grid, block>>>(arrays.out(0), arrays.in(0), side, side);
  };
}

}  // namespace tutti::bench::cuda
