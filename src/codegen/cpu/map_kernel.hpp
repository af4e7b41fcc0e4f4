// Loop nests for CPUs around the body of a kernel.
// The emitted function is void kernel(const int64_t* words, a, b, c, d):
//   map              rows [a, b) of the flattened outer axes, columns [c, d) of the inner axis
//   reduce_wide      items [a, b), an item being a tile of one result; the item's result is stored
//   reduce_segments  pieces [a, b); see ArgumentLayout::boundaries()
//   reduce_column    items [a, b), an item being a tile of rows; columns [c, d)
//   recurrence       items [a, b), an item being a row of lines; columns [c, d)
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

// Declares the function without a body.
llvm::Function* declare_cpu_kernel(llvm::Module& module, const Machine& machine);

llvm::Function* emit_cpu_kernel(llvm::Module& module, const compiler::Kernel& kernel,
                                const Machine& machine);

}  // namespace tutti::codegen
