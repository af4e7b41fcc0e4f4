// Determines which kernels a primitive would launch, without running them: the primitive runs on
// simulated memory, and its launches are only recorded. Values that depend on contents, such as the
// length of the longest segment, are guessed: a kernel that was missed is compiled when launched.
#pragma once
#include <vector>

#include "runtime/gpu/primitives.hpp"

namespace tutti::runtime::gpu {

// `device` is only queried; nothing is launched on it. The result refers to the step.
std::vector<codegen::GpuPrimitive> rehearse(PrimitiveLauncher& device,
                                            const compiler::PrimitiveStep& step);

}  // namespace tutti::runtime::gpu
