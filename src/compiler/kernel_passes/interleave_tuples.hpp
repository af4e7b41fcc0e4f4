// Tuples are stored component by component, which suits element-wise code and stencils. A kernel
// that reads whole tuples at computed indices, such as the pixels of a rotated image, touches a
// cache line for each component. From the third such read of the same arrays on, the kernel reads
// an interleaved copy of them, with one access for all components.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// Call before normalise_kernel().
void interleave_tuples(Kernel& kernel);

}  // namespace tutti::compiler
