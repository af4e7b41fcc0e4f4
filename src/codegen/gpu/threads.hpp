// The base of kernels of every form on a GPU: the position of a thread, coordinates, stores.
#pragma once
#include "codegen/emit/row_emitter.hpp"
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/isa.hpp"

namespace tutti::codegen {

class GpuThreads {
 protected:
  using Value = llvm::Value;

  // The function is empty. Bodies compute `lanes` elements at a time.
  GpuThreads(const GpuFunction& function, const compiler::Kernel& kernel, int lanes)
      : kernel_(kernel),
        isa_(function.isa),
        b_(llvm::BasicBlock::Create(function.kernel->getContext(), "entry", function.kernel), isa_),
        rows_(b_, kernel, machine_of(lanes), isa_.parameter(b_, 0)) {
    rows_.emit_entry();
  }

  Value* i64(int64_t n) { return rows_.i64(n); }
  Value* thread_x() { return wide(isa_.thread(b_, GpuIsa::Axis::x)); }
  Value* thread_y() { return wide(isa_.thread(b_, GpuIsa::Axis::y)); }
  Value* block_x() { return wide(isa_.block(b_, GpuIsa::Axis::x)); }
  Value* block_y() { return wide(isa_.block(b_, GpuIsa::Axis::y)); }
  Value* blocks_y() { return wide(isa_.blocks_y(b_)); }
  Value* narrow(Value* v) { return b_.CreateTrunc(v, b_.getInt32Ty()); }
  Value* wide(Value* v) { return b_.CreateZExt(v, b_.getInt64Ty()); }
  Value* min(Value* a, Value* c) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, c); }
  llvm::Type* stored_type(ElementType type) { return memory_type(b_.getContext(), type); }
  const compiler::Output& output(int o) const { return kernel_.outputs[static_cast<size_t>(o)]; }
  Value* target(int o, Value* element) {
    return b_.CreateGEP(stored_type(output(o).type), rows_.pointer_word(rows_.layout().output(o)),
                        element);
  }
  std::vector<Value*> coordinates() {
    return std::vector<Value*>(static_cast<size_t>(kernel_.domain.rank), i64(0));
  }

  // Computes coordinates of a position. Positions fit 32 bits unless the kernel says otherwise;
  // 32-bit division is several times faster.
  void decode(Value* position, int first, int last, std::vector<Value*>& at) {
    llvm::Type* type = kernel_.wide_index ? b_.getInt64Ty() : b_.getInt32Ty();
    const auto shortened = [&](Value* v) { return b_.CreateTrunc(v, type); };
    for (int dim = last - 1; dim > first; --dim) {
      Value* extent = shortened(rows_.extent(dim));
      at[static_cast<size_t>(dim)] = wide(b_.CreateURem(shortened(position), extent));
      position = wide(b_.CreateUDiv(shortened(position), extent));
    }
    if (first < last) at[static_cast<size_t>(first)] = position;
  }

  void store(int o, Value* element, Value* value, bool wide) {
    const int bytes = size_of(output(o).type) * (wide ? rows_.lanes() : 1);
    b_.CreateAlignedStore(to_memory(b_, value, output(o).type), target(o, element),
                          llvm::Align(static_cast<uint64_t>(bytes)));
  }

  const compiler::Kernel& kernel_;
  GpuIsa& isa_;
  Builder b_;
  RowEmitter rows_;

 private:
  static Machine machine_of(int lanes) {
    Machine machine;
    machine.lanes = lanes;
    return machine;
  }
};

}  // namespace tutti::codegen
