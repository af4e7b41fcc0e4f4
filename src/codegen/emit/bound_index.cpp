#include "codegen/emit/bound_index.hpp"

namespace tutti::codegen {

using llvm::Value;

Value* bound_index(Builder& b, Boundary::Kind rule, bool far, Value* source, Value* extent) {
  llvm::Type* type = source->getType();
  Value* zero = llvm::Constant::getNullValue(type);
  Value* one = llvm::ConstantInt::get(type, 1);
  if (rule != Boundary::Kind::wrap) return clamp_index(b, source, b.CreateSub(extent, one));
  if (!far) {
    Value* up = b.CreateSelect(b.CreateICmpSLT(source, zero), b.CreateAdd(source, extent), source);
    return b.CreateSelect(b.CreateICmpSGE(source, extent), b.CreateSub(source, extent), up);
  }
  Value* rest;
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
    // Computed in doubles, which are exact for coordinates below 2^52: there is no vector
    // remainder.
    llvm::Type* wide = llvm::VectorType::get(b.getDoubleTy(), vector->getElementCount());
    Value* quotient = b.CreateFDiv(b.CreateSIToFP(source, wide), b.CreateSIToFP(extent, wide));
    Value* whole = b.CreateFPToSI(b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, quotient), type);
    rest = b.CreateSub(source, b.CreateMul(whole, extent));
  } else {
    rest = b.CreateSRem(source, extent);
  }
  return b.CreateSelect(b.CreateICmpSLT(rest, zero), b.CreateAdd(rest, extent), rest);
}

Value* clamp_index(Builder& b, Value* source, Value* last) {
  Value* low = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, source, last);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, low,
                                 llvm::Constant::getNullValue(source->getType()));
}

}  // namespace tutti::codegen
