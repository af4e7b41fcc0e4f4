// Helpers for scalars and vectors alike, where LLVM's builder supports only one of them.
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace tutti::codegen {

// Returns a type with the number of lanes of the model and another element type.
inline llvm::Type* lanes_like(llvm::Value* model, llvm::Type* element) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(model->getType());
  return vector ? llvm::VectorType::get(element, vector->getElementCount()) : element;
}

// Returns an integer of the type of the model, in all lanes.
inline llvm::Value* number(llvm::Value* model, int64_t n) {
  return llvm::ConstantInt::get(model->getType(), static_cast<uint64_t>(n), true);
}

// Applies f to a scalar, or to each lane of a vector.
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
