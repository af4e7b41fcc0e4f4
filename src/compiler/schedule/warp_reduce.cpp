// Reductions by a warp for each tile: all along the last axes that no strategy before it accepts.
#include "compiler/kernel_passes/boundary_segments.hpp"
#include "compiler/schedule/access_patterns.hpp"
#include "compiler/schedule/gpu_schedule.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::schedule {
namespace {

// Wide accesses need rows that begin at multiples of one. Sizes are not structure, so only
// reductions to a single result qualify.
bool is_linear(const Kernel& kernel) {
  return kernel.kept == 0 && kernel.domain.rank == 1 && kernel.programs.empty() &&
         !inner_rules(kernel).any() && all_in_order(kernel);
}

}  // namespace

std::optional<WarpReduce> WarpReduce::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::reduce_wide) return std::nullopt;
  constexpr int neighbours = 4;  // adjacent lanes of the tree that one thread holds
  static_assert(ir::wide_lanes % (2 * neighbours) == 0);
  return WarpReduce{.warps = gpu.reduce_warps,
                    .threads = gpu.reduce_warps * gpu.warp,
                    .lanes = is_linear(kernel) ? neighbours : 1,
                    .most_blocks = gpu.most_blocks};
}

Grid WarpReduce::grid(const Kernel&, const Work& work) const {
  return {blocks(work.items, warps, most_blocks), 1, static_cast<unsigned>(threads), 1};
}

std::string WarpReduce::describe(const Kernel&) const {
  return in_order() ? "a warp for each tile, in order, in accesses of " + std::to_string(lanes) +
                          " elements"
                    : "a warp for each tile";
}

}  // namespace tutti::schedule
