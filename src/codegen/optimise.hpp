// The IR passes that run on emitted kernels.
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace tutti::codegen {

// Common subexpressions and dead code are gone from the graph, where that costs less; these passes
// tidy up addresses and masks, and turn stack slots into registers.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

// The same for kernels with programs: control flow is straightened and what does not change is
// moved out of loops, which takes more passes.
void optimise_programs(llvm::Module& module, llvm::TargetMachine& target);

// All that LLVM has, for code that was not emitted by us.
void optimise_fully(llvm::Module& module, llvm::TargetMachine& target);

// Removes functions and variables that nothing visible from outside needs.
void drop_unused(llvm::Module& module);

// Throws InternalError when the module is not valid IR.
void verify(const llvm::Module& module);

}  // namespace tutti::codegen
