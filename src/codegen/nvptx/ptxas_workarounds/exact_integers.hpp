// Integer arithmetic that NVIDIA's assembler computes exactly.
#pragma once
#include <llvm/IR/Module.h>

namespace tutti::codegen {

// ptxas (CUDA 13.0, for sm_90) assumes that some integer results did not overflow. It widens -x of
// 16 bits by negating the widened x, so that -(-32768) becomes 32768, and assumes that abs(x) is
// non-negative, which is false for the least integer. This rewrites a module so that
// - integers of fewer than 32 bits are computed in 32: each is widened where bits beyond its own
//   matter, by a conversion that neither LLVM nor the assembler can remove;
// - abs of 32 and 64 bits is written with shifts.
// Afterwards no arithmetic of 8 or 16 bits is left, whatever its origin: operations, programs,
// reductions, primitives. Code of 32 and 64 bits is unchanged but for abs. Call it last, because
// LLVM would undo it.
void make_integers_exact(llvm::Module& module);

}  // namespace tutti::codegen
