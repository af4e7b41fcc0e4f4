// Makes LLVM's code generators known to LLVM. Their registries are not made for threads that
// register while others compile, so all are registered together, before the first compilation.
#pragma once

namespace tutti::codegen {

// Cheap after the first call. Call within with_llvm().
void register_llvm_targets();

}  // namespace tutti::codegen
