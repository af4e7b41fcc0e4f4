#include "runtime/cpu/split_tasks.hpp"

#include "core/elements/rounding.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime {
namespace {

// Returns the shape that was chosen when the plan was made, for all cores, or one for fewer
// threads.
schedule::TaskShape task_of(const compiler::KernelStep& step, int threads) {
  const auto* cpu = std::get_if<schedule::CpuSchedule>(&step.kernel.schedule);
  if (!cpu) throw InternalError("a plan for another device runs on a CPU");
  const target::CpuTuning& tuning = this_cpu_tuning();
  if (threads == tuning.cores) return step.task;
  return schedule::task_shape(*cpu, {step.items, step.columns}, {step.nanoseconds, step.uneven},
                              threads, tuning);
}

}  // namespace

const target::CpuTuning& this_cpu_tuning() {
  static const auto& tuning = std::get<target::CpuTuning>(target::this_cpu().tuning);
  return tuning;
}

Cut::Cut(const compiler::KernelStep& step, int threads)
    : all_items_(step.items), all_columns_(step.columns), task_(task_of(step, threads)) {
  down_ = divide_up(all_items_, task_.items);
  across_ = divide_up(all_columns_, task_.columns);
}

}  // namespace tutti::runtime
