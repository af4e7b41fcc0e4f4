#include "runtime/cpu/threads.hpp"

#include "core/settings/settings.hpp"
#include "runtime/cpu/thread_pool.hpp"
#include "target/this_cpu.hpp"

namespace tutti::runtime {

int cpu_threads() {
  static const int cores = target::available_cores();
  const int wanted = live_settings().threads;
  return wanted > 0 ? wanted : cores;
}

void parallel_for(int64_t count, const std::function<void(int64_t)>& body) {
  if (count > 0) thread_pool().run(count, cpu_threads(), body);
}

}  // namespace tutti::runtime
