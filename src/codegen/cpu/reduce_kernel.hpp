// Reductions on a CPU: tiles of the wide tree, segments, columns (numerics/reduction_tree.hpp).
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

// Emits the body of an empty function for a kernel of any form of reduction; see
// codegen/cpu/map_kernel.hpp.
void emit_cpu_reduction(llvm::Function* function, const compiler::Kernel& kernel,
                        const Machine& machine);
// Emits the form reduce_segments. emit_cpu_reduction() calls it.
void emit_cpu_segment_reduction(llvm::Function* function, const compiler::Kernel& kernel,
                                const Machine& machine);

}  // namespace tutti::codegen
