#include "codegen/gpu_shape.hpp"

#include <algorithm>

#include "ir/program.hpp"
#include "passes/segments.hpp"

namespace tutti::codegen {
namespace {

using passes::IndexExpr;
using passes::Kernel;

// Whether a load is of the element at the very point of the domain, or the same for all points.
bool in_order(const Kernel& kernel, const passes::Load& load) {
  for (const auto& axis : load.axes) {
    const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
    if (e.dim == -1) continue;
    if (e.dim == -2) return false;
    const bool plain =
        e.kind == IndexExpr::Kind::dim &&
        (e.dim != kernel.inner() ||
         axis.source_axis == kernel.sources[static_cast<size_t>(load.source)].shape.rank - 1);
    if (!plain) return false;
  }
  return true;
}

bool at_computed_place(const Kernel& kernel, const passes::Load& load) {
  return std::any_of(load.axes.begin(), load.axes.end(), [&](const auto& axis) {
    return kernel.indices[static_cast<size_t>(axis.index)].dim == -2;
  });
}

// Elements of a wide access, by the widest type of the kernel.
int wide_lanes(const Kernel& kernel) {
  int widest = 1;
  for (const passes::Source& source : kernel.sources)
    widest = std::max(widest, size_of(source.type));
  for (const passes::Output& output : kernel.outputs)
    widest = std::max(widest, size_of(output.type));
  if (kernel.wide_index) widest = std::max(widest, 4);
  return std::clamp(gpu_tuning.wide_bytes / widest, 1, 4);
}

// A transpose: neighbours in a column read next to each other, neighbours in a row do not.
bool transposed(const Kernel& kernel, const passes::Load& load) {
  const int last = kernel.sources[static_cast<size_t>(load.source)].shape.rank - 1;
  return std::any_of(load.axes.begin(), load.axes.end(), [&](const auto& axis) {
    return kernel.indices[static_cast<size_t>(axis.index)].dim == kernel.inner() &&
           axis.source_axis != last;
  });
}

// Points near each other go through a loop as often, above and below as well as to the sides.
bool has_loops(const Kernel& kernel) {
  return std::any_of(kernel.programs.begin(), kernel.programs.end(),
                     [](const auto& call) { return call.program->loops; });
}

}  // namespace

GpuShape gpu_shape(const Kernel& kernel) {
  GpuShape shape;
  shape.one_row = kernel.form == passes::Form::map && kernel.domain.rank == 1;
  if (!kernel.programs.empty()) {  // control flow is a thread's own
    shape.blocks = kernel.form == passes::Form::map && kernel.domain.rank > 1 && has_loops(kernel);
    return shape;
  }
  const int walked = kernel.form == passes::Form::reduce_wide ? kernel.domain.rank - kernel.kept
                                                              : kernel.domain.rank;
  shape.blocks = kernel.form == passes::Form::map && kernel.domain.rank > 1 &&
                 std::any_of(kernel.loads.begin(), kernel.loads.end(),
                             [&](const auto& load) { return transposed(kernel, load); });
  if (kernel.form == passes::Form::reduce_column || kernel.block_unroll || kernel.few_lanes ||
      walked != 1 || inner_rules(kernel).any())
    return shape;
  // With very much to do for an element the width of an access does not count, but the time to
  // compile does.
  const bool is_map = kernel.form == passes::Form::map;
  if (is_map && kernel.code.size() > gpu_tuning.longest_body) return shape;
  // Rows of a reduction must begin at multiples of a wide access; the size is no structure, so only
  // reductions to one result are taken.
  if (kernel.form == passes::Form::reduce_wide && kernel.kept > 0) return shape;
  for (const passes::Load& load : kernel.loads)
    if (!in_order(kernel, load)) return shape;
  shape.linear = true;
  shape.lanes = wide_lanes(kernel);
  // Many arrays keep enough in flight by themselves, and very many fill the registers.
  const int loads = std::max(1, static_cast<int>(kernel.loads.size()));
  shape.unroll = std::clamp(4 * gpu_tuning.linear_accesses / loads, 1, gpu_tuning.linear_accesses);
  if (loads > 4 * gpu_tuning.linear_accesses) shape.lanes = std::min(shape.lanes, 2);
  // With much to do for an element memory is waited for by doing it for others.
  if (is_map && kernel.code.size() > gpu_tuning.long_body) shape.unroll = 1;
  // The tree of a wide reduction gives a thread four neighbouring lanes.
  if (kernel.form == passes::Form::reduce_wide) shape.lanes = 4;
  return shape;
}

int alignment_of(const Kernel& kernel, const passes::Load& load, int lanes) {
  const passes::Source& source = kernel.sources[static_cast<size_t>(load.source)];
  const int element = size_of(source.type) * source.parts;
  // A coordinate on another axis, constant or not, adds a multiple of a stride, which is an
  // argument: rows of 8193 floats begin at odd multiples of four bytes.
  const auto along_inner = [&](const passes::Load::Axis& axis) {
    const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
    return e.kind == IndexExpr::Kind::dim && e.dim == kernel.inner() &&
           axis.source_axis == source.shape.rank - 1;
  };
  const bool from_the_start =
      std::all_of(load.axes.begin(), load.axes.end(), along_inner) && load.axes.size() == 1;
  return from_the_start ? element * lanes : element;
}

bool reads_computed_places(const Kernel& kernel) {
  return std::any_of(kernel.loads.begin(), kernel.loads.end(),
                     [&](const passes::Load& load) { return at_computed_place(kernel, load); });
}

int lanes_of_pieces(const Kernel& kernel) {
  if (kernel.domain.rank != 1) return 1;
  if (const GpuShape shape = gpu_shape(kernel); shape.linear) return shape.lanes;
  if (!kernel.programs.empty() || inner_rules(kernel).any() ||
      kernel.code.size() > gpu_tuning.long_body)
    return 1;
  bool some_in_order = false;
  for (const passes::Load& load : kernel.loads) {
    some_in_order |= in_order(kernel, load);
    if (!in_order(kernel, load) && !at_computed_place(kernel, load)) return 1;
  }
  return some_in_order ? wide_lanes(kernel) : 1;
}

}  // namespace tutti::codegen
