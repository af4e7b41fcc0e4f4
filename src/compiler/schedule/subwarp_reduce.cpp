// Reductions of at most as many elements as a warp has threads: a thread for each element.
#include <bit>

#include "compiler/schedule/gpu_schedule.hpp"
#include "compiler/schedule/reduction_lengths.hpp"

namespace tutti::schedule {

std::optional<SubwarpReduce> SubwarpReduce::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::reduce_wide) return std::nullopt;
  const int64_t length = elements_a_result(kernel);
  if (length > gpu.warp) return std::nullopt;
  return SubwarpReduce{.threads = gpu.reduce_warps * gpu.warp,
                       .lanes = static_cast<int>(std::bit_ceil(static_cast<uint64_t>(length))),
                       .most_blocks = gpu.most_blocks};
}

Grid SubwarpReduce::grid(const Kernel&, const Work& work) const {
  return {blocks(work.items, results_a_block(), most_blocks), 1, static_cast<unsigned>(threads), 1};
}

std::string SubwarpReduce::describe(const Kernel&) const {
  return std::to_string(lanes) + " threads a result: it has few elements";
}

}  // namespace tutti::schedule
