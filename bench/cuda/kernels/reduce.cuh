// A sum over vectors in one kernel: each thread adds the elements that it visits, and each block
// stores a partial sum. The block that finishes last adds the partial sums.
#pragma once
#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {

constexpr int reduce_threads = 256;
constexpr int reduce_blocks = 132 * 8;  // all that an H200 holds at a time

__device__ inline float sum_of_warp(float x) {
  for (int distance = 16; distance > 0; distance /= 2)
    x += __shfl_xor_sync(0xffffffff, x, distance);
  return x;
}

// In the first thread of the block.
__device__ inline float sum_of_block(float x) {
  __shared__ float warps[reduce_threads / 32];
  x = sum_of_warp(x);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x >= 32) return 0;
  return sum_of_warp(threadIdx.x < reduce_threads / 32 ? warps[threadIdx.x] : 0.0f);
}

template <class F, class Finish, class... Fours>
__global__ void __launch_bounds__(reduce_threads)
    reduce_kernel(float* out, float* partial, unsigned* arrived, int fours, F f, Finish finish,
                  const Fours*... in) {
  float x = 0, y = 0, z = 0, w = 0;
#pragma unroll 4
  for (int i = blockIdx.x * reduce_threads + threadIdx.x; i < fours;
       i += reduce_blocks * reduce_threads) {
    x += f(in[i].x...);
    y += f(in[i].y...);
    z += f(in[i].z...);
    w += f(in[i].w...);
  }
  const float mine = sum_of_block((x + y) + (z + w));

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float rest = 0;
  for (int i = threadIdx.x; i < reduce_blocks; i += reduce_threads)
    rest += *const_cast<volatile float*>(partial + i);
  rest = sum_of_block(rest);
  if (threadIdx.x == 0) {
    *out = finish(rest);
    *arrived = 0;  // ready for the next launch
  }
}

// Memory that a reduction needs.
struct ReduceScratch {
  explicit ReduceScratch(Arrays& arrays)
      : partial(arrays.scratch(reduce_blocks)), arrived(arrays.scratch<unsigned>(1)) {}
  float* partial;
  unsigned* arrived;
};

// *out = finish(f(in[0]...) + f(in[1]...) + ...)
template <class F, class Finish, class... Floats>
void reduce(float* out, ReduceScratch scratch, size_t count, F f, Finish finish,
            const Floats*... in) {
  reduce_kernel<<<reduce_blocks, reduce_threads>>>(out, scratch.partial, scratch.arrived,
                                                   static_cast<int>(count / 4), f, finish,
                                                   reinterpret_cast<const float4*>(in)...);
}

}  // namespace tutti::bench::cuda
