#include "codegen/nvptx/isa.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstdlib>

#include "codegen/emit/each_lane.hpp"
#include "numerics/reduction_tree.hpp"
#include "target/h200.hpp"

namespace tutti::codegen {

using llvm::Value;

// Shuffles and folds are emitted for warps of this size, and the tree of a wide reduction has a
// lane for each thread of a block.
static_assert(target::h200_tuning.warp == warp_threads);
static_assert(target::h200_tuning.reduce_warps * warp_threads == ir::wide_lanes);

// ---- kernels

llvm::Function* PtxIsa::declare_kernel(llvm::Module& module,
                                       std::span<const GpuParameter> parameters) {
  auto& context = module.getContext();
  std::vector<llvm::Type*> types;
  for (const GpuParameter& p : parameters)
    types.push_back(p.by_value ? llvm::PointerType::get(context, 0) : p.type);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  auto* kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
  kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  kernel->addFnAttr(llvm::Attribute::NoUnwind);
  for (unsigned i = 0; i < parameters.size(); ++i) {
    if (parameters[i].read_only) {
      kernel->addParamAttr(i, llvm::Attribute::NoAlias);
      kernel->addParamAttr(i, llvm::Attribute::ReadOnly);
    }
    if (!parameters[i].by_value) continue;
    kernel->addParamAttr(i, llvm::Attribute::getWithByValType(context, parameters[i].type));
    kernel->addParamAttr(i, llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    kernel->addParamAttr(i, llvm::Attribute::get(context, "nvvm.grid_constant"));
  }
  return kernel;
}

void PtxIsa::set_bounds(llvm::Function* kernel, const GpuBounds& bounds) {
  kernel->addFnAttr("nvvm.maxntid",
                    std::to_string(bounds.threads_x) +
                        (bounds.threads_y ? "," + std::to_string(bounds.threads_y) : ""));
  if (bounds.registers) kernel->addFnAttr("nvvm.maxnreg", std::to_string(bounds.registers));
  if (bounds.resident) kernel->addFnAttr("nvvm.minctasm", std::to_string(bounds.resident));
}

Value* PtxIsa::parameter(Builder& b, unsigned i) {
  return b.GetInsertBlock()->getParent()->getArg(i);
}

// ---- the position of a thread

Value* PtxIsa::thread(Builder& b, Axis axis) {
  return b.CreateIntrinsic(axis == Axis::x ? llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x
                                           : llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                           {});
}

Value* PtxIsa::block(Builder& b, Axis axis) {
  return b.CreateIntrinsic(axis == Axis::x ? llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x
                                           : llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                           {});
}

Value* PtxIsa::blocks_y(Builder& b) {
  return b.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y, {});
}

// ---- cooperation of threads

void PtxIsa::barrier(Builder& b) {
  b.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {b.getInt32(0)});
}

Value* PtxIsa::shuffle(Builder& b, Value* value, int distance) {
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* as_integer = b.getIntNTy(bits);
  Value* integer = type->isIntegerTy() ? value : b.CreateBitCast(value, as_integer);
  const bool down = distance > 0;
  const auto move = [&](Value* word) {
    // The last operand limits the source lanes: up to 31, or from 0 on.
    return b.CreateIntrinsic(
        down ? llvm::Intrinsic::nvvm_shfl_sync_down_i32 : llvm::Intrinsic::nvvm_shfl_sync_up_i32,
        {},
        {b.getInt32(0xffffffffu), word, b.getInt32(static_cast<uint32_t>(std::abs(distance))),
         b.getInt32(down ? warp_threads - 1 : 0)});
  };
  Value* moved;
  if (bits == 64) {
    Value* low = move(b.CreateTrunc(integer, b.getInt32Ty()));
    Value* high = move(b.CreateTrunc(b.CreateLShr(integer, 32), b.getInt32Ty()));
    moved =
        b.CreateOr(b.CreateZExt(low, as_integer), b.CreateShl(b.CreateZExt(high, as_integer), 32));
  } else {
    moved = b.CreateTrunc(move(b.CreateZExt(integer, b.getInt32Ty())), as_integer);
  }
  return type->isIntegerTy() ? moved : b.CreateBitCast(moved, type);
}

// ---- memory

Value* PtxIsa::shared_array(Builder& b, llvm::Type* element, int64_t count) {
  constexpr unsigned shared_memory = 3;
  auto* type = llvm::ArrayType::get(element, static_cast<uint64_t>(count));
  return new llvm::GlobalVariable(*b.GetInsertBlock()->getModule(), type, false,
                                  llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
                                  "shared", nullptr, llvm::GlobalValue::NotThreadLocal,
                                  shared_memory);
}

void PtxIsa::store_if(Builder& b, Value* condition, Value* address, Value* value) {
  const auto bits = static_cast<unsigned>(value->getType()->getPrimitiveSizeInBits());
  std::vector<Value*> operands{condition, b.CreatePtrToInt(address, b.getInt64Ty())};
  std::string text = "@$0 st.global.", constraints = "b,l";
  Value* whole = b.CreateBitCast(value, b.getIntNTy(bits));
  if (bits == 128) {
    text += "v2.b64 [$1], {$2, $3};";
    constraints += ",l,l";
    operands.push_back(b.CreateTrunc(whole, b.getInt64Ty()));
    operands.push_back(b.CreateTrunc(b.CreateLShr(whole, 64), b.getInt64Ty()));
  } else {
    text += "b" + std::to_string(bits) + " [$1], $2;";
    constraints += bits == 64 ? ",l" : bits == 32 ? ",r" : ",h";
    operands.push_back(bits == 8 ? b.CreateZExt(whole, b.getInt16Ty()) : whole);
  }
  std::vector<llvm::Type*> types;
  for (Value* operand : operands) types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(b.getVoidTy(), types, false);
  b.CreateCall(llvm::InlineAsm::get(type, text, constraints, true), operands);
}

Value* PtxIsa::load_once(Builder& b, llvm::Type* vector, Value* address) {
  llvm::Type *half = b.getInt64Ty(), *whole = b.getIntNTy(128);
  auto* type = llvm::FunctionType::get(llvm::StructType::get(half, half), {half}, false);
  auto* code = llvm::InlineAsm::get(type, "ld.global.cs.v2.b64 {$0, $1}, [$2];", "=l,=l,l", false);
  Value* halves = b.CreateCall(code, {b.CreatePtrToInt(address, half)});
  Value* low = b.CreateZExt(b.CreateExtractValue(halves, 0), whole);
  Value* high = b.CreateZExt(b.CreateExtractValue(halves, 1), whole);
  return b.CreateBitCast(b.CreateOr(low, b.CreateShl(high, 64)), vector);
}

// ---- arithmetic

// One instruction of PTX saturates and converts NaN to 0; LLVM 22 emits comparisons around it.
Value* PtxIsa::to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) {
  llvm::Type* to = type->getScalarType();
  return each_lane(b, value, [&](Value* lane) -> Value* {
    if (lane->getType()->isFloatTy() && to->isIntegerTy(32))
      return b.CreateIntrinsic(
          is_signed ? llvm::Intrinsic::nvvm_f2i_rz : llvm::Intrinsic::nvvm_f2ui_rz, {lane});
    return b.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                             {to, lane->getType()}, {lane});
  });
}

// A move that LLVM does not analyse. LLVM 22 turns a choice by `less` into min.f16, which orders
// zeros although the choice does not.
Value* PtxIsa::first_choice(Builder& b, Value* value) {
  llvm::Type* type = value->getType()->getScalarType();
  const bool wide = type->isDoubleTy();
  auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                                    wide ? "mov.f64 $0, $1;" : "mov.f32 $0, $1;",
                                    wide ? "=d,d" : "=f,f", false);
  return each_lane(b, value, [&](Value* lane) { return b.CreateCall(code, {lane}); });
}

}  // namespace tutti::codegen
