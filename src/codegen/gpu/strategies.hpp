// The emitters of kernels for GPUs, one for each strategy of schedule::GpuSchedule, each in its own
// file <strategy>.cpp. The function is empty; its attributes are set.
#pragma once
#include <llvm/IR/Function.h>

#include "codegen/gpu/isa.hpp"
#include "compiler/kernel/kernel.hpp"

namespace tutti::codegen {

// A kernel that is being emitted, and its instruction set.
struct GpuFunction {
  llvm::Function* kernel;
  GpuIsa& isa;
};

void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::FusedElements&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::RegisterTiles&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::LinearMap&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::PointMap&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::LineMap&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::RectangleReduce&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::SubwarpReduce&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::BlockReduce&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::WarpReduce&);
void emit_gpu(const GpuFunction&, const compiler::Kernel&, const schedule::ColumnReduce&);

}  // namespace tutti::codegen
