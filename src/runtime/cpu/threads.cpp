#include "runtime/cpu/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <thread>

#include "core/settings.hpp"
#include "runtime/cpu/thread_pool.hpp"

namespace tutti::runtime {
namespace {

// The cores that this process may use.
int available_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

int cpu_threads() {
  static const int cores = available_cores();
  const int wanted = live_settings().threads;
  return wanted > 0 ? wanted : cores;
}

void parallel_for(int64_t count, const std::function<void(int64_t)>& body, Tasks tasks) {
  if (count > 0) thread_pool().run(count, cpu_threads(), tasks == Tasks::uneven, body);
}

}  // namespace tutti::runtime
