// The threads that run kernels.
#pragma once
#include <cstdint>
#include <functional>

namespace tutti::runtime {

int cpu_threads();  // how many run kernels

// Even tasks are divided in advance; uneven ones are taken one by one by threads that are done.
enum class Tasks : uint8_t { even, uneven };

// Runs body(0) to body(count - 1), in any order, on all threads. Returns when all are done.
void parallel_for(int64_t count, const std::function<void(int64_t)>& body,
                  Tasks tasks = Tasks::even);

}  // namespace tutti::runtime
