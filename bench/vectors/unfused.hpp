// What fusion is worth: the benchmarks with Tutti itself as the baseline, which stores the result
// of every operation (transformations are read in place, as views are elsewhere).
#pragma once
#include "bench/harness/registry.hpp"

namespace tutti::bench {

std::vector<Comparison> against_unfused(std::vector<Comparison> comparisons);

}  // namespace tutti::bench
