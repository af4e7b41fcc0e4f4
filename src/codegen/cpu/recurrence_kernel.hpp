// Loop nests of recurrences: an item is a row of lines, which are computed in parallel in the lanes
// of vectors. The kernel walks along the axis and reads its own results of the previous point.
#pragma once
#include <llvm/IR/Function.h>

#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

void emit_cpu_recurrence(llvm::Function* function, const compiler::Kernel& kernel,
                         const Machine& machine);

}  // namespace tutti::codegen
