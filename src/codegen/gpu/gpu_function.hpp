// A kernel for a GPU that is being emitted, and the instruction set it is for: what the emitters of
// the strategies (schedule::GpuSchedule, one <strategy>.cpp each) receive. The function is empty;
// its attributes are set.
#pragma once
#include <llvm/IR/Function.h>

#include "codegen/gpu/isa.hpp"
#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

struct GpuFunction {
  llvm::Function* kernel;
  GpuIsa& isa;
};

}  // namespace tutti::codegen
