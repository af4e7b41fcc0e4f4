// What the benchmarks of nested programs share: both sides compute a vector on the host, and the
// last results of each are compared.
#pragma once
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <memory>
#include <vector>

#include "bench/harness/host.hpp"
#include "bench/harness/registry.hpp"

namespace tutti::bench {

template <class T>
Workload compare_vectors(std::function<std::vector<T>()> program,
                         std::function<std::vector<T>()> baseline, double bytes = 0) {
  const auto result = std::make_shared<std::vector<T>>();
  return {
      .tutti = [=] { program(); },
      .baseline = [=] { *result = baseline(); },
      .disagreement =
          [=] {
            const std::vector<T> got = program();
            return disagreement(std::span<const T>(*result), std::span<const T>(got));
          },
      .bytes = bytes,
  };
}

// The programs with their data on the device, for comparison with hand-written CUDA.
Workload quicksort_on_device(int count);
Workload quickhull_on_device(int count);
Workload barnes_hut_on_device(int count);

inline Size counted_size(const char* name, bool small, int count, Workload (*prepare)(int)) {
  return {name, small, [=] { return prepare(count); }};
}

// body(i) for all i below count, on all cores.
template <class Body>
void parallel_each(int count, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<int>(0, count, 256), [&](const auto& range) {
    for (int i = range.begin(); i < range.end(); ++i) body(i);
  });
}

}  // namespace tutti::bench
