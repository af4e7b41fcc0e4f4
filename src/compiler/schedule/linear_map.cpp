// Maps over one axis whose loads are in order: several wide accesses for each thread.
#include <algorithm>

#include "compiler/kernel_passes/boundary_segments.hpp"
#include "compiler/schedule/access_patterns.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {

std::optional<LinearMap> LinearMap::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::map || kernel.domain.rank != 1 || !kernel.programs.empty())
    return std::nullopt;
  // With very much work per element, the time to compile matters more than the width of an access.
  if (kernel.code.size() > gpu.longest_body) return std::nullopt;
  if (inner_rules(kernel).any() || !all_in_order(kernel)) return std::nullopt;
  LinearMap map;
  map.threads = gpu.linear_threads;
  map.most_blocks = gpu.most_blocks;
  map.lanes = linear_lanes(kernel, gpu);
  // Loads from many arrays keep enough accesses in flight.
  const int loads = std::max(1, static_cast<int>(kernel.loads.size()));
  map.unroll = std::clamp(4 * gpu.linear_accesses / loads, 1, gpu.linear_accesses);
  // With much work per element, other threads hide the latency of memory.
  if (kernel.code.size() > gpu.long_body) map.unroll = 1;
  return map;
}

Grid LinearMap::grid(const Kernel&, const Work& work) const {
  return {blocks(work.columns, int64_t{threads} * unroll * lanes, most_blocks), 1,
          static_cast<unsigned>(threads), 1};
}

std::string LinearMap::describe(const Kernel&) const {
  return std::to_string(unroll * lanes) + " points a thread, in order, in accesses of " +
         std::to_string(lanes) + " elements";
}

}  // namespace tutti::schedule
