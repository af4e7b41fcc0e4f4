// What the loop nests of all forms of kernels share on a CPU: the function and its arguments, the
// emitter of the body, coordinates.
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

class CpuLoops {
 public:
  CpuLoops(llvm::Function* function, const compiler::Kernel& kernel, const Machine& machine)
      : function_(function),
        kernel_(kernel),
        machine_(machine),
        b_(llvm::BasicBlock::Create(function->getContext(), "entry", function)),
        rows_(b_, kernel, machine, function->getArg(0)) {
    rows_.emit_entry();
  }

 protected:
  using Value = llvm::Value;

  Value* argument(int i) { return function_->getArg(static_cast<unsigned>(i)); }
  Value* i64(int64_t n) { return rows_.i64(n); }
  Value* min(Value* a, Value* b) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b); }
  Value* max(Value* a, Value* b) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b); }
  llvm::Type* stored_type(ElementType type) { return memory_type(b_.getContext(), type); }

  // The coordinates on axes [first, last) of a position among them in row-major order.
  void decode(Value* position, int first, int last, std::vector<Value*>& coordinates) {
    for (int dim = last - 1; dim >= first; --dim) {
      if (dim == first) {
        coordinates[static_cast<size_t>(dim)] = position;
      } else {
        Value* extent = rows_.extent(dim);
        coordinates[static_cast<size_t>(dim)] = b_.CreateURem(position, extent);
        position = b_.CreateUDiv(position, extent);
      }
    }
  }

  std::vector<Value*> coordinates() {
    return std::vector<Value*>(static_cast<size_t>(kernel_.domain.rank), i64(0));
  }

  Value* output(size_t o) { return rows_.pointer_word(rows_.layout().output(static_cast<int>(o))); }

  llvm::Function* function_;
  const compiler::Kernel& kernel_;
  const Machine machine_;
  Builder b_;
  RowEmitter rows_;
};

}  // namespace tutti::codegen
