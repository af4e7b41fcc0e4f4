// Integer arithmetic that NVIDIA's assembler computes exactly.
#pragma once
#include <llvm/IR/Module.h>

namespace tutti::codegen {

// ptxas (CUDA 13.0, for sm_90) takes some results of integers for ones that did not overflow. It
// widens -x of 16 bits by negating the widened x, so that -(-32768) becomes 32768, and takes abs(x)
// for non-negative, which that of the least integer is not. This rewrites a module so that
// - integers of fewer than 32 bits are computed in 32: each is widened where bits beyond its own
//   matter, by a conversion that neither LLVM nor the assembler can leave out;
// - abs of 32 and 64 bits is spelled with shifts.
// Afterwards no arithmetic of 8 or 16 bits is left, wherever it came from: operations, programs,
// reductions, primitives. Code of 32 and 64 bits stays as it is but for abs. To be called last, as
// LLVM would undo it.
void make_integers_exact(llvm::Module& module);

}  // namespace tutti::codegen
