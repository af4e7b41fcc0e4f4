// The plans that a process has run, for `tutti explain --html`. Off unless requested. Any thread
// may note a plan. Each is listed once, in the order of first runs.
#pragma once
#include <atomic>
#include <memory>

#include "tutti/detail/export.hpp"
#include "tutti/explain.hpp"

namespace tutti::compiler {
struct Plan;
}

namespace tutti::engine {

class PlanLog {
 public:
  TUTTI_EXPORT static void start();
  static void note(const std::shared_ptr<const compiler::Plan>& plan) {
    if (is_on_.load(std::memory_order_relaxed)) [[unlikely]]
      add(plan);
  }
  // Returns the kernels of all plans so far. Plans beyond a limit of some hundreds are omitted.
  TUTTI_EXPORT static Explanation explanation();

 private:
  static void add(const std::shared_ptr<const compiler::Plan>& plan);
  static inline std::atomic<bool> is_on_{false};
};

// Appends the kernels of a plan to those of others, and renumbers their dependences accordingly.
void append_kernels(std::vector<Explanation::Kernel>& kernels, const compiler::Plan& plan);

}  // namespace tutti::engine
