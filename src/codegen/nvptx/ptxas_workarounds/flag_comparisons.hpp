// Rewrites comparisons of integers that depend on flags alone as logic of the flags.
#pragma once
#include <llvm/IR/Module.h>

namespace tutti::codegen {

// Replaces each comparison whose operands are computed from constants and at most four flags by
// and, or and not of the flags. ptxas (CUDA 13.0, for sm_90) folds some of these comparisons
// incorrectly: p & ((q ? 1 : 0) | (p ? 0 : 2)) != 0 becomes p & !q, if p is the disjunction of two
// flags. Call it before make_integers_exact(), whose inline assembly hides the computation of an
// integer.
void compare_flags_as_logic(llvm::Module& module);

}  // namespace tutti::codegen
