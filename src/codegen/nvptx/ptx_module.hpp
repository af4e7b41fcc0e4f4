// PTX of modules that come from elsewhere and need all of LLVM's optimisations: the primitives.
#pragma once
#include <llvm/IR/Module.h>

#include <functional>
#include <memory>

#include "codegen/nvptx/ptx.hpp"

namespace tutti::codegen {

using LoadModule = std::function<std::unique_ptr<llvm::Module>(llvm::LLVMContext&)>;
std::string linked_ptx(const PtxTarget& target, const LoadModule& load);

}  // namespace tutti::codegen
