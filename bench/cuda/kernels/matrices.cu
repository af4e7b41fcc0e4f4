// Sums and products by NVIDIA's libraries: CUB and cuBLAS.
#include <cublas_v2.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/cub.cuh>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

struct Absolute {
  __device__ float operator()(float x) const { return fabsf(x); }
};

cublasHandle_t cublas() { return library_handle<cublasHandle_t, cublasCreate>(); }

constexpr float one = 1, zero = 0;

}  // namespace

Launch absolute_sum(Arrays& arrays) {
  const auto absolutes = thrust::make_transform_iterator(arrays.in(0), Absolute());
  const int count = static_cast<int>(arrays.count());
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, absolutes, arrays.out(0), count);
  void* temporary = arrays.scratch<char>(bytes);
  return [=, &arrays]() mutable {
    cub::DeviceReduce::Sum(temporary, bytes, absolutes, arrays.out(0), count);
  };
}

// Matrices lie in memory row by row: to cuBLAS they are their transposes.
Launch matrix_vector(Arrays& arrays) {
  const int n = arrays.side();
  return [n, &arrays] {
    cublasSgemv(cublas(), CUBLAS_OP_T, n, n, &one, arrays.in(0), n, arrays.in(1), 1, &zero,
                arrays.out(0), 1);
  };
}

Launch matrix_matrix(Arrays& arrays) {
  const int n = arrays.side();
  return [n, &arrays] {
    cublasSgemm(cublas(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, arrays.in(1), n, arrays.in(0), n,
                &zero, arrays.out(0), n);
  };
}

}  // namespace tutti::bench::cuda
