// Describes for explain() how the kernels of a plan run, and why: the words of their schedules.
#include <algorithm>

#include "compiler/plan/plan.hpp"

namespace tutti::compiler {
namespace {

bool computes(const KernelStep& step, int value) {
  return std::any_of(step.kernel.outputs.begin(), step.kernel.outputs.end(),
                     [&](const Output& output) { return output.value == value; });
}

std::string describe(const KernelStep& step) {
  const Kernel& kernel = step.kernel;
  if (const auto* gpu = std::get_if<schedule::GpuSchedule>(&kernel.schedule))
    return std::visit([&](const auto& strategy) { return strategy.describe(kernel); }, *gpu);
  return std::visit(
      [&](const auto& strategy) {
        return strategy.describe(kernel, {step.items, step.columns}, step.task);
      },
      std::get<schedule::CpuSchedule>(kernel.schedule));
}

}  // namespace

std::string strategy_of(const Plan& plan, int value) {
  for (const Step& step : plan.steps) {
    if (const auto* kernel = std::get_if<KernelStep>(&step); kernel && computes(*kernel, value))
      return describe(*kernel);
    if (const auto* chain = std::get_if<ChainStep>(&step))
      for (const KernelStep& kernel : chain->kernels)
        if (computes(kernel, value)) return describe(kernel);
  }
  return "";
}

}  // namespace tutti::compiler
