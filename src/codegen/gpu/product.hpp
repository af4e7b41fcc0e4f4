// A matrix product for GPUs in the order of the numerical contract: chains of fma over blocks of
// 256, blocks added in order. Each thread computes one element and reads its operands through the
// caches. Used where no vendor library is found, and in reproducible mode.
#pragma once
#include <llvm/IR/Module.h>

#include "codegen/gpu/isa.hpp"
#include "codegen/gpu/layout.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::codegen {

// Parameters: addresses of a, b and c; rows, columns, inner extent.
llvm::Function* emit_gpu_product(llvm::Module& module, const compiler::ProductStep& step,
                                 GpuIsa& isa);

}  // namespace tutti::codegen
