// Compiles a module that the caller emits for this CPU: optimised, as an object file for link().
#pragma once
#include <llvm/IR/Module.h>

#include <functional>
#include <string>

namespace tutti::codegen {

std::string compile_for_host(const std::function<void(llvm::Module&)>& emit, bool has_programs);

}  // namespace tutti::codegen
