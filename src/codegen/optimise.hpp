// The IR passes that run on emitted kernels.
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace tutti::codegen {

// Improves addresses and masks, and promotes stack slots to registers. Common subexpressions and
// dead code have been removed from the graph, where that costs less.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

// Does the same for kernels with programs, which need more passes: control flow is simplified and
// invariant code is hoisted out of loops.
void optimise_programs(llvm::Module& module, llvm::TargetMachine& target);

// Runs all passes of LLVM, for code that clang has compiled.
void optimise_fully(llvm::Module& module, llvm::TargetMachine& target);

// Removes functions and variables that no exported symbol needs.
void drop_unused(llvm::Module& module);

// Throws InternalError if the module is not valid IR.
void verify(const llvm::Module& module);

}  // namespace tutti::codegen
