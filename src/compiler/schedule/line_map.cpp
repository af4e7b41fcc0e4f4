// Recurrences: a thread for each line. Fits all of them.
#include "compiler/kernel/kernel.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {

std::optional<LineMap> LineMap::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::recurrence) return std::nullopt;
  // There are rarely more lines than a device has threads: small blocks occupy all processors.
  return LineMap{.threads = gpu.warp,
                 .most_blocks = gpu.most_blocks,
                 .most_blocks_down = gpu.most_blocks_down};
}

Grid LineMap::grid(const Kernel&, const Work& work) const {
  return {blocks(work.columns, threads, most_blocks), blocks(work.items, 1, most_blocks_down),
          static_cast<unsigned>(threads)};
}

std::string LineMap::describe(const Kernel&) const {
  return "a thread for each line, in order along the axis";
}

}  // namespace tutti::schedule
