// The threads that run kernels.
#pragma once
#include <cstdint>
#include <functional>

namespace tutti::runtime {

int cpu_threads();  // how many run kernels

// Even tasks are dealt out beforehand; of uneven ones, a thread that is done takes the next.
enum class Tasks : uint8_t { even, uneven };

// body(0) to body(count - 1), in any order, on all threads; returns when all are done.
void parallel_for(int64_t count, const std::function<void(int64_t)>& body,
                  Tasks tasks = Tasks::even);

}  // namespace tutti::runtime
