// Registers LLVM's code generators. LLVM's registries are not safe for registration while other
// threads compile, so all are registered together, before the first compilation.
#pragma once

namespace tutti::codegen {

// Cheap after the first call. Call within with_llvm().
void register_llvm_targets();

}  // namespace tutti::codegen
