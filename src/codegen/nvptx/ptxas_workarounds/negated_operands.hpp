// A workaround for a bug of NVIDIA's assembler.
#pragma once
#include <llvm/IR/Module.h>

namespace tutti::codegen {

// Writes -b as not(b) + 1 where it is an operand of a minimum or maximum. ptxas (CUDA 13.0, for
// sm_90) combines a minimum or maximum of three signed integers of 16 or 32 bits into one
// instruction. It loses the sign of a negated one: min(min(a, -b), c) becomes min(a, b, c). It does
// not recognise not(b) + 1 as a negation. Call it last, because LLVM would undo it.
void keep_negated_operands(llvm::Module& module);

}  // namespace tutti::codegen
