// The base of the loop nests for all forms of kernels on a CPU: the function and its arguments, the
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

  // Computes the coordinates on axes [first, last) of a row-major position among them.
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

  // Stores `lanes()` elements from coordinate j of a row on; a null mask means all lanes.
  void store(Value* base, ElementType type, Value* value, Value* j, Value* mask, bool streaming) {
    Value* address = b_.CreateGEP(stored_type(type), base, j);
    Value* stored = to_memory(b_, value, type);
    const auto align = llvm::Align(static_cast<uint64_t>(size_of(type)));
    if (mask) {
      b_.CreateMaskedStore(stored, address, align, mask);
      return;
    }
    const auto bytes = static_cast<uint64_t>(rows_.lanes()) * static_cast<uint64_t>(size_of(type));
    auto* instruction =
        b_.CreateAlignedStore(stored, address, streaming ? llvm::Align(bytes) : align);
    if (streaming) {
      auto* one = llvm::ConstantAsMetadata::get(b_.getInt32(1));
      instruction->setMetadata(llvm::LLVMContext::MD_nontemporal,
                               llvm::MDNode::get(b_.getContext(), one));
    }
  }

  Value* output(size_t o) { return rows_.pointer_word(rows_.layout().output(static_cast<int>(o))); }

  llvm::Function* function_;
  const compiler::Kernel& kernel_;
  const Machine machine_;
  Builder b_;
  RowEmitter rows_;
};

}  // namespace tutti::codegen
