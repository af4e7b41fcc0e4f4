// Tuples are stored component by component, which element-wise code and stencils like. A kernel
// that reads whole tuples at computed places, such as the pixels of an image that is turned,
// touches a cache line for each component. Where arrays are read so again and again, from the third
// time on the kernel reads a copy of them with their elements side by side, one access for all.
#pragma once
#include "passes/kernel.hpp"

namespace tutti::passes {

// Call before finish_kernel().
void join_sources(Kernel& kernel);

}  // namespace tutti::passes
