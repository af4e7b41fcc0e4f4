// The threads that run kernels.
#pragma once
#include <cstdint>
#include <functional>

namespace tutti::runtime {

int cpu_threads();  // how many run kernels

// Runs body(0) to body(count - 1), in any order, on all threads. Returns when all are done. Tasks
// are divided in advance, in order; threads that are done take tasks of others one by one.
void parallel_for(int64_t count, const std::function<void(int64_t)>& body);

}  // namespace tutti::runtime
