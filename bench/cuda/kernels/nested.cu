// The irregular programs: quicksort's task by CUB's sort, the convex hull by quickhull on flat
// arrays, and Barnes and Hut's method on a pyramid of cells. Each as a programmer writes it who knows
// the problem: labels, atomics and stacks instead of segments.
#include <cub/cub.cuh>

#include <cmath>

#include "bench/cuda/kernels/arrays.cuh"

namespace tutti::bench::cuda {
namespace {

constexpr int block = 256;

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

// ---- quickhull

// A point outside of the polygon, and the side of it that it is in front of.
struct Outside {
  float x, y;
  int side;
};
struct IsOutside {
  __host__ __device__ bool operator()(const Outside& p) const { return p.side >= 0; }
};
struct Side {
  float2 from, to;
};

__device__ float area(float px, float py, float2 a, float2 b) {
  return (a.x - px) * (b.y - py) - (a.y - py) * (b.x - px);
}

// A distance and a point as one number: the greatest is the farthest, the first of equal ones.
__device__ unsigned long long as_number(float distance, int point) {
  return static_cast<unsigned long long>(__float_as_uint(distance)) << 32 |
         (0xffffffffu - static_cast<unsigned>(point));
}
__device__ int point_of(unsigned long long number) {
  return static_cast<int>(0xffffffffu - static_cast<unsigned>(number));
}

__global__ void find_extremes(const float* x, int count, unsigned long long* ends) {
  unsigned long long least = ~0ull, greatest = 0;
  for (int i = thread_number(); i < count; i += gridDim.x * blockDim.x) {
    const unsigned bits = __float_as_uint(x[i]);
    const unsigned order = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    const unsigned long long key = static_cast<unsigned long long>(order) << 32;
    least = min(least, key | static_cast<unsigned>(i));
    greatest = max(greatest, key | (0xffffffffu - static_cast<unsigned>(i)));
  }
  for (int d = 16; d > 0; d /= 2) {
    least = min(least, __shfl_xor_sync(~0u, least, d));
    greatest = max(greatest, __shfl_xor_sync(~0u, greatest, d));
  }
  if (threadIdx.x % 32 == 0) atomicMin(&ends[0], least), atomicMax(&ends[1], greatest);
}

__global__ void start_hull(const float* x, const float* y, const unsigned long long* ends,
                           Side* sides, float* hull) {
  const unsigned left = static_cast<unsigned>(ends[0]);
  const unsigned right = static_cast<unsigned>(point_of(ends[1]));
  const float2 a{x[left], y[left]}, b{x[right], y[right]};
  sides[0] = {a, b};
  sides[1] = {b, a};
  hull[0] = 2;
  hull[1] = fabsf(a.x) + fabsf(b.x);
  hull[2] = fabsf(a.y) + fabsf(b.y);
}

__global__ void start_points(const float* x, const float* y, int count, const Side* sides,
                             Outside* points) {
  const int i = thread_number();
  if (i >= count) return;
  const float d = area(x[i], y[i], sides[0].from, sides[0].to);
  points[i] = {x[i], y[i], d > 0 ? 0 : d < 0 ? 1 : -1};
}

// The farthest point of each side: lanes with the same side agree first.
__global__ void find_farthest(const Outside* points, int count, const Side* sides,
                              unsigned long long* farthest) {
  const int i = thread_number();
  const bool inside = i < count;
  const Outside p = inside ? points[i] : Outside{0, 0, -1};
  const Side side = inside ? sides[p.side] : Side{};
  const unsigned long long own = inside ? as_number(area(p.x, p.y, side.from, side.to), i) : 0;
  unsigned left = __ballot_sync(~0u, inside);
  while (left) {
    const int wanted = __shfl_sync(~0u, p.side, __ffs(left) - 1);
    const bool mine = inside && p.side == wanted;
    unsigned long long best = mine ? own : 0;
    for (int d = 16; d > 0; d /= 2) best = max(best, __shfl_xor_sync(~0u, best, d));
    if (threadIdx.x % 32 == 0) atomicMax(&farthest[wanted], best);
    left &= ~__ballot_sync(~0u, mine);
  }
}

// A side with points in front of it becomes two.
__global__ void split_sides(const Outside* points, const unsigned long long* farthest,
                            const Side* sides, int count, Side* next, int* number, int* used,
                            float* hull) {
  const int s = thread_number();
  if (s >= count || farthest[s] == 0) return;
  const Outside p = points[point_of(farthest[s])];
  number[s] = 2 * atomicAdd(used, 1);
  next[number[s]] = {sides[s].from, {p.x, p.y}};
  next[number[s] + 1] = {{p.x, p.y}, sides[s].to};
  atomicAdd(&hull[0], 1.0f);
  atomicAdd(&hull[1], fabsf(p.x));
  atomicAdd(&hull[2], fabsf(p.y));
}

__global__ void move_points(Outside* points, int count, const int* number, const Side* next) {
  const int i = thread_number();
  if (i >= count) return;
  Outside& p = points[i];
  const int first = number[p.side];
  const Side a = next[first], b = next[first + 1];
  p.side = area(p.x, p.y, a.from, a.to) > 0   ? first
           : area(p.x, p.y, b.from, b.to) > 0 ? first + 1
                                              : -1;
}

// ---- Barnes and Hut

struct Bodies {
  const float *x, *y, *mass;
};

__device__ unsigned spread_bits(unsigned v) {
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}

__global__ void make_keys(Bodies b, int count, float side, unsigned* keys, int* numbers) {
  const int i = thread_number();
  if (i >= count) return;
  keys[i] = spread_bits(static_cast<unsigned>(b.x[i] * side)) |
            spread_bits(static_cast<unsigned>(b.y[i] * side)) << 1;
  numbers[i] = i;
}

__global__ void gather_bodies(Bodies b, const int* order, int count, float4* sorted) {
  const int i = thread_number();
  if (i < count) sorted[i] = {b.x[order[i]], b.y[order[i]], b.mass[order[i]], 0};
}

// Where the bodies of each of the smallest cells begin.
__global__ void find_cells(const unsigned* keys, int count, int cells, int* first) {
  const int cell = thread_number();
  if (cell > cells) return;
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (keys[middle] < static_cast<unsigned>(cell))
      low = middle + 1;
    else
      high = middle;
  }
  first[cell] = low;
}

__device__ float4 centre(const float4* members, int first, int last) {
  float x = 0, y = 0, mass = 0;
  for (int i = first; i < last; ++i) {
    x += members[i].x * members[i].z;
    y += members[i].y * members[i].z;
    mass += members[i].z;
  }
  return mass > 0 ? float4{x / mass, y / mass, mass, 0} : float4{0, 0, 0, 0};
}
__global__ void centres_of_bodies(const float4* bodies, const int* first, int cells, float4* out) {
  const int cell = thread_number();
  if (cell < cells) out[cell] = centre(bodies, first[cell], first[cell + 1]);
}
__global__ void centres_of_cells(const float4* below, int cells, float4* out) {
  const int cell = thread_number();
  if (cell < cells) out[cell] = centre(below, 4 * cell, 4 * cell + 4);
}

// Level l of the pyramid begins at (4^l - 1) / 3.
__device__ int level_start(int level) { return ((1 << 2 * level) - 1) / 3; }

__global__ void add_forces(const float4* bodies, int count, const float4* cells, const int* first,
                           int levels, float far, float2* forces) {
  const int i = thread_number();
  if (i >= count) return;
  const float4 on = bodies[i];
  float2 force{0, 0};
  const auto attract = [&](float4 by, float dx, float dy) {
    const float r2 = dx * dx + dy * dy + 1e-6f;
    const float strength = by.z / (r2 * sqrtf(r2));
    force.x += strength * dx;
    force.y += strength * dy;
  };
  int stack[64], depth = 0;
  stack[depth++] = 0;  // a level in the upper four bits, and a cell of it
  while (depth > 0) {
    const int top = stack[--depth], level = top >> 26, cell = top & ((1 << 26) - 1);
    const float4 by = cells[level_start(level) + cell];
    if (by.z == 0) continue;
    const float dx = by.x - on.x, dy = by.y - on.y;
    const float size = far / static_cast<float>(1 << level);
    if (dx * dx + dy * dy > size * size) {
      attract(by, dx, dy);
    } else if (level < levels) {
      for (int k = 0; k < 4; ++k) stack[depth++] = (level + 1) << 26 | (4 * cell + k);
    } else {
      for (int k = first[cell]; k < first[cell + 1]; ++k)
        attract(bodies[k], bodies[k].x - on.x, bodies[k].y - on.y);
    }
  }
  forces[i] = force;
}

}  // namespace

// Out: how many corners the hull has, and the sums of their absolute coordinates.
Launch quickhull(Arrays& arrays) {
  const int count = static_cast<int>(arrays.count());
  Outside *points = arrays.scratch<Outside>(count), *kept = arrays.scratch<Outside>(count);
  Side *sides = arrays.scratch<Side>(count), *next = arrays.scratch<Side>(count);
  auto* farthest = arrays.scratch<unsigned long long>(count);
  int *number = arrays.scratch<int>(count), *counts = arrays.scratch<int>(2);
  auto* ends = arrays.scratch<unsigned long long>(2);
  size_t bytes = 0;
  cub::DeviceSelect::If(nullptr, bytes, points, kept, counts, count, IsOutside());
  void* memory = arrays.scratch<char>(bytes);
  return [=, &arrays] {
    const float *x = arrays.in(0), *y = arrays.in(1);
    float* hull = arrays.out(0);
    cudaMemsetAsync(&ends[0], 0xff, sizeof *ends);
    cudaMemsetAsync(&ends[1], 0, sizeof *ends);
    find_extremes<<<1024, block>>>(x, count, ends);
    start_hull<<<1, 1>>>(x, y, ends, sides, hull);
    start_points<<<blocks_for(count, block), block>>>(x, y, count, sides, points);
    int left = count, side_count = 2;
    Outside *now = points, *then = kept;
    Side *from = sides, *to = next;
    while (true) {
      size_t size = bytes;
      cub::DeviceSelect::If(memory, size, now, then, counts, left, IsOutside());
      std::swap(now, then);
      int host[2];
      cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost);
      left = host[0];
      if (left == 0) break;
      cudaMemsetAsync(farthest, 0, sizeof *farthest * static_cast<size_t>(side_count));
      cudaMemsetAsync(&counts[1], 0, sizeof(int));
      find_farthest<<<blocks_for(left, block), block>>>(now, left, from, farthest);
      split_sides<<<blocks_for(side_count, block), block>>>(now, farthest, from, side_count, to,
                                                            number, &counts[1], hull);
      move_points<<<blocks_for(left, block), block>>>(now, left, number, to);
      cudaMemcpy(&side_count, &counts[1], sizeof(int), cudaMemcpyDeviceToHost);
      side_count *= 2;
      std::swap(from, to);
    }
  };
}

// In: x, y, mass, and the number of levels. Out: the forces, bodies in the order of the curve.
Launch barnes_hut(Arrays& arrays) {
  const int count = static_cast<int>(arrays.count());
  int levels = 0;
  cudaMemcpy(&levels, arrays.in<int>(3), sizeof levels, cudaMemcpyDeviceToHost);
  const int cells = 1 << 2 * levels;
  auto *keys = arrays.scratch<unsigned>(count), *sorted_keys = arrays.scratch<unsigned>(count);
  int *numbers = arrays.scratch<int>(count), *order = arrays.scratch<int>(count);
  int* first = arrays.scratch<int>(cells + 1);
  auto* bodies = arrays.scratch<float4>(count);
  auto* pyramid = arrays.scratch<float4>(static_cast<size_t>(4) * cells);
  size_t bytes = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, sorted_keys, numbers, order, count, 0,
                                  2 * levels);
  void* memory = arrays.scratch<char>(bytes);
  return [=, &arrays] {
    const Bodies given{arrays.in(0), arrays.in(1), arrays.in(2)};
    const unsigned blocks = blocks_for(count, block);
    make_keys<<<blocks, block>>>(given, count, static_cast<float>(1 << levels), keys, numbers);
    size_t size = bytes;
    cub::DeviceRadixSort::SortPairs(memory, size, keys, sorted_keys, numbers, order, count, 0,
                                    2 * levels);
    gather_bodies<<<blocks, block>>>(given, order, count, bodies);
    find_cells<<<blocks_for(cells + 1, block), block>>>(sorted_keys, count, cells, first);
    const auto level_at = [&](int level) { return pyramid + ((1 << 2 * level) - 1) / 3; };
    centres_of_bodies<<<blocks_for(cells, block), block>>>(bodies, first, cells, level_at(levels));
    for (int level = levels - 1; level >= 0; --level)
      centres_of_cells<<<blocks_for(1 << 2 * level, block), block>>>(
          level_at(level + 1), 1 << 2 * level, level_at(level));
    add_forces<<<blocks_for(count, 128), 128>>>(bodies, count, pyramid, first, levels, 2.0f,
                                                arrays.out<float2>(0));
  };
}

}  // namespace tutti::bench::cuda
