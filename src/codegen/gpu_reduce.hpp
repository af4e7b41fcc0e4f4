// Reductions on NVIDIA GPUs, by the trees of ir/reduction_tree.hpp.
//   wide      a warp for each tile of each result; or a block, or a few threads, as the kernel says
//   column    a thread for each column of each tile of rows
#pragma once
#include <llvm/IR/Function.h>

#include "passes/kernel.hpp"

namespace tutti::codegen {

void emit_gpu_reduction(llvm::Function* function, const passes::Kernel& kernel);

}  // namespace tutti::codegen
