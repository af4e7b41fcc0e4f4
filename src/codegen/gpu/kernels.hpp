// Kernels for GPUs around the body that CPUs share: assigns points to threads. The only parameter
// of a kernel is the block of argument words, passed by value, or its address if there are many.
#pragma once
#include "codegen/gpu/isa.hpp"
#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

llvm::Function* emit_gpu_kernel(llvm::Module& module, const compiler::Kernel& kernel, GpuIsa& isa);

}  // namespace tutti::codegen
