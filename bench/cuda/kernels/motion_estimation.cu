// Motion estimation in two kernels. The first makes the images of a half and a quarter of the
// resolution. The second searches: a warp for each block of 16x16 pixels, through all five levels.
// The part of the second image that a level looks at lies in shared memory, the block itself in
// registers.
#include <cfloat>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

constexpr int block_size = 16;
constexpr int warps = 4;           // in a thread block
constexpr int window_stride = 20;  // the largest window is 19x19
constexpr int window_size = 19 * window_stride;
constexpr unsigned all_lanes = 0xffffffff;

struct Image {
  const float* pixels;
  int rows, columns;

  __device__ float at(int y, int x) const {
    return pixels[static_cast<size_t>(min(max(y, 0), rows - 1)) * columns +
                  min(max(x, 0), columns - 1)];
  }
};

// An image at full, half and quarter resolution.
struct Pyramid {
  const float* full;
  float *half, *quarter;
  int rows, columns;

  __device__ Image at_full() const { return {full, rows, columns}; }
  __device__ Image at_half() const { return {half, rows / 2, columns / 2}; }
  __device__ Image at_quarter() const { return {quarter, rows / 4, columns / 4}; }
};

struct Vector {
  int y, x;
};

// A thread reads 4x4 pixels and writes the 2x2 and the one that they become.
__global__ void shrink_kernel(Pyramid p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.columns / 4 || y >= p.rows / 4) return;
  float total = 0;
  for (int i = 0; i < 2; ++i) {
    const float* from = p.full + static_cast<size_t>(4 * y + 2 * i) * p.columns + 4 * x;
    const float4 a = *reinterpret_cast<const float4*>(from);
    const float4 b = *reinterpret_cast<const float4*>(from + p.columns);
    const float2 half =
        make_float2(0.25f * (a.x + a.y + b.x + b.y), 0.25f * (a.z + a.w + b.z + b.w));
    float* to = p.half + static_cast<size_t>(2 * y + i) * (p.columns / 2) + 2 * x;
    *reinterpret_cast<float2*>(to) = half;
    total += half.x + half.y;
  }
  p.quarter[static_cast<size_t>(y) * (p.columns / 4) + x] = 0.25f * total;
}

// The warp's window on an image: size x size pixels, the border repeated.
template <int size>
__device__ void load_window(float* window, const Image& image, int y, int x) {
  __syncwarp();  // no lane reads the window before it any more
  for (int i = threadIdx.x % 32; i < size * size; i += 32)
    window[i / size * window_stride + i % size] = image.at(y + i / size, x + i % size);
  __syncwarp();
}

__device__ float sum_of_warp(float x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(all_lanes, x, distance);
  return x;
}

// The best of the nine vectors around one, where every lane has its share of each cost. The first
// of equals counts.
__device__ Vector best_of_nine(const float (&share)[9], Vector around) {
  Vector best = around;
  float least = FLT_MAX;
#pragma unroll
  for (int c = 0; c < 9; ++c) {
    const float cost = sum_of_warp(share[c]);
    if (cost < least) {
      least = cost;
      best = {around.y + c / 3 - 1, around.x + c % 3 - 1};
    }
  }
  return best;
}

// All 49 vectors of up to three pixels, one or two of them a lane; the blocks are 4x4.
__device__ Vector search_from_zero(const Image& first, const Image& second, int by, int bx,
                                   float* window) {
  constexpr int size = block_size / 4, radius = 3, side = 2 * radius + 1;
  load_window<size + 2 * radius>(window, second, by * size - radius, bx * size - radius);
  float wanted[size][size];
#pragma unroll
  for (int i = 0; i < size; ++i)
#pragma unroll
    for (int j = 0; j < size; ++j) wanted[i][j] = first.at(by * size + i, bx * size + j);

  float least = FLT_MAX;
  int best = side * side;
  for (int c = threadIdx.x % 32; c < side * side; c += 32) {
    const float* from = window + c / side * window_stride + c % side;
    float cost = 0;
#pragma unroll
    for (int i = 0; i < size; ++i)
#pragma unroll
      for (int j = 0; j < size; ++j) cost += fabsf(wanted[i][j] - from[i * window_stride + j]);
    if (cost < least) least = cost, best = c;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float cost = __shfl_xor_sync(all_lanes, least, distance);
    const int c = __shfl_xor_sync(all_lanes, best, distance);
    if (cost < least || (cost == least && c < best)) least = cost, best = c;
  }
  return {best / side - radius, best % side - radius};
}

// A lane's part of a block: `run` pixels of one column.
template <int size>
struct Part {
  static constexpr int run = size * size / 32;
  __device__ Part(const Image& image, int by, int bx)
      : y(threadIdx.x % 32 / size * run), x(threadIdx.x % size) {
#pragma unroll
    for (int i = 0; i < run; ++i) pixel[i] = image.at(by * size + y + i, bx * size + x);
  }
  int y, x;
  float pixel[run];
};

// Around a vector, in whole pixels.
template <int size>
__device__ Vector search_whole(const Part<size>& wanted, const Image& second, int by, int bx,
                               Vector around, float* window) {
  load_window<size + 2>(window, second, by * size + around.y - 1, bx * size + around.x - 1);
  float share[9];
#pragma unroll
  for (int c = 0; c < 9; ++c) {
    const float* from = window + (wanted.y + c / 3) * window_stride + wanted.x + c % 3;
    share[c] = 0;
#pragma unroll
    for (int i = 0; i < wanted.run; ++i)
      share[c] += fabsf(wanted.pixel[i] - from[i * window_stride]);
  }
  return best_of_nine(share, around);
}

// Around a vector, in halves (bits = 1) or quarters (bits = 2) of a pixel.
template <int bits>
__device__ Vector search_between(const Part<block_size>& wanted, const Image& second, int by,
                                 int bx, Vector around, float* window) {
  constexpr int steps = 1 << bits;
  // A pixel more on the low side for the offset -1, two on the high side for +1 and its neighbour.
  const int top = (around.y >> bits) - 1, left = (around.x >> bits) - 1;
  load_window<block_size + 3>(window, second, by * block_size + top, bx * block_size + left);
  float share[9];
#pragma unroll
  for (int c = 0; c < 9; ++c) {
    const int vy = around.y + c / 3 - 1, vx = around.x + c % 3 - 1;
    const float down = (vy & (steps - 1)) * (1.0f / steps);
    const float right = (vx & (steps - 1)) * (1.0f / steps);
    const float* from =
        window + (wanted.y + (vy >> bits) - top) * window_stride + wanted.x + (vx >> bits) - left;
    auto between = [&](int i) {
      const float a = from[i * window_stride], b = from[i * window_stride + 1];
      return a + right * (b - a);
    };
    float above = between(0);
    share[c] = 0;
#pragma unroll
    for (int i = 0; i < wanted.run; ++i) {
      const float below = between(i + 1);
      share[c] += fabsf(wanted.pixel[i] - (above + down * (below - above)));
      above = below;
    }
  }
  return best_of_nine(share, around);
}

__device__ Vector twice(Vector v) { return {2 * v.y, 2 * v.x}; }

__global__ void __launch_bounds__(32 * warps)
    search_kernel(int2* out, Pyramid first, Pyramid second, int blocks_down, int blocks_across) {
  __shared__ float windows[warps][window_size];
  float* window = windows[threadIdx.x / 32];
  const int by = blockIdx.y, bx = blockIdx.x * warps + threadIdx.x / 32;
  if (by >= blocks_down || bx >= blocks_across) return;  // whole warps; none waits for another

  Vector v = search_from_zero(first.at_quarter(), second.at_quarter(), by, bx, window);
  const Part<block_size / 2> half(first.at_half(), by, bx);
  v = search_whole(half, second.at_half(), by, bx, twice(v), window);
  const Part<block_size> full(first.at_full(), by, bx);
  v = search_whole(full, second.at_full(), by, bx, twice(v), window);
  v = search_between<1>(full, second.at_full(), by, bx, twice(v), window);
  v = search_between<2>(full, second.at_full(), by, bx, twice(v), window);
  if (threadIdx.x % 32 == 0) out[by * blocks_across + bx] = make_int2(v.y, v.x);
}

}  // namespace

Launch motion_estimation(Arrays& arrays) {
  const int side = arrays.side(), blocks = side / block_size;
  const size_t count = arrays.count();
  auto pyramid = [&](int i) {
    return Pyramid{arrays.in(i), arrays.scratch(count / 4), arrays.scratch(count / 16), side, side};
  };
  const Pyramid first = pyramid(0), second = pyramid(1);
  return [=, &arrays] {
    const dim3 pixels(32, 8), tiles(blocks_for(side / 4, 32), blocks_for(side / 4, 8));
    shrink_kernel<<<tiles, pixels>>>(first);
    shrink_kernel<<<tiles, pixels>>>(second);
    const dim3 grid(blocks_for(blocks, warps), blocks);
    search_kernel<<<grid, 32 * warps>>>(arrays.out<int2>(0), first, second, blocks, blocks);
  };
}

}  // namespace tutti::bench::cuda
