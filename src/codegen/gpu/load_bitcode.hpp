// Reads one function of a bitcode module, with all functions that it calls. The bodies of other
// functions are never read: a primitive uses a few of the thousand functions of the bitcode.
#pragma once
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

namespace tutti::codegen {

// In the result, functions that are not called are unused declarations.
std::unique_ptr<llvm::Module> load_bitcode(std::string_view bitcode, const std::string& function,
                                           llvm::LLVMContext& context);

}  // namespace tutti::codegen
