// Finds out which kernels a primitive would launch, without a device: the primitive runs on memory
// that is not there, and its launches are only noted. What depends on contents, such as the length
// of the longest segment, is guessed: a kernel that is missing is compiled when it is launched.
#pragma once
#include <vector>

#include "runtime/gpu/primitives.hpp"

namespace tutti::runtime::gpu {

// `device` is asked what it is; nothing is launched on it. The kernels refer to the step.
std::vector<codegen::GpuPrimitive> rehearse(PrimitiveLauncher& device,
                                            const compiler::PrimitiveStep& step);

}  // namespace tutti::runtime::gpu
