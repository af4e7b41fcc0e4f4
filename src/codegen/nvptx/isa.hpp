// The instruction set of NVIDIA GPUs: intrinsics, and inline PTX for instructions that LLVM cannot
// express.
#pragma once
#include "codegen/gpu/isa.hpp"

namespace tutti::codegen {

class PtxIsa final : public GpuIsa {
 public:
  llvm::Function* declare_kernel(llvm::Module& module,
                                 std::span<const GpuParameter> parameters) override;
  void set_bounds(llvm::Function* kernel, const GpuBounds& bounds) override;
  Value* parameter(Builder& b, unsigned i) override;
  Value* thread(Builder& b, Axis axis) override;
  Value* block(Builder& b, Axis axis) override;
  Value* blocks_y(Builder& b) override;
  unsigned global_memory() const override { return 1; }
  Value* shared_array(Builder& b, llvm::Type* element, int64_t count) override;
  void store_if(Builder& b, Value* condition, Value* address, Value* value) override;
  Value* load_once(Builder& b, llvm::Type* vector, Value* address) override;
  void barrier(Builder& b) override;
  Value* shuffle(Builder& b, Value* value, int distance) override;
  Value* to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) override;
  Value* rounded(Builder&, Value* value) override { return value; }
  Value* first_choice(Builder& b, Value* value) override;
  Value* fast(Builder& b, Op op, std::span<Value* const> operands) override;
};

}  // namespace tutti::codegen
