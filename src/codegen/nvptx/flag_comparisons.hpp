// Rewrites comparisons of integers that depend on flags alone as logic of the flags.
#pragma once
#include <llvm/IR/Module.h>

namespace tutti::codegen {

// ptxas (CUDA 13.0, for sm_90) folds some comparisons of integers that were selected by predicates
// incorrectly: p & ((q ? 1 : 0) | (p ? 0 : 2)) != 0, with p the disjunction of two others, becomes
// p & !q. This replaces each comparison whose operands are computed from constants and at most four
// flags by and, or and not of the flags. Call it before make_integers_exact(), whose inline
// assembly hides the computation of an integer.
void compare_flags_as_logic(llvm::Module& module);

}  // namespace tutti::codegen
