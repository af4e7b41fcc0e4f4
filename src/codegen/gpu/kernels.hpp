// Kernels for NVIDIA GPUs around the same body as on the CPU: which thread computes which points.
// The kernel's only parameter is the block of argument words, passed by value.
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

llvm::Function* emit_gpu_kernel(llvm::Module& module, const compiler::Kernel& kernel);

}  // namespace tutti::codegen
