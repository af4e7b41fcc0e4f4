#include "codegen/gpu_warp.hpp"

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

}  // namespace tutti::codegen
