// The plans that a process has run, for `tutti explain --html`: off unless asked for. Any thread
// may note a plan; each is listed once, in the order of their first runs.
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
  // The kernels of all plans up to now. Plans beyond some hundreds are left out.
  TUTTI_EXPORT static Explanation explanation();

 private:
  static void add(const std::shared_ptr<const compiler::Plan>& plan);
  static inline std::atomic<bool> is_on_{false};
};

// Adds the kernels of a plan to those of others. What they need is counted from the first of all.
void append_kernels(std::vector<Explanation::Kernel>& kernels, const compiler::Plan& plan);

}  // namespace tutti::engine
