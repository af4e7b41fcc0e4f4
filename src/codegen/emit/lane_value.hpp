// The operations of numerics/math/lanes.hpp on values of the code generator. Each call emits an
// instruction for all lanes of the target: a vector on a CPU, one number on a GPU thread.
#pragma once
#include <llvm/IR/Module.h>

#include "codegen/emit/builder.hpp"

namespace tutti::codegen {

// Converts floating point to the nearest representable integer towards zero; NaN to 0.
llvm::Value* to_integer(Builder& b, llvm::Value* value, llvm::Type* type, bool is_signed);

class Lanes {
 public:
  Lanes(Builder& builder, llvm::Value* value) : builder_(&builder), value_(value) {}
  llvm::Value* value() const { return value_; }
  Builder& builder() const { return *builder_; }
  llvm::Type* type() const { return value_->getType(); }
  Lanes with(llvm::Value* value) const { return Lanes(*builder_, value); }
  bool floating() const { return type()->isFPOrFPVectorTy(); }

  // Returns a type of the same number of lanes and another element type.
  llvm::Type* lanes_of(llvm::Type* element) const {
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type()))
      return llvm::VectorType::get(element, vector->getElementCount());
    return element;
  }
  unsigned bits() const { return type()->getScalarSizeInBits(); }

  Lanes intrinsic(llvm::Intrinsic::ID id) const {
    return with(builder_->CreateUnaryIntrinsic(id, value_));
  }

 private:
  Builder* builder_;
  llvm::Value* value_;
};

inline Lanes literal(const Lanes& x, double value) {
  return x.with(x.floating()
                    ? llvm::ConstantFP::get(x.type(), value)
                    : llvm::ConstantInt::get(
                          x.type(), static_cast<uint64_t>(static_cast<int64_t>(value)), true));
}
inline Lanes literal(const Lanes& x, int64_t value) {
  return x.with(x.floating()
                    ? llvm::ConstantFP::get(x.type(), static_cast<double>(value))
                    : llvm::ConstantInt::get(x.type(), static_cast<uint64_t>(value), true));
}
inline Lanes literal(const Lanes& x, int value) { return literal(x, static_cast<int64_t>(value)); }
inline Lanes literal(const Lanes& x, float value) { return literal(x, static_cast<double>(value)); }

#define TUTTI_FLOAT_OPERATOR(symbol, method)                     \
  inline Lanes operator symbol(const Lanes& a, const Lanes& b) { \
    return a.with(a.builder().method(a.value(), b.value()));     \
  }
TUTTI_FLOAT_OPERATOR(+, CreateFAdd)
TUTTI_FLOAT_OPERATOR(-, CreateFSub)
TUTTI_FLOAT_OPERATOR(*, CreateFMul)
TUTTI_FLOAT_OPERATOR(/, CreateFDiv)
TUTTI_FLOAT_OPERATOR(&, CreateAnd)
TUTTI_FLOAT_OPERATOR(|, CreateOr)
TUTTI_FLOAT_OPERATOR(^, CreateXor)
#undef TUTTI_FLOAT_OPERATOR
inline Lanes operator-(const Lanes& a) { return a.with(a.builder().CreateFNeg(a.value())); }

#define TUTTI_COMPARISON(symbol, float_method, integer_method)                      \
  inline Lanes operator symbol(const Lanes& a, const Lanes& b) {                    \
    return a.with(a.floating() ? a.builder().float_method(a.value(), b.value())     \
                               : a.builder().integer_method(a.value(), b.value())); \
  }
TUTTI_COMPARISON(<, CreateFCmpOLT, CreateICmpSLT)
TUTTI_COMPARISON(<=, CreateFCmpOLE, CreateICmpSLE)
TUTTI_COMPARISON(>, CreateFCmpOGT, CreateICmpSGT)
TUTTI_COMPARISON(>=, CreateFCmpOGE, CreateICmpSGE)
TUTTI_COMPARISON(==, CreateFCmpOEQ, CreateICmpEQ)
TUTTI_COMPARISON(!=, CreateFCmpUNE, CreateICmpNE)
#undef TUTTI_COMPARISON

inline Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
  return a.with(a.builder().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()},
                                            {a.value(), b.value(), c.value()}));
}
inline Lanes abs(const Lanes& a) { return a.intrinsic(llvm::Intrinsic::fabs); }
inline Lanes sqrt(const Lanes& a) { return a.intrinsic(llvm::Intrinsic::sqrt); }
inline Lanes copy_sign(const Lanes& a, const Lanes& b) {
  return a.with(a.builder().CreateBinaryIntrinsic(llvm::Intrinsic::copysign, a.value(), b.value()));
}
inline Lanes round_even(const Lanes& a) { return a.intrinsic(llvm::Intrinsic::roundeven); }
inline Lanes round_down(const Lanes& a) { return a.intrinsic(llvm::Intrinsic::floor); }
inline Lanes round_up(const Lanes& a) { return a.intrinsic(llvm::Intrinsic::ceil); }
inline Lanes round_to_zero(const Lanes& a) { return a.intrinsic(llvm::Intrinsic::trunc); }

inline Lanes to_bits(const Lanes& a) {
  return a.with(a.builder().CreateBitCast(a.value(), a.lanes_of(a.builder().getIntNTy(a.bits()))));
}
inline Lanes from_bits(const Lanes& a) {
  llvm::Type* element = a.bits() == 32 ? a.builder().getFloatTy() : a.builder().getDoubleTy();
  return a.with(a.builder().CreateBitCast(a.value(), a.lanes_of(element)));
}
inline Lanes to_integer(const Lanes& a) {
  llvm::Type* to = a.lanes_of(a.builder().getIntNTy(a.bits()));
  return a.with(to_integer(a.builder(), a.value(), to, true));
}
inline Lanes to_floating(const Lanes& a) {
  llvm::Type* element = a.bits() == 32 ? a.builder().getFloatTy() : a.builder().getDoubleTy();
  return a.with(a.builder().CreateSIToFP(a.value(), a.lanes_of(element)));
}
inline Lanes widen(const Lanes& a) {
  if (a.floating())
    return a.with(a.builder().CreateFPExt(a.value(), a.lanes_of(a.builder().getDoubleTy())));
  return a.with(a.builder().CreateSExt(a.value(), a.lanes_of(a.builder().getInt64Ty())));
}
inline Lanes narrow(const Lanes& a) {
  if (a.floating())
    return a.with(a.builder().CreateFPTrunc(a.value(), a.lanes_of(a.builder().getFloatTy())));
  return a.with(a.builder().CreateTrunc(a.value(), a.lanes_of(a.builder().getInt32Ty())));
}

inline Lanes add(const Lanes& a, const Lanes& b) {
  return a.with(a.builder().CreateAdd(a.value(), b.value()));
}
inline Lanes subtract(const Lanes& a, const Lanes& b) {
  return a.with(a.builder().CreateSub(a.value(), b.value()));
}
inline Lanes multiply(const Lanes& a, const Lanes& b) {
  return a.with(a.builder().CreateMul(a.value(), b.value()));
}
inline Lanes shift_left(const Lanes& a, int n) {
  return a.with(a.builder().CreateShl(a.value(), static_cast<uint64_t>(n)));
}
inline Lanes shift_right(const Lanes& a, int n) {
  return a.with(a.builder().CreateAShr(a.value(), static_cast<uint64_t>(n)));
}
inline Lanes shift_right_logical(const Lanes& a, int n) {
  return a.with(a.builder().CreateLShr(a.value(), static_cast<uint64_t>(n)));
}

inline Lanes both(const Lanes& a, const Lanes& b) { return a & b; }
inline Lanes either(const Lanes& a, const Lanes& b) { return a | b; }
inline Lanes negate(const Lanes& a) { return a.with(a.builder().CreateNot(a.value())); }
inline Lanes select(const Lanes& mask, const Lanes& a, const Lanes& b) {
  return a.with(a.builder().CreateSelect(mask.value(), a.value(), b.value()));
}

template <class Slow>
Lanes repair(const Lanes& mask, const Lanes& fast, Slow slow) {
  Builder& b = fast.builder();
  llvm::Function* function = b.GetInsertBlock()->getParent();
  auto* before = b.GetInsertBlock();
  auto* rare = llvm::BasicBlock::Create(b.getContext(), "rare", function);
  auto* after = llvm::BasicBlock::Create(b.getContext(), "after", function);
  llvm::Value* any = mask.type()->isVectorTy() ? b.CreateOrReduce(mask.value()) : mask.value();
  b.CreateCondBr(any, rare, after);
  b.SetInsertPoint(rare);
  llvm::Value* repaired = b.CreateSelect(mask.value(), slow().value(), fast.value());
  auto* rare_end = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  auto* phi = b.CreatePHI(fast.type(), 2);
  phi->addIncoming(fast.value(), before);
  phi->addIncoming(repaired, rare_end);
  return fast.with(phi);
}

// Looks up a table, which becomes a private constant of the module.
template <class T, std::size_t N>
Lanes lookup(const T (&table)[N], const Lanes& index) {
  Builder& b = index.builder();
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::Constant* data = llvm::ConstantDataArray::get(b.getContext(), llvm::ArrayRef<T>(table, N));
  llvm::Type* element = data->getType()->getArrayElementType();
  llvm::GlobalVariable* global = nullptr;
  for (llvm::GlobalVariable& other : module.globals())
    if (other.getInitializer() == data) global = &other;
  if (!global)
    global = new llvm::GlobalVariable(module, data->getType(), true,
                                      llvm::GlobalValue::PrivateLinkage, data, "table");
  llvm::Value* pointers = b.CreateGEP(element, global, index.value());
  if (!index.type()->isVectorTy()) return index.with(b.CreateLoad(element, pointers));
  auto* mask = llvm::ConstantInt::getTrue(index.lanes_of(b.getInt1Ty()));
  return index.with(
      b.CreateMaskedGather(index.lanes_of(element), pointers, llvm::Align(sizeof(T)), mask));
}

}  // namespace tutti::codegen
