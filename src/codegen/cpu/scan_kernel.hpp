// Emits the function that scan_code.hpp describes.
#pragma once
#include "codegen/cpu/scan_code.hpp"
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

llvm::Function* emit_scan_kernel(llvm::Module& module, const ScanKernel& scan,
                                 const Machine& machine);

}  // namespace tutti::codegen
