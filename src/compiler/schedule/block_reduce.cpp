// Reductions by a block of threads for each tile: for few tiles, which would leave most of the
// machine without work, and for bodies that are too large for a thread with eight lanes of the
// tree.
#include "compiler/plan/plan.hpp"
#include "compiler/schedule/gpu_schedule.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::schedule {

std::optional<BlockReduce> BlockReduce::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::reduce_wide) return std::nullopt;
  const int64_t results = compiler::elements_along(kernel.domain, 0, kernel.kept);
  const bool few = results * compiler::tiles_of(kernel) <= gpu.few_tiles;
  const bool large = kernel.code.size() > gpu.large_body;
  if (!few && !large) return std::nullopt;
  return BlockReduce{
      .threads = ir::wide_lanes, .unroll = large ? 1 : 8, .most_blocks = gpu.most_blocks};
}

Grid BlockReduce::grid(const Kernel&, const Work& work) const {
  return {blocks(work.items, 1, most_blocks), 1, static_cast<unsigned>(threads), 1};
}

std::string BlockReduce::describe(const Kernel&) const {
  return std::string("a block of threads for each tile: ") +
         (unroll == 1 ? "there is much to do for an element" : "there are few tiles");
}

}  // namespace tutti::schedule
