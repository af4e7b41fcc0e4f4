// What LLVM has for single numbers only.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace tutti::codegen {

// f of a number, or of each lane of a vector.
template <class F>
llvm::Value* each_lane(llvm::IRBuilder<>& b, llvm::Value* value, F f) {
  const auto* lanes = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!lanes) return f(value);
  llvm::Value* result = nullptr;
  for (unsigned i = 0; i < lanes->getNumElements(); ++i) {
    llvm::Value* lane = f(b.CreateExtractElement(value, i));
    if (!result)
      result = llvm::PoisonValue::get(
          llvm::FixedVectorType::get(lane->getType(), lanes->getNumElements()));
    result = b.CreateInsertElement(result, lane, i);
  }
  return result;
}

}  // namespace tutti::codegen
