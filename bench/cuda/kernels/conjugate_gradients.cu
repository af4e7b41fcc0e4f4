// Conjugate gradients on a 2-D Poisson problem, twenty steps of three kernels: the product with the
// matrix and p q; u, r and the residual; p. The block that comes last finishes the sums. As a loop
// of launches, and as a CUDA graph of a whole solution.
#include <algorithm>

#include "bench/cuda/kernels/arrays.cuh"
#include "bench/cuda/kernels/reduce.cuh"

namespace tutti::bench::cuda {
namespace {

constexpr int steps = 20;

struct Gradients {
  const float *inside, *right;
  float *u, *r, *p, *q;
  float *partial, *rr, *alpha, *beta;
  unsigned* arrived;
  int side, count;
};

// finish(sum) by one thread once all blocks have given their part.
template <class Finish>
__device__ void add_up(const Gradients& g, float mine, Finish finish) {
  mine = sum_of_block(mine);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    g.partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(g.arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  float total = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += reduce_threads)
    total += *const_cast<volatile float*>(g.partial + i);
  __syncthreads();
  total = sum_of_block(total);
  if (threadIdx.x == 0) {
    finish(total);
    *g.arrived = 0;
  }
}

__device__ int first_of_thread() { return blockIdx.x * reduce_threads + threadIdx.x; }
__device__ int stride_of_grid() { return gridDim.x * reduce_threads; }

__global__ void __launch_bounds__(reduce_threads) start_kernel(Gradients g) {
  float mine = 0;
  for (int i = first_of_thread(); i < g.count; i += stride_of_grid()) {
    const float x = g.right[i] * g.inside[i];
    g.u[i] = 0;
    g.r[i] = g.p[i] = x;
    mine += x * x;
  }
  add_up(g, mine, [&](float total) { *g.rr = total; });
}

__global__ void __launch_bounds__(reduce_threads) product_kernel(Gradients g) {
  float mine = 0;
  const auto at = [&](int i) { return unsigned(i) < unsigned(g.count) ? g.p[i] : 0.0f; };
  for (int i = first_of_thread(); i < g.count; i += stride_of_grid()) {
    const float p = g.p[i];
    const float q = g.inside[i] * (4 * p - at(i - 1) - at(i + 1) - at(i - g.side) - at(i + g.side));
    g.q[i] = q;
    mine += p * q;
  }
  add_up(g, mine, [&](float total) { *g.alpha = *g.rr / total; });
}

__global__ void __launch_bounds__(reduce_threads) update_kernel(Gradients g) {
  float mine = 0;
  const float alpha = *g.alpha;
  for (int i = first_of_thread(); i < g.count; i += stride_of_grid()) {
    g.u[i] += alpha * g.p[i];
    const float r = g.r[i] - alpha * g.q[i];
    g.r[i] = r;
    mine += r * r;
  }
  add_up(g, mine, [&](float total) {
    *g.beta = total / *g.rr;
    *g.rr = total;
  });
}

__global__ void __launch_bounds__(reduce_threads) direction_kernel(Gradients g) {
  const float beta = *g.beta;
  for (int i = first_of_thread(); i < g.count; i += stride_of_grid())
    g.p[i] = g.r[i] + beta * g.p[i];
}

Gradients prepare(Arrays& arrays) {
  const size_t n = arrays.count();
  return {arrays.in(0),
          arrays.in(1),
          arrays.out(0),
          arrays.scratch(n),
          arrays.scratch(n),
          arrays.scratch(n),
          arrays.scratch(reduce_blocks),
          arrays.scratch(1),
          arrays.scratch(1),
          arrays.scratch(1),
          arrays.scratch<unsigned>(1),
          arrays.side(),
          static_cast<int>(n)};
}

void solve(const Gradients& g, cudaStream_t stream) {
  const unsigned blocks = std::min<unsigned>(blocks_for(g.count, reduce_threads), reduce_blocks);
  start_kernel<<<blocks, reduce_threads, 0, stream>>>(g);
  for (int k = 0; k < steps; ++k) {
    product_kernel<<<blocks, reduce_threads, 0, stream>>>(g);
    update_kernel<<<blocks, reduce_threads, 0, stream>>>(g);
    direction_kernel<<<blocks, reduce_threads, 0, stream>>>(g);
  }
}

}  // namespace

Launch gradients(Arrays& arrays) {
  return [g = prepare(arrays)] { solve(g, nullptr); };
}

Launch gradients_graph(Arrays& arrays) {
  const Gradients g = prepare(arrays);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  solve(g, stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  return [=] { cudaGraphLaunch(executable, nullptr); };
}

}  // namespace tutti::bench::cuda
