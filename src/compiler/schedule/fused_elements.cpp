// Elements that a vector primitive computes on the fly, in pieces of four. Loads at computed
// indices read one element each, but the indices themselves are read in wide accesses
// (docs/decisions/0021-segment-windows.md).
#include "compiler/kernel_passes/boundary_segments.hpp"
#include "compiler/schedule/access_patterns.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {
namespace {

bool is_in_order(const Kernel& kernel, const GpuTuning& gpu) {
  const bool too_long = kernel.form == compiler::Form::map && kernel.code.size() > gpu.longest_body;
  return kernel.domain.rank == 1 && kernel.programs.empty() && !inner_rules(kernel).any() &&
         !too_long && all_in_order(kernel);
}

int lanes_of(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.domain.rank != 1) return 1;
  if (is_in_order(kernel, gpu)) return linear_lanes(kernel, gpu);
  if (!kernel.programs.empty() || inner_rules(kernel).any() || kernel.code.size() > gpu.long_body)
    return 1;
  bool some_in_order = false;
  for (const compiler::Load& load : kernel.loads) {
    some_in_order |= in_order(kernel, load);
    if (!in_order(kernel, load) && !at_computed_index(kernel, load)) return 1;
  }
  return some_in_order ? wide_lanes(kernel, gpu) : 1;
}

}  // namespace

std::optional<FusedElements> FusedElements::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (!kernel.fused) return std::nullopt;
  return FusedElements{lanes_of(kernel, gpu), is_in_order(kernel, gpu),
                       any_at_computed_index(kernel)};
}

std::string FusedElements::describe(const Kernel&) const {
  return lanes > 1 ? "inside of the primitive, " + std::to_string(lanes) + " elements at a time"
                   : "inside of the primitive, element by element";
}

}  // namespace tutti::schedule
