// The expressions of the CUDA Expression Templates paper, an exponential, Black-Scholes, and a
// small expression that is nothing but a launch.
#include "bench/cuda/kernels/map.cuh"
#include "bench/cuda/kernels/reduce.cuh"

namespace tutti::bench::cuda {

Launch vector_copy(Arrays& arrays) {
  return [&] {
    cudaMemcpyAsync(arrays.out(0), arrays.in(0), arrays.count() * sizeof(float),
                    cudaMemcpyDeviceToDevice);
  };
}

Launch vector_add(Arrays& arrays) {
  return [&] {
    auto add = [] __device__(float b, float c) { return b + c; };
    map(arrays.out(0), arrays.count(), add, arrays.in(0), arrays.in(1));
  };
}

Launch vector_axpby(Arrays& arrays) {
  return [&] {
    auto axpby = [] __device__(float b, float c) { return 0.12f * b + 7.54f * c; };
    map(arrays.out(0), arrays.count(), axpby, arrays.in(0), arrays.in(1));
  };
}

Launch vector_long(Arrays& arrays) {
  return [&] {
    auto expression = [] __device__(float a, float b, float c) {
      return (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
    };
    map(arrays.out(0), arrays.count(), expression, arrays.in(0), arrays.in(1), arrays.in(2));
  };
}

Launch vector_normalise(Arrays& arrays) {
  const ReduceScratch scratch(arrays);
  float* inverse = arrays.scratch(1);
  return [&arrays, scratch, inverse] {
    auto square = [] __device__(float b) { return b * b; };
    auto inverse_root = [] __device__(float squares) { return 1.0f / sqrtf(squares); };
    reduce(inverse, scratch, arrays.count(), square, inverse_root, arrays.in(0));
    auto scale = [inverse] __device__(float b) { return b * *inverse; };
    map(arrays.out(0), arrays.count(), scale, arrays.in(0));
  };
}

Launch vector_exp(Arrays& arrays) {
  return [&] {
    auto exponential = [] __device__(float b) { return expf(b); };
    map(arrays.out(0), arrays.count(), exponential, arrays.in(0));
  };
}

Launch small_expression(Arrays& arrays) {
  return [&] {
    auto ten_operations = [] __device__(float a, float b) {
      const float difference = a - b, mean = (a + b) * 0.5f;
      const float square = difference * difference;
      const float least = fminf(sqrtf(square + mean), mean);
      return fmaxf(least, difference) / mean - square;
    };
    map(arrays.out(0), arrays.count(), ten_operations, arrays.in(0), arrays.in(1));
  };
}

namespace {

constexpr float interest = 0.02f, volatility = 0.3f;
constexpr float root_half = 0.70710678f;

__device__ float normal_distribution(float x) { return 0.5f * (1.0f + erff(x * root_half)); }

__device__ void price_option(float price, float strike, float years, float& call, float& put) {
  const float deviation = volatility * sqrtf(years);
  const float drift = (interest + 0.5f * volatility * volatility) * years;
  const float d1 = (logf(price / strike) + drift) / deviation;
  const float d2 = d1 - deviation;
  const float discounted = strike * expf(-interest * years);
  const float n1 = normal_distribution(d1), n2 = normal_distribution(d2);
  call = price * n1 - discounted * n2;
  put = discounted * (1.0f - n2) - price * (1.0f - n1);
}

__global__ void price_options(const float4* price, const float4* strike, const float4* years,
                              float4* call, float4* put, int fours) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= fours) return;
  const float4 p = price[i], k = strike[i], t = years[i];
  float4 c, q;
  price_option(p.x, k.x, t.x, c.x, q.x);
  price_option(p.y, k.y, t.y, c.y, q.y);
  price_option(p.z, k.z, t.z, c.z, q.z);
  price_option(p.w, k.w, t.w, c.w, q.w);
  call[i] = c;
  put[i] = q;
}

}  // namespace

Launch black_scholes(Arrays& arrays) {
  return [&] {
    const int fours = static_cast<int>(arrays.count() / 4);
    price_options<<<blocks_for(fours, map_threads), map_threads>>>(
        arrays.in<float4>(0), arrays.in<float4>(1), arrays.in<float4>(2), arrays.out<float4>(0),
        arrays.out<float4>(1), fours);
  };
}

}  // namespace tutti::bench::cuda
