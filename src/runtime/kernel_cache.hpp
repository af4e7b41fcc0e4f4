// Compiled kernels: in memory by their key, and on disk for the next process.
#pragma once
#include "codegen/codegen.hpp"
#include "passes/plan.hpp"

namespace tutti::runtime {

// The machine code of a kernel: found in memory, found on disk, or compiled now.
codegen::Entry find_kernel(const passes::KernelStep& step);

void forget_kernels();

}  // namespace tutti::runtime
