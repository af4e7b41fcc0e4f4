// Reductions on a CPU: tiles of the wide tree, segments, columns (numerics/reduction_tree.hpp).
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

// Into a function that is empty yet, for a kernel of any form but map; see
// codegen/cpu/map_kernel.hpp.
void emit_cpu_reduction(llvm::Function* function, const compiler::Kernel& kernel,
                        const Machine& machine);

}  // namespace tutti::codegen
