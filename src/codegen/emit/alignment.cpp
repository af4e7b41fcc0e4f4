#include "codegen/emit/alignment.hpp"

#include <algorithm>

namespace tutti::codegen {

using compiler::IndexExpr;
using compiler::Kernel;

int alignment_of(const Kernel& kernel, const compiler::Load& load, int lanes) {
  const compiler::Source& source = kernel.sources[static_cast<size_t>(load.source)];
  const int element = size_of(source.type) * source.parts;
  // Coordinates on other axes, constant or not, add a multiple of a stride, which is an argument:
  // rows of 8193 floats begin at odd multiples of four bytes.
  const auto along_inner = [&](const compiler::Load::Axis& axis) {
    const IndexExpr& e = kernel.indices[static_cast<size_t>(axis.index)];
    return e.kind == IndexExpr::Kind::dim && e.dim == kernel.inner() &&
           axis.source_axis == source.shape.rank - 1;
  };
  const bool from_the_start =
      std::all_of(load.axes.begin(), load.axes.end(), along_inner) && load.axes.size() == 1;
  return from_the_start ? element * lanes : element;
}

}  // namespace tutti::codegen
