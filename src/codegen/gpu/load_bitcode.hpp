// Reads one function of a bitcode module, with all that it calls. The bodies of other functions are
// never read: a primitive is a few of the thousand functions of the bitcode of all primitives.
#pragma once
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <string_view>

namespace tutti::codegen {

// Functions that are not called are declarations without a use in the result.
std::unique_ptr<llvm::Module> load_bitcode(std::string_view bitcode, const std::string& function,
                                           llvm::LLVMContext& context);

}  // namespace tutti::codegen
