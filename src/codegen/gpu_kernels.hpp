// Kernels for NVIDIA GPUs around the same body as on the CPU: which thread computes which points.
//   map            linear: each thread a few wide accesses, a block a contiguous stretch;
//                  else: a thread for each point, blocks of rows and columns
//   reduce_wide    a warp for each tile of each result
//   reduce_column  a thread for each column of each tile of rows
// The kernel's only parameter is the block of argument words, passed by value.
#pragma once
#include "codegen/gpu_shape.hpp"
#include "codegen/row_emitter.hpp"

namespace tutti::codegen {

llvm::Function* emit_gpu_kernel(llvm::Module& module, const passes::Kernel& kernel);

}  // namespace tutti::codegen
