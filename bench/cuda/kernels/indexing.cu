// SAXPY, the root of the mean squared error, and two programs on overlapping slices.
#include "bench/cuda/kernels/map.cuh"
#include "bench/cuda/kernels/reduce.cuh"

namespace tutti::bench::cuda {
namespace {

// out[i] = in[i + 1] - in[i], of which there are 4 * fours - 1. The neighbour beyond a thread's
// four is in the cache line that the next thread reads.
__global__ void difference_kernel(float* out, const float* in, int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fours) return;
  const float4 x = reinterpret_cast<const float4*>(in)[i];
  float* to = out + 4 * static_cast<size_t>(i);
  if (i + 1 < fours) {
    const float next = in[4 * static_cast<size_t>(i) + 4];
    *reinterpret_cast<float4*>(to) = make_float4(x.y - x.x, x.z - x.y, x.w - x.z, next - x.w);
  } else {
    to[0] = x.y - x.x;
    to[1] = x.z - x.y;
    to[2] = x.w - x.z;
  }
}

__device__ float average(float a, float b, float c, float d, float e) {
  return 0.1f * a + 0.2f * b + 0.4f * c + 0.2f * d + 0.1f * e;
}

// Four results from eight neighbours; there are 4 * fours - 4 results.
__global__ void average_kernel(float4* out, const float4* in, int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= fours) return;
  const float4 x = in[i], y = in[i + 1];
  out[i] = make_float4(average(x.x, x.y, x.z, x.w, y.x), average(x.y, x.z, x.w, y.x, y.y),
                       average(x.z, x.w, y.x, y.y, y.z), average(x.w, y.x, y.y, y.z, y.w));
}

}  // namespace

Launch saxpy(Arrays& arrays) {
  return [&] {
    auto saxpy = [] __device__(float x, float y) { return 2.5f * x + y; };
    map(arrays.out(0), arrays.count(), saxpy, arrays.in(0), arrays.in(1));
  };
}

Launch rmse(Arrays& arrays) {
  const ReduceScratch scratch(arrays);
  return [&arrays, scratch] {
    auto squared = [] __device__(float x, float y) { return (x - y) * (x - y); };
    const float count = static_cast<float>(arrays.count());
    auto root_of_mean = [count] __device__(float squares) { return sqrtf(squares / count); };
    reduce(arrays.out(0), scratch, arrays.count(), squared, root_of_mean, arrays.in(0),
           arrays.in(1));
  };
}

Launch forward_difference(Arrays& arrays) {
  return [&] {
    const int fours = static_cast<int>(arrays.count() / 4);
    difference_kernel<<<blocks_for(fours, map_threads), map_threads>>>(arrays.out(0), arrays.in(0),
                                                                       fours);
  };
}

Launch moving_average(Arrays& arrays) {
  return [&] {
    const int fours = static_cast<int>(arrays.count() / 4);
    average_kernel<<<blocks_for(fours, map_threads), map_threads>>>(arrays.out<float4>(0),
                                                                    arrays.in<float4>(0), fours);
  };
}

}  // namespace tutti::bench::cuda
