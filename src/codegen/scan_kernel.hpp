// Emits the function that scan_code.hpp describes.
#pragma once
#include "codegen/row_emitter.hpp"
#include "codegen/scan_code.hpp"

namespace tutti::codegen {

llvm::Function* emit_scan_kernel(llvm::Module& module, const ScanKernel& scan,
                                 const Machine& machine);

}  // namespace tutti::codegen
