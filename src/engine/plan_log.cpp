#include "engine/plan_log.hpp"

#include <algorithm>
#include <mutex>

#include "compiler/plan/plan.hpp"

namespace tutti::engine {
namespace {

// A longer page would not be readable.
constexpr size_t most_plans = 400;

struct Log {
  std::mutex mutex;
  std::vector<std::shared_ptr<const compiler::Plan>> plans;
};
Log& log() {
  static Log& instance = *new Log;
  return instance;
}

}  // namespace

void PlanLog::start() { is_on_ = true; }

void PlanLog::add(const std::shared_ptr<const compiler::Plan>& plan) {
  std::lock_guard lock(log().mutex);
  std::vector<std::shared_ptr<const compiler::Plan>>& plans = log().plans;
  if (plans.size() < most_plans && std::ranges::find(plans, plan) == plans.end())
    plans.push_back(plan);
}

Explanation PlanLog::explanation() {
  std::lock_guard lock(log().mutex);
  std::vector<Explanation::Kernel> kernels;
  for (const auto& plan : log().plans) append_kernels(kernels, *plan);
  return Explanation(std::move(kernels), "");
}

void append_kernels(std::vector<Explanation::Kernel>& kernels, const compiler::Plan& plan) {
  const int first = static_cast<int>(kernels.size());
  for (Explanation::Kernel& kernel : compiler::explain(plan)) {
    for (int& need : kernel.needs) need += first;
    kernels.push_back(std::move(kernel));
  }
}

}  // namespace tutti::engine
