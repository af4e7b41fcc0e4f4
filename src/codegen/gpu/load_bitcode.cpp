#include "codegen/gpu/load_bitcode.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MemoryBuffer.h>

#include <vector>

#include "tutti/error.hpp"

namespace tutti::codegen {
namespace {

void check(llvm::Error error) {
  if (error)
    throw InternalError("the bitcode of the GPU primitives cannot be read: " +
                        llvm::toString(std::move(error)));
}

// Reads the bodies of a function and of all functions that it calls, directly or indirectly.
void read_called(llvm::Function& first) {
  std::vector<llvm::Function*> waiting{&first};
  while (!waiting.empty()) {
    llvm::Function& function = *waiting.back();
    waiting.pop_back();
    if (!function.isMaterializable()) continue;  // already read, or a declaration
    check(function.materialize());
    for (llvm::Instruction& instruction : llvm::instructions(function))
      for (llvm::Value* operand : instruction.operands())
        if (auto* called = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts()))
          waiting.push_back(called);
  }
}

}  // namespace

std::unique_ptr<llvm::Module> load_bitcode(std::string_view bitcode, const std::string& function,
                                           llvm::LLVMContext& context) {
  auto loaded = llvm::getLazyBitcodeModule(
      llvm::MemoryBufferRef(llvm::StringRef(bitcode.data(), bitcode.size()), "primitives"), context,
      /*ShouldLazyLoadMetadata=*/true);
  if (!loaded) check(loaded.takeError());
  llvm::Module& module = **loaded;
  llvm::Function* wanted = module.getFunction(function);
  if (!wanted || wanted->isDeclaration())
    throw InternalError("no GPU primitive is called " + function);
  read_called(*wanted);
  for (llvm::Function& other : module)
    if (other.isMaterializable()) {
      other.setIsMaterializable(false);
      other.setLinkage(llvm::GlobalValue::ExternalLinkage);
      other.setComdat(nullptr);
    }
  check(module.materializeAll());
  return std::move(*loaded);
}

}  // namespace tutti::codegen
