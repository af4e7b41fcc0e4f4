// Scan, selection, sorting and segmented sums with CUB; and segmented sums as a person writes them
// for segments of moderate length: eight threads each.
#include <cub/cub.cuh>

#include <memory>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

// CUB's calls ask for temporary memory first: call(memory, bytes) with null says how much.
template <class Call>
Launch with_memory(Arrays& arrays, Call call) {
  size_t bytes = 0;
  call(nullptr, bytes);
  void* memory = arrays.scratch<char>(bytes);
  return [=] {
    size_t size = bytes;
    call(memory, size);
  };
}

struct Positive {
  __host__ __device__ bool operator()(int x) const { return x > 0; }
};

__global__ void sum_by_eights(const float* numbers, const int* ends, float* out, int segments) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int segment = thread / 8;
  float sum = 0;
  if (segment < segments)
    for (int i = ends[segment] + thread % 8; i < ends[segment + 1]; i += 8) sum += numbers[i];
  for (int distance = 4; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance, 8);
  if (segment < segments && thread % 8 == 0) out[segment] = sum;
}

}  // namespace

Launch cub_scan(Arrays& arrays) {
  return with_memory(arrays, [&](void* memory, size_t& bytes) {
    cub::DeviceScan::InclusiveSum(memory, bytes, arrays.in<int>(0), arrays.out<int>(0),
                                  arrays.count<int>());
  });
}

Launch cub_pack(Arrays& arrays) {
  int* selected = arrays.scratch<int>(1);
  return with_memory(arrays, [&arrays, selected](void* memory, size_t& bytes) {
    cub::DeviceSelect::If(memory, bytes, arrays.in<int>(0), arrays.out<int>(0), selected,
                          arrays.count<int>(), Positive());
  });
}

Launch cub_sort(Arrays& arrays) {
  return with_memory(arrays, [&](void* memory, size_t& bytes) {
    cub::DeviceRadixSort::SortKeys(memory, bytes, arrays.in<int>(0), arrays.out<int>(0),
                                   arrays.count<int>());
  });
}

Launch cub_sort_pairs(Arrays& arrays) {
  int* sorted = arrays.scratch<int>(arrays.count<int>());
  return with_memory(arrays, [&arrays, sorted](void* memory, size_t& bytes) {
    cub::DeviceRadixSort::SortPairs(memory, bytes, arrays.in<int>(0), sorted, arrays.in<int>(1),
                                    arrays.out<int>(0), arrays.count<int>());
  });
}

Launch cub_segmented_sum(Arrays& arrays) {
  const int segments = static_cast<int>(arrays.out_count(0));
  return with_memory(arrays, [&arrays, segments](void* memory, size_t& bytes) {
    const int* ends = arrays.in<int>(1);
    cub::DeviceSegmentedReduce::Sum(memory, bytes, arrays.in(0), arrays.out(0), segments, ends,
                                    ends + 1);
  });
}

Launch segmented_sum(Arrays& arrays) {
  const int segments = static_cast<int>(arrays.out_count(0));
  return [&arrays, segments] {
    const int threads = 256, blocks = (segments * 8 + threads - 1) / threads;
    sum_by_eights<<<blocks, threads>>>(arrays.in(0), arrays.in<int>(1), arrays.out(0), segments);
  };
}

}  // namespace tutti::bench::cuda
