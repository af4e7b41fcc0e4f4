// Maps on NVIDIA GPUs: which thread computes which points.
//   linear    each thread a few wide accesses, a block a contiguous stretch
//   stencils  a patch a thread, see passes/tiling.hpp
//   others    a thread for each point, blocks of rows and columns
#pragma once
#include <llvm/IR/Function.h>

#include "passes/kernel.hpp"

namespace tutti::codegen {

void emit_gpu_map(llvm::Function* function, const passes::Kernel& kernel);

}  // namespace tutti::codegen
