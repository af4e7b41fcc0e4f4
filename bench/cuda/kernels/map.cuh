// Element-wise kernels: a thread takes one access of 16 bytes from each vector. The number of
// elements is a multiple of four.
#pragma once
#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {

constexpr int map_threads = 256;

template <class F, class... Fours>
__device__ float4 apply(F f, Fours... x) {
  return make_float4(f(x.x...), f(x.y...), f(x.z...), f(x.w...));
}

template <class F, class... Fours>
__global__ void map_kernel(float4* out, int fours, F f, const Fours*... in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < fours) out[i] = apply(f, in[i]...);
}

// out[i] = f(in[i]...)
template <class F, class... Floats>
void map(float* out, size_t count, F f, const Floats*... in) {
  const int fours = static_cast<int>(count / 4);
  map_kernel<<<blocks_for(fours, map_threads), map_threads>>>(
      reinterpret_cast<float4*>(out), fours, f, reinterpret_cast<const float4*>(in)...);
}

}  // namespace tutti::bench::cuda
