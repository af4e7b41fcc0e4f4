#include "codegen/gpu_shape.hpp"

#include <algorithm>

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

}  // namespace

GpuShape gpu_shape(const Kernel& kernel) {
  GpuShape shape;
  if (!kernel.programs.empty()) return shape;  // control flow is a thread's own
  const int walked = kernel.form == passes::Form::reduce_wide ? kernel.domain.rank - kernel.kept
                                                              : kernel.domain.rank;
  if (kernel.form == passes::Form::reduce_column || kernel.few_tiles || walked != 1 ||
      inner_rules(kernel).any())
    return shape;
  // Rows of a reduction must begin at multiples of a wide access; the size is no structure, so only
  // reductions to one result are taken.
  if (kernel.form == passes::Form::reduce_wide && kernel.kept > 0) return shape;
  for (const passes::Load& load : kernel.loads)
    if (!in_order(kernel, load)) return shape;
  int widest = 1;
  for (const passes::Source& source : kernel.sources)
    widest = std::max(widest, size_of(source.type));
  for (const passes::Output& output : kernel.outputs)
    widest = std::max(widest, size_of(output.type));
  if (kernel.wide_index) widest = std::max(widest, 4);
  shape.linear = true;
  shape.lanes = std::clamp(gpu_tuning.wide_bytes / widest, 1, 4);
  // The tree of a wide reduction gives a thread four neighbouring lanes.
  if (kernel.form == passes::Form::reduce_wide) shape.lanes = 4;
  return shape;
}

}  // namespace tutti::codegen
