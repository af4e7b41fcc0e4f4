// How the kernels of a plan run, and why so, in words for explain().
#include <algorithm>
#include <map>

#include "passes/plan.hpp"

namespace tutti::passes {
namespace {

bool reads_computed_places(const Kernel& kernel) {
  return std::any_of(kernel.indices.begin(), kernel.indices.end(),
                     [](const IndexExpr& e) { return e.kind == IndexExpr::Kind::gathered; });
}

// Whether several loads are of one array.
bool has_taps(const Kernel& kernel) {
  std::map<int, int> loads;
  for (const Load& load : kernel.loads)
    if (++loads[load.source] > 1) return true;
  return false;
}

std::string on_gpu(const Kernel& kernel) {
  const auto number = [](int64_t n) { return std::to_string(n); };
  if (const Tiling& tiling = kernel.tiling; tiling.columns)
    return "patches of " + number(tiling.rows) + " x " + number(tiling.columns) +
           " points a thread, in registers: of those that fit, the least work a point" +
           (kernel.repeat.steps ? ", in a loop of " + number(kernel.repeat.steps) + " steps" : "");
  if (kernel.few_rows)
    return number(kernel.few_lanes) + " threads a result, one for each of its columns";
  if (kernel.few_lanes) return number(kernel.few_lanes) + " threads a result: it has few elements";
  if (kernel.block_unroll)
    return "a block of threads for each tile: " +
           std::string(kernel.block_unroll == 1 ? "there is much to do for an element"
                                                : "there are few tiles");
  if (kernel.form == Form::reduce_wide) return "a warp for each tile";
  if (kernel.form == Form::reduce_column) return "a thread for each column of a tile";
  if (!kernel.programs.empty()) return "one point a thread: it has control flow of its own";
  if (reads_computed_places(kernel)) return "one point a thread: places are computed";
  if (has_taps(kernel)) return "one point a thread, taps left to the cache: no patch fits";
  return kernel.domain.rank == 1 ? "several points a thread, in order" : "one point a thread";
}

std::string on_cpu(const Kernel& kernel) {
  if (reads_computed_places(kernel))
    return "whole rows, shared by the threads: places are computed";
  if (has_taps(kernel))
    return "whole rows, shared by the threads: taps are whole vectors from rows in the cache";
  return "whole rows, shared by the threads";
}

bool computes(const KernelStep& step, int value) {
  return std::any_of(step.kernel.outputs.begin(), step.kernel.outputs.end(),
                     [&](const Output& output) { return output.value == value; });
}

}  // namespace

std::string strategy_of(const Plan& plan, int value) {
  for (const Step& step : plan.steps) {
    if (const auto* kernel = std::get_if<KernelStep>(&step); kernel && computes(*kernel, value))
      return plan.for_gpu ? on_gpu(kernel->kernel) : on_cpu(kernel->kernel);
    if (const auto* chain = std::get_if<ChainStep>(&step))
      for (const KernelStep& kernel : chain->kernels)
        if (computes(kernel, value))
          return "in strips of rows with " + std::to_string(chain->kernels.size() - 1) +
                 " other kernels: what passes between them stays in the cache";
  }
  return "";
}

}  // namespace tutti::passes
