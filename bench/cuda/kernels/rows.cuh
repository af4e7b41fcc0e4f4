// Marching down an image: a thread owns four columns and walks down a block of rows, with the last
// rows in registers. Elements of the columns beside it come from the neighbouring lanes. The width
// of an image is a multiple of four.
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

// What a thread loads of a row: its four numbers, and at the ends of a warp those beyond. Loaded a
// row before it is needed, so that every warp always has a load on its way.
template <int halo, Border border>
struct RowPiece {
  static_assert(halo <= 4, "one neighbour on each side has no more");
  float4 own;
  float left[halo], right[halo];

  __device__ static bool first_lane() { return threadIdx.x % 32 == 0; }
  __device__ static bool last_lane(int x, int columns) {
    return threadIdx.x % 32 == 31 || x + 4 >= columns;
  }

  __device__ void load(const float* image, int y, int x, int rows, int columns) {
    const float* row = image + static_cast<size_t>(inside<border>(y, rows)) * columns;
    own = *reinterpret_cast<const float4*>(row + x);
    if (first_lane()) {
#pragma unroll
      for (int k = 0; k < halo; ++k) left[k] = row[inside<border>(x - halo + k, columns)];
    }
    if (last_lane(x, columns)) {
#pragma unroll
      for (int k = 0; k < halo; ++k) right[k] = row[inside<border>(x + 4 + k, columns)];
    }
  }

  // The four numbers, and `halo` more on either side.
  __device__ void spread(int x, int columns, float (&v)[4 + 2 * halo]) const {
    v[halo] = own.x, v[halo + 1] = own.y, v[halo + 2] = own.z, v[halo + 3] = own.w;
#pragma unroll
    for (int k = 0; k < halo; ++k) {
      const float before = __shfl_up_sync(0xffffffff, v[k + 4], 1);
      const float after = __shfl_down_sync(0xffffffff, v[halo + k], 1);
      v[k] = first_lane() ? left[k] : before;
      v[halo + 4 + k] = last_lane(x, columns) ? right[k] : after;
    }
  }
};

__device__ inline void store_four(float* image, int y, const March& at, int columns,
                                  const float (&v)[4]) {
  if (at.stores())
    *reinterpret_cast<float4*>(image + static_cast<size_t>(y) * columns + at.x) =
        make_float4(v[0], v[1], v[2], v[3]);
}

// Returns the blocks that cover an image, each with `strip` rows.
inline dim3 march_grid(int rows, int columns, int strip) {
  return dim3(blocks_for(columns, 4 * march_threads), blocks_for(rows, strip));
}

}  // namespace tutti::bench::cuda
