#include "codegen/nvptx/inline_ptx.hpp"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstdlib>

namespace tutti::codegen {

using llvm::Value;

Value* shuffle(Builder& b, Value* value, int distance) {
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* as_integer = b.getIntNTy(bits);
  Value* integer = type->isIntegerTy() ? value : b.CreateBitCast(value, as_integer);
  const bool down = distance > 0;
  const auto move = [&](Value* word) {
    // The last operand limits where values come from: lanes up to 31, or from 0 on.
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

void store_if(Builder& b, Value* condition, Value* address, Value* value) {
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

Value* load_once(Builder& b, llvm::Type* vector, Value* address) {
  llvm::Type *half = b.getInt64Ty(), *whole = b.getIntNTy(128);
  auto* type = llvm::FunctionType::get(llvm::StructType::get(half, half), {half}, false);
  auto* code = llvm::InlineAsm::get(type, "ld.global.cs.v2.b64 {$0, $1}, [$2];", "=l,=l,l", false);
  Value* halves = b.CreateCall(code, {b.CreatePtrToInt(address, half)});
  Value* low = b.CreateZExt(b.CreateExtractValue(halves, 0), whole);
  Value* high = b.CreateZExt(b.CreateExtractValue(halves, 1), whole);
  return b.CreateBitCast(b.CreateOr(low, b.CreateShl(high, 64)), vector);
}

}  // namespace tutti::codegen
