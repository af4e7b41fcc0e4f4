#include "runtime/cpu/threads.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <memory>
#include <mutex>
#include <thread>

#include "core/settings.hpp"

namespace tutti::runtime {
namespace {

int wanted_threads() {
  const int wanted = live_settings().threads;
  return wanted > 0 ? wanted : tbb::this_task_arena::max_concurrency();
}

// An arena of as many threads as the settings want, made anew when they change.
struct Arena {
  int threads;
  tbb::global_control limit;  // allows more threads than cores when asked for
  tbb::task_arena arena;
  explicit Arena(int count)
      : threads(count),
        limit(tbb::global_control::max_allowed_parallelism,
              std::max<size_t>(static_cast<size_t>(count), std::thread::hardware_concurrency())),
        arena(count) {}
};

std::shared_ptr<Arena> current_arena() {
  static std::mutex mutex;
  static std::shared_ptr<Arena>* arena = new std::shared_ptr<Arena>;
  const int threads = wanted_threads();
  std::lock_guard lock(mutex);
  if (!*arena || (*arena)->threads != threads) *arena = std::make_shared<Arena>(threads);
  return *arena;
}

}  // namespace

int cpu_threads() { return wanted_threads(); }

void parallel_for(int64_t count, const std::function<void(int64_t)>& body, Tasks tasks) {
  current_arena()->arena.execute([&] {
    if (tasks == Tasks::even)
      tbb::parallel_for(int64_t{0}, count, body, tbb::static_partitioner());
    else
      tbb::parallel_for(int64_t{0}, count, body, tbb::simple_partitioner());
  });
}

}  // namespace tutti::runtime
