#include "support/emulated_gpu/isa.hpp"

#include <cstddef>

#include "codegen/emit/branches.hpp"
#include "codegen/emit/each_lane.hpp"
#include "support/emulated_gpu/thread_context.hpp"

namespace tutti::test {
namespace {

using codegen::GpuParameter;
using llvm::Value;

// A call through a pointer, which LLVM must neither move into a branch nor duplicate.
Value* call_all_threads(EmulatedIsa::Builder& b, Value* function, llvm::Type* result,
                        llvm::ArrayRef<Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  llvm::CallInst* call =
      b.CreateCall(llvm::FunctionType::get(result, types, false), function, arguments);
  call->setConvergent();
  call->setDoesNotThrow();
  return call;
}

Value* context_of(EmulatedIsa::Builder& b) { return b.GetInsertBlock()->getParent()->getArg(1); }

}  // namespace

// ---- kernels

llvm::Function* EmulatedIsa::declare_kernel(llvm::Module& module,
                                            std::span<const GpuParameter> parameters) {
  parameters_.assign(parameters.begin(), parameters.end());
  auto& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false);
  auto* kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
  kernel->addFnAttr(llvm::Attribute::NoUnwind);
  return kernel;
}

// A parameter takes one word, or all that it has by value.
Value* EmulatedIsa::parameter(Builder& b, unsigned i) {
  const llvm::DataLayout& layout = b.GetInsertBlock()->getModule()->getDataLayout();
  uint64_t word = 0;
  for (unsigned before = 0; before < i; ++before)
    word +=
        parameters_[before].by_value ? layout.getTypeAllocSize(parameters_[before].type) / 8 : 1;
  Value* address = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(),
                                                b.GetInsertBlock()->getParent()->getArg(0), word);
  return parameters_[i].by_value ? address : b.CreateLoad(parameters_[i].type, address);
}

// ---- where a thread is

Value* EmulatedIsa::load_field(Builder& b, llvm::Type* type, size_t offset) {
  return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), context_of(b), offset));
}
Value* EmulatedIsa::thread(Builder& b, Axis axis) {
  return load_field(
      b, b.getInt32Ty(),
      axis == Axis::x ? offsetof(ThreadContext, thread_x) : offsetof(ThreadContext, thread_y));
}
Value* EmulatedIsa::block(Builder& b, Axis axis) {
  return load_field(
      b, b.getInt32Ty(),
      axis == Axis::x ? offsetof(ThreadContext, block_x) : offsetof(ThreadContext, block_y));
}
Value* EmulatedIsa::blocks_y(Builder& b) {
  return load_field(b, b.getInt32Ty(), offsetof(ThreadContext, blocks_y));
}

// ---- memory

Value* EmulatedIsa::shared_array(Builder& b, llvm::Type* element, int64_t count) {
  const llvm::DataLayout& layout = b.GetInsertBlock()->getModule()->getDataLayout();
  const int64_t begin = (shared_bytes_ + 15) / 16 * 16;
  shared_bytes_ = begin + static_cast<int64_t>(layout.getTypeAllocSize(element)) * count;
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(),
                                      load_field(b, b.getPtrTy(), offsetof(ThreadContext, shared)),
                                      static_cast<uint64_t>(begin));
}

void EmulatedIsa::store_if(Builder& b, Value* condition, Value* address, Value* value) {
  const uint64_t bytes = value->getType()->getPrimitiveSizeInBits() / 8;
  codegen::emit_if(b, condition, [&] { b.CreateAlignedStore(value, address, llvm::Align(bytes)); });
}

Value* EmulatedIsa::load_once(Builder& b, llvm::Type* vector, Value* address) {
  return b.CreateAlignedLoad(vector, address, llvm::Align(16));
}

// ---- threads together

void EmulatedIsa::barrier(Builder& b) {
  threads_meet_ = true;
  call_all_threads(b, load_field(b, b.getPtrTy(), offsetof(ThreadContext, barrier)), b.getVoidTy(),
                   {context_of(b)});
}

Value* EmulatedIsa::shuffle(Builder& b, Value* value, int distance) {
  threads_meet_ = true;
  llvm::Type* type = value->getType();
  llvm::Type* bits = b.getIntNTy(type->getScalarSizeInBits());
  Value* word = b.CreateZExt(b.CreateBitCast(value, bits), b.getInt64Ty());
  Value* moved = call_all_threads(
      b, load_field(b, b.getPtrTy(), offsetof(ThreadContext, shuffle)), b.getInt64Ty(),
      {context_of(b), word, b.getInt32(static_cast<uint32_t>(distance))});
  return b.CreateBitCast(b.CreateTrunc(moved, bits), type);
}

// ---- arithmetic, as the CPU needs it

Value* EmulatedIsa::to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) {
  return codegen::each_lane(b, value, [&](Value* lane) {
    return b.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                             {type->getScalarType(), lane->getType()}, {lane});
  });
}

Value* EmulatedIsa::rounded(Builder& b, Value* value) {
  return b.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {value->getType()}, {value});
}

}  // namespace tutti::test
