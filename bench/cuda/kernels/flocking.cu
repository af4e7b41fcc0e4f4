// A step of a flock: characters sorted by cell (CUB), where cells begin, and a thread for each
// character that looks at its neighbours.
#include <cub/cub.cuh>

#include "bench/cuda/kernels/arrays.cuh"
#include "bench/plain/flocking.hpp"

namespace tutti::bench::cuda {
namespace {

constexpr int threads = 128;

struct Fields {
  float *x, *y, *dx, *dy;
};
struct ConstFields {
  const float *x, *y, *dx, *dy;
};

__global__ void cells_kernel(int* cell, int* order, const float* x, const float* y, int count,
                             int cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  cell[i] = plain::cell_of(x[i], y[i], cells);
  order[i] = i;
}

// Brings the characters into order; who is the first of a cell says so for the empty ones before.
__global__ void order_kernel(Fields out, int* first, ConstFields in, const int* cell,
                             const int* order, int count, int all_cells) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int from = order[i];
  out.x[i] = in.x[from];
  out.y[i] = in.y[from];
  out.dx[i] = in.dx[from];
  out.dy[i] = in.dy[from];
  for (int c = i == 0 ? 0 : cell[i - 1] + 1; c <= cell[i]; ++c) first[c] = i;
  if (i == count - 1)
    for (int c = cell[i] + 1; c <= all_cells; ++c) first[c] = count;
}

__global__ void steer_kernel(Fields out, plain::Characters all, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const plain::Character c = plain::steered(all, i);
  out.x[i] = c.x;
  out.y[i] = c.y;
  out.dx[i] = c.dx;
  out.dy[i] = c.dy;
}

}  // namespace

Launch flocking(Arrays& arrays) {
  const auto count = static_cast<int>(arrays.count());
  int cells = 0;
  cudaMemcpy(&cells, arrays.in<int>(4), sizeof cells, cudaMemcpyDeviceToHost);
  int bits = 1;
  while ((1 << bits) < cells * cells) ++bits;
  int* cell = arrays.scratch<int>(count);
  int* order = arrays.scratch<int>(count);
  int* sorted_cell = arrays.scratch<int>(count);
  int* sorted_order = arrays.scratch<int>(count);
  int* first = arrays.scratch<int>(static_cast<size_t>(cells) * cells + 1);
  const Fields sorted{arrays.scratch(count), arrays.scratch(count), arrays.scratch(count),
                      arrays.scratch(count)};
  const ConstFields in{arrays.in(0), arrays.in(1), arrays.in(2), arrays.in(3)};
  const Fields out{arrays.out(0), arrays.out(1), arrays.out(2), arrays.out(3)};
  const plain::Characters all{sorted.x, sorted.y, sorted.dx, sorted.dy, first, cells};
  size_t bytes = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, cell, sorted_cell, order, sorted_order, count, 0,
                                  bits);
  void* scratch = arrays.scratch<char>(bytes);
  const unsigned blocks = blocks_for(count, threads);
  return [=] {
    size_t available = bytes;
    cells_kernel<<<blocks, threads>>>(cell, order, in.x, in.y, count, cells);
    cub::DeviceRadixSort::SortPairs(scratch, available, cell, sorted_cell, order, sorted_order,
                                    count, 0, bits);
    order_kernel<<<blocks, threads>>>(sorted, first, in, sorted_cell, sorted_order, count,
                                      cells * cells);
    steer_kernel<<<blocks, threads>>>(out, all, count);
  };
}

}  // namespace tutti::bench::cuda
