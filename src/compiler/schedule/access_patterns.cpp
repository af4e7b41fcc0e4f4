#include "compiler/schedule/access_patterns.hpp"

#include <algorithm>
#include <map>

#include "program/program.hpp"

namespace tutti::schedule {

using compiler::IndexExpr;
using compiler::Kernel;
using compiler::Load;

bool in_order(const Kernel& kernel, const Load& load) {
  for (const auto& axis : load.axes) {
    const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
    if (e.is_fixed()) continue;
    if (e.is_computed()) return false;
    const bool plain =
        e.kind == IndexExpr::Kind::dim &&
        (e.dim != kernel.inner() ||
         axis.source_axis == kernel.sources[static_cast<size_t>(load.source)].shape.rank - 1);
    if (!plain) return false;
  }
  return true;
}

bool all_in_order(const Kernel& kernel) {
  return std::all_of(kernel.loads.begin(), kernel.loads.end(),
                     [&](const Load& load) { return in_order(kernel, load); });
}

namespace {

// Returns whether a coordinate follows from one of joined axes (kernel_passes/join_axes.hpp).
bool follows_joined(const Kernel& kernel, int index) {
  const IndexExpr& e = kernel.indices[static_cast<size_t>(index)];
  return e.divides() || (e.is_derived() && follows_joined(kernel, e.source));
}

}  // namespace

bool at_computed_index(const Kernel& kernel, const Load& load) {
  return std::any_of(load.axes.begin(), load.axes.end(), [&](const auto& axis) {
    return kernel.indices[static_cast<size_t>(axis.index)].is_computed() &&
           !follows_joined(kernel, axis.index);
  });
}

bool any_at_computed_index(const Kernel& kernel) {
  return std::any_of(kernel.loads.begin(), kernel.loads.end(),
                     [&](const Load& load) { return at_computed_index(kernel, load); });
}

bool walks_across_rows(const Kernel& kernel, const Load& load) {
  const int last = kernel.sources[static_cast<size_t>(load.source)].shape.rank - 1;
  return std::any_of(load.axes.begin(), load.axes.end(), [&](const auto& axis) {
    return kernel.indices[static_cast<size_t>(axis.index)].dim == kernel.inner() &&
           axis.source_axis != last;
  });
}

bool any_walks_across_rows(const Kernel& kernel) {
  return std::any_of(kernel.loads.begin(), kernel.loads.end(),
                     [&](const Load& load) { return walks_across_rows(kernel, load); });
}

bool any_gathers_across_rows(const Kernel& kernel, int64_t cached_bytes) {
  return std::any_of(kernel.loads.begin(), kernel.loads.end(), [&](const Load& load) {
    const compiler::Source& source = kernel.sources[static_cast<size_t>(load.source)];
    if (source.shape.size() * size_of(source.type) <= cached_bytes) return false;
    return std::any_of(load.axes.begin(), load.axes.end(), [&](const auto& axis) {
      return kernel.indices[static_cast<size_t>(axis.index)].is_computed() &&
             !follows_joined(kernel, axis.index) && axis.source_axis != source.shape.rank - 1;
    });
  });
}

bool has_stencil(const Kernel& kernel) {
  const auto same_indices = [](const Load& a, const Load& b) {
    return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                      [](const auto& x, const auto& y) { return x.index == y.index; });
  };
  std::map<int, const Load*> first;
  for (const Load& load : kernel.loads)
    if (!same_indices(*first.try_emplace(load.source, &load).first->second, load)) return true;
  return false;
}

bool has_loops(const Kernel& kernel) {
  return std::any_of(kernel.programs.begin(), kernel.programs.end(),
                     [](const auto& call) { return call.program->loops; });
}

int wide_lanes(const Kernel& kernel, const target::GpuTuning& gpu) {
  int widest = 1;
  for (const compiler::Source& source : kernel.sources)
    widest = std::max(widest, size_of(source.type));
  for (const compiler::Output& output : kernel.outputs)
    widest = std::max(widest, size_of(output.type));
  if (kernel.wide_index) widest = std::max(widest, 4);
  return std::clamp(gpu.wide_bytes / widest, 1, 4);
}

int linear_lanes(const Kernel& kernel, const target::GpuTuning& gpu) {
  const int lanes = wide_lanes(kernel, gpu);
  const bool fills_registers = kernel.loads.size() > 4 * static_cast<size_t>(gpu.linear_accesses);
  return fills_registers ? std::min(lanes, 2) : lanes;
}

}  // namespace tutti::schedule
