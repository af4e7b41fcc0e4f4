// Machine code of this CPU for a module that the caller emits: optimised, as an object file that
// link() takes.
#pragma once
#include <llvm/IR/Module.h>

#include <functional>
#include <string>

namespace tutti::codegen {

std::string compile_for_host(const std::function<void(llvm::Module&)>& emit, bool has_programs);

}  // namespace tutti::codegen
