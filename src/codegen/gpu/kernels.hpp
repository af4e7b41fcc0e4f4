// Kernels for GPUs around the same body as on the CPU: which thread computes which points.
// The kernel's only parameter is the block of argument words, passed by value.
#pragma once
#include "codegen/gpu/isa.hpp"
#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

llvm::Function* emit_gpu_kernel(llvm::Module& module, const compiler::Kernel& kernel, GpuIsa& isa);

}  // namespace tutti::codegen
