// Tuples are stored component by component, which element-wise code and stencils like. A kernel
// that reads whole tuples at computed indices, such as the pixels of an image that is turned,
// touches a cache line for each component. Where arrays are read so again and again, from the third
// time on the kernel reads an interleaved copy of them, with one access for all components.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// Call before normalise_kernel().
void interleave_tuples(Kernel& kernel);

}  // namespace tutti::compiler
