// Maps that no other strategy has accepted: one point for each thread, and the reason.
#include <algorithm>

#include "compiler/kernel_passes/boundary_segments.hpp"
#include "compiler/plan/plan.hpp"
#include "compiler/schedule/access_patterns.hpp"
#include "compiler/schedule/gpu_schedule.hpp"

namespace tutti::schedule {
namespace {

using Reason = PointMap::Reason;

// Returns why no better strategy has accepted the kernel.
Reason reason_for(const Kernel& kernel, const GpuTuning& gpu) {
  if (!kernel.programs.empty()) return Reason::control_flow;
  if (any_at_computed_index(kernel)) return Reason::computed_indices;
  if (has_stencil(kernel)) return Reason::stencil;
  if (kernel.domain.rank > 1) return Reason::rows_and_columns;
  if (kernel.code.size() > gpu.longest_body) return Reason::much_to_do;
  return inner_rules(kernel).any() ? Reason::boundary_rules : Reason::out_of_order;
}

const char* text_of(Reason reason) {
  switch (reason) {
    case Reason::rows_and_columns:
      return "";
    case Reason::control_flow:
      return ": it has control flow of its own";
    case Reason::computed_indices:
      return ": indices are computed";
    case Reason::stencil:
      return ", stencil offsets left to the cache: no register tile fits";
    case Reason::boundary_rules:
      return ": boundary rules hold along the row";
    case Reason::out_of_order:
      return ": elements are not read in order";
    case Reason::much_to_do:
      return ": there is much to do for an element";
  }
  return "";
}

}  // namespace

std::optional<PointMap> PointMap::choose(const Kernel& kernel, const GpuTuning& gpu) {
  if (kernel.form != compiler::Form::map) return std::nullopt;
  PointMap map;
  map.reason = reason_for(kernel, gpu);
  map.most_blocks = gpu.most_blocks;
  map.most_blocks_down = gpu.most_blocks_down;
  if (kernel.domain.rank == 1) {
    map.columns = gpu.tile_columns * gpu.tile_rows;
    map.rows = 1;
    return map;
  }
  map.walks_down = compiler::work_of(kernel).items > gpu.most_blocks_down;
  map.columns = gpu.tile_columns;
  map.rows = gpu.tile_rows;
  return map;
}

Grid PointMap::grid(const Kernel&, const Work& work) const {
  return {blocks(work.columns, columns, most_blocks), blocks(work.items, rows, most_blocks_down),
          static_cast<unsigned>(columns), static_cast<unsigned>(rows)};
}

std::string PointMap::describe(const Kernel&) const {
  return std::string("one point a thread") + text_of(reason);
}

}  // namespace tutti::schedule
