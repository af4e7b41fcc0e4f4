// The expressions of the CUDA Expression Templates paper with Thrust and functors, as its users
// write them; par_nosync, so that a call costs a launch and no wait.
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cmath>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

struct Add {
  __host__ __device__ float operator()(float b, float c) const { return b + c; }
};

struct Axpby {
  float beta, gamma;
  __host__ __device__ float operator()(float b, float c) const { return beta * b + gamma * c; }
};

struct LongExpression {
  __host__ __device__ float operator()(const thrust::tuple<float, float, float>& x) const {
    const float a = thrust::get<0>(x), b = thrust::get<1>(x), c = thrust::get<2>(x);
    return (b - (a + 3.75f * c) + c - 0.24f * b) / 27.51f + a - 0.25f * b;
  }
};

struct Square {
  __host__ __device__ float operator()(float b) const { return b * b; }
};

struct Plus {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

struct Scale {
  float factor;
  __host__ __device__ float operator()(float b) const { return factor * b; }
};

const auto& policy = thrust::cuda::par_nosync;

}  // namespace

Launch thrust_add(Arrays& arrays) {
  return [&] {
    const float* b = arrays.in(0);
    thrust::transform(policy, b, b + arrays.count(), arrays.in(1), arrays.out(0), Add());
  };
}

Launch thrust_axpby(Arrays& arrays) {
  return [&] {
    const float* b = arrays.in(0);
    thrust::transform(policy, b, b + arrays.count(), arrays.in(1), arrays.out(0),
                      Axpby{0.12f, 7.54f});
  };
}

Launch thrust_long(Arrays& arrays) {
  return [&] {
    const auto first =
        thrust::make_zip_iterator(thrust::make_tuple(arrays.in(0), arrays.in(1), arrays.in(2)));
    thrust::transform(policy, first, first + arrays.count(), arrays.out(0), LongExpression());
  };
}

// The sum comes back to the host, as the interface has it.
Launch thrust_normalise(Arrays& arrays) {
  return [&] {
    const float* b = arrays.in(0);
    const float squares =
        thrust::transform_reduce(policy, b, b + arrays.count(), Square(), 0.0f, Plus());
    thrust::transform(policy, b, b + arrays.count(), arrays.out(0), Scale{1 / std::sqrt(squares)});
  };
}

}  // namespace tutti::bench::cuda
