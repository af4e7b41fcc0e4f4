#include "codegen/llvm_targets.hpp"

#include <llvm/Support/TargetSelect.h>

#include <mutex>

namespace tutti::codegen {

void register_llvm_targets() {
  static auto* const once = new std::once_flag;
  std::call_once(*once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

}  // namespace tutti::codegen
