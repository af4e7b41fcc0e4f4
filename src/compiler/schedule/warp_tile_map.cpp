// Maps whose points near each other in two dimensions have something in common: the cache lines of
// a transpose, or the number of iterations of a program's loops. A warp covers rows and columns.
#include "compiler/plan/plan.hpp"
#include "compiler/schedule/access_patterns.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {

std::optional<WarpTileMap> WarpTileMap::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::map || kernel.domain.rank == 1) return std::nullopt;
  if (kernel.programs.empty() ? !any_walks_across_rows(kernel) : !has_loops(kernel))
    return std::nullopt;
  return WarpTileMap{.columns = 4 * gpu.warp_columns,
                     .rows = 2 * gpu.warp_rows,
                     .warp_columns = gpu.warp_columns,
                     .warp_rows = gpu.warp_rows,
                     .walks_down = compiler::work_of(kernel).items > gpu.most_blocks_down,
                     .most_blocks = gpu.most_blocks,
                     .most_blocks_down = gpu.most_blocks_down};
}

Grid WarpTileMap::grid(const Kernel&, const Work& work) const {
  return {blocks(work.columns, columns, most_blocks), blocks(work.items, rows, most_blocks_down),
          static_cast<unsigned>(columns), static_cast<unsigned>(rows)};
}

std::string WarpTileMap::describe(const Kernel& kernel) const {
  return "one point a thread, a warp for " + std::to_string(warp_rows) + " x " +
         std::to_string(warp_columns) +
         (kernel.programs.empty() ? ": an array is read down its columns"
                                  : ": points near each other iterate about equally often");
}

}  // namespace tutti::schedule
