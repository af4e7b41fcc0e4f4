// Marching down an image: a thread owns four columns and walks down a strip of rows, keeping the
// last rows it met in registers; what it needs from the columns beside it comes from the
// neighbouring lanes. The width of an image is a multiple of four.
#pragma once
#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {

constexpr int march_threads = 128;  // 512 columns

enum class Border { clamp, wrap };

template <Border border>
__device__ int inside(int i, int extent) {
  if (border == Border::clamp) return min(max(i, 0), extent - 1);
  return i < 0 ? i + extent : i >= extent ? i - extent : i;
}

// The place of a thread. Threads beyond the last column do the work of the last but store nothing:
// their lanes are needed.
struct March {
  __device__ March(int columns, int strip)
      : wanted(4 * (blockIdx.x * blockDim.x + threadIdx.x)),
        x(min(wanted, columns - 4)),
        first_row(blockIdx.y * strip) {}
  __device__ bool stores() const { return wanted == x; }

  int wanted;
  int x;          // the first of the four columns
  int first_row;  // of the strip
};

// The four numbers of a row at x, and `halo` more on either side.
template <int halo, Border border>
__device__ void load_around(const float* image, int y, int x, int rows, int columns,
                            float (&v)[4 + 2 * halo]) {
  static_assert(halo <= 4, "one neighbour on each side has no more");
  const float* row = image + static_cast<size_t>(inside<border>(y, rows)) * columns;
  const float4 own = *reinterpret_cast<const float4*>(row + x);
  v[halo] = own.x, v[halo + 1] = own.y, v[halo + 2] = own.z, v[halo + 3] = own.w;
#pragma unroll
  for (int k = 0; k < halo; ++k) {
    v[k] = __shfl_up_sync(0xffffffff, v[k + 4], 1);
    v[halo + 4 + k] = __shfl_down_sync(0xffffffff, v[halo + k], 1);
  }
  const int lane = threadIdx.x % 32;
  if (lane == 0) {
#pragma unroll
    for (int k = 0; k < halo; ++k) v[k] = row[inside<border>(x - halo + k, columns)];
  }
  if (lane == 31 || x + 4 >= columns) {
#pragma unroll
    for (int k = 0; k < halo; ++k) v[halo + 4 + k] = row[inside<border>(x + 4 + k, columns)];
  }
}

__device__ inline void store_four(float* image, int y, const March& at, int columns,
                                  const float (&v)[4]) {
  if (at.stores())
    *reinterpret_cast<float4*>(image + static_cast<size_t>(y) * columns + at.x) =
        make_float4(v[0], v[1], v[2], v[3]);
}

// Blocks that cover an image, with strips of so many rows.
inline dim3 march_grid(int rows, int columns, int strip) {
  return dim3(blocks_for(columns, 4 * march_threads), blocks_for(rows, strip));
}

}  // namespace tutti::bench::cuda
