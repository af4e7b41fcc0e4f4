// The builder of all emitted code. It holds the instruction set of the GPU that the code is for, or
// none for the CPU, so functions that emit one operation need no other argument.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace tutti::codegen {

class GpuIsa;

class Builder : public llvm::IRBuilder<> {
 public:
  using llvm::IRBuilder<>::IRBuilder;
  Builder(llvm::BasicBlock* block, GpuIsa& gpu) : llvm::IRBuilder<>(block), gpu_(&gpu) {}

  GpuIsa* gpu() const { return gpu_; }  // null: code for the CPU

 private:
  GpuIsa* gpu_ = nullptr;
};

}  // namespace tutti::codegen
