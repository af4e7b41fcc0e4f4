// Kernels of a chain that iterate over the rows and columns of an image as one axis, their last. An
// axis before it counts planes: every plane has a point for each element of the image.
#pragma once
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

inline bool joins_rows(const Kernel& kernel, int64_t rows, int64_t columns) {
  return kernel.domain.rank == 1 || kernel.domain[1] == rows * columns;
}
inline bool joins_rows(const Kernel& kernel, const ChainStep& chain) {
  return joins_rows(kernel, chain.rows, chain.columns);
}

}  // namespace tutti::compiler
