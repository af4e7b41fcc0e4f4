// The instruction set of the emulated GPU: code of the host for one thread. A kernel is a function
// of the words of its launch and of a ThreadContext.
#pragma once
#include <vector>

#include "codegen/gpu/isa.hpp"

namespace tutti::test {

class EmulatedIsa final : public codegen::GpuIsa {
 public:
  using Builder = codegen::Builder;

  llvm::Function* declare_kernel(llvm::Module& module,
                                 std::span<const codegen::GpuParameter> parameters) override;
  void set_bounds(llvm::Function*, const codegen::GpuBounds&) override {}
  Value* parameter(Builder& b, unsigned i) override;
  Value* thread(Builder& b, Axis axis) override;
  Value* block(Builder& b, Axis axis) override;
  Value* blocks_y(Builder& b) override;
  unsigned global_memory() const override { return 0; }
  Value* shared_array(Builder& b, llvm::Type* element, int64_t count) override;
  void store_if(Builder& b, Value* condition, Value* address, Value* value) override;
  Value* load_once(Builder& b, llvm::Type* vector, Value* address) override;
  void barrier(Builder& b) override;
  Value* shuffle(Builder& b, Value* value, int distance) override;
  Value* to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) override;
  Value* rounded(Builder& b, Value* value) override;
  Value* first_choice(Builder&, Value* value) override { return value; }
  Value* fast(Builder&, Op, std::span<Value* const>) override { return nullptr; }

  // What the driver must know of the module.
  bool threads_meet() const { return threads_meet_; }  // at a barrier or a shuffle
  int64_t shared_bytes() const { return shared_bytes_; }

 private:
  Value* load_field(Builder& b, llvm::Type* type, size_t offset);

  std::vector<codegen::GpuParameter> parameters_;
  bool threads_meet_ = false;
  int64_t shared_bytes_ = 0;
};

}  // namespace tutti::test
