// Reductions that keep the last axis: a thread for each column. Fits all of them.
#include "compiler/kernel/kernel.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {

std::optional<ColumnReduce> ColumnReduce::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::reduce_column) return std::nullopt;
  return ColumnReduce{.columns = gpu.tile_columns,
                      .rows = gpu.tile_rows,
                      .most_blocks = gpu.most_blocks,
                      .most_blocks_down = gpu.most_blocks_down};
}

Grid ColumnReduce::grid(const Kernel&, const Work& work) const {
  return {blocks(work.columns, columns, most_blocks), blocks(work.items, rows, most_blocks_down),
          static_cast<unsigned>(columns), static_cast<unsigned>(rows)};
}

std::string ColumnReduce::describe(const Kernel&) const {
  return "a thread for each column of a tile";
}

}  // namespace tutti::schedule
