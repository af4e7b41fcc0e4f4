// A fault of NVIDIA's assembler that generated code must stay clear of.
#pragma once
#include <llvm/IR/Module.h>

namespace tutti::codegen {

// ptxas (CUDA 13.0, for sm_90) makes one instruction of a minimum or maximum of three signed
// integers of 16 or 32 bits and loses the sign of one that is negated: min(min(a, -b), c) becomes
// min(a, b, c). This spells -b as not(b) + 1 where it goes into a minimum or maximum; the assembler
// does not take that for a negation. To be called last, as LLVM would undo it.
void keep_negated_operands(llvm::Module& module);

}  // namespace tutti::codegen
