// What the baselines on long vectors share: loops and sums on all cores.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/partitioner.h>

#include <functional>
#include <vector>

#include "bench/harness/host.hpp"
#include "bench/harness/registry.hpp"

namespace tutti::bench {

inline std::vector<Size> vector_sizes(Workload (*prepare)(size_t count)) {
  return {{"2^20", true, [=] { return prepare(size_t{1} << 20); }},
          {"2^25", false, [=] { return prepare(size_t{1} << 25); }}};
}

constexpr size_t grain = 1 << 14;  // 64 KiB of each vector a task

// body(first, last) for all of the indices below count, on all cores.
template <class Body>
void for_ranges(size_t count, const Body& body) {
  tbb::parallel_for(
      tbb::blocked_range<size_t>(0, count, grain),
      [&](const tbb::blocked_range<size_t>& range) { body(range.begin(), range.end()); });
}

// out[i] = f(i) for all i.
template <class F>
void fill(const Buffer<>& out, const F& f) {
  for_ranges(out.size(), [&](size_t first, size_t last) {
    float* __restrict to = out.data();
    for (size_t i = first; i < last; ++i) to[i] = f(i);
  });
}

// f(first) + ... + f(last - 1)
template <class F>
float sum_of_range(size_t first, size_t last, F f) {
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (size_t i = first; i < last; ++i) total += f(i);
  return total;
}

// f(0) + f(1) + ...: floats within a task, doubles beyond.
template <class F>
double add_up(size_t count, const F& f) {
  using Indices = tbb::blocked_range<size_t>;
  auto add_range = [&](const Indices& range, double before) {
    return before + sum_of_range(range.begin(), range.end(), f);
  };
  // Pieces of one size, however many threads there are: sums of floats stay short and exact enough.
  return tbb::parallel_reduce(Indices(0, count, grain), 0.0, add_range, std::plus<>(),
                              tbb::simple_partitioner());
}

}  // namespace tutti::bench
