// The emitters of kernels for GPUs, one for each strategy of schedule::GpuSchedule, each in its own
// file gpu_<strategy>.cpp. The function is empty; its attributes are set.
#pragma once
#include <llvm/IR/Function.h>

#include "passes/kernel.hpp"

namespace tutti::codegen {

void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::FusedElements&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::RegisterTiles&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::LinearMap&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::PointMap&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::RectangleReduce&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::SubwarpReduce&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::BlockReduce&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::WarpReduce&);
void emit_gpu(llvm::Function*, const passes::Kernel&, const schedule::ColumnReduce&);

}  // namespace tutti::codegen
