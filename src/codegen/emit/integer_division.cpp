#include "codegen/emit/integer_division.hpp"

#include <llvm/Analysis/VectorUtils.h>

#include "codegen/emit/each_lane.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;

// Returns a builder at the first point where a value can be used.
Builder after_definition(Builder& b, Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) {
    llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
    return Builder(&entry, entry.getFirstInsertionPt());
  }
  if (llvm::isa<llvm::PHINode>(instruction))
    return Builder(instruction->getParent(), instruction->getParent()->getFirstInsertionPt());
  return Builder(instruction->getParent(), std::next(instruction->getIterator()));
}

// Division of vectors by one number, as a multiplication and shifts: T. Granlund and
// P. L. Montgomery, Division by Invariant Integers using Multiplication (1994), figure 4.1. Values
// that depend on the divisor alone are computed at the definition of the divisor.
class UniformDivision {
 public:
  UniformDivision(Builder& b, bool is_signed, Value* divisor, llvm::ElementCount lanes)
      : b_(b), is_signed_(is_signed) {
    Builder once = after_definition(b, divisor);
    llvm::Type* type = divisor->getType();
    bits_ = type->getIntegerBitWidth();
    Value* is_zero = once.CreateICmpEQ(divisor, number(divisor, 0));
    Value* safe = once.CreateSelect(is_zero, number(divisor, 1), divisor);
    Value* sign = once.CreateAShr(safe, bits_ - 1);
    Value* size = is_signed ? magnitude(once, safe, sign) : safe;
    // The least power of two that is not below the divisor.
    Value* zeros = once.CreateIntrinsic(llvm::Intrinsic::ctlz, {type},
                                        {once.CreateSub(size, number(size, 1)), once.getFalse()});
    Value* power = once.CreateSub(number(size, bits_), zeros);
    llvm::Type* wide = once.getInt64Ty();
    Value* wide_size = once.CreateZExt(size, wide);
    Value* above =
        once.CreateSub(once.CreateShl(once.getInt64(1), once.CreateZExt(power, wide)), wide_size);
    Value* ratio = once.CreateUDiv(once.CreateShl(above, bits_), wide_size);
    Value* multiplier = once.CreateTrunc(once.CreateAdd(ratio, once.getInt64(1)), type);
    Value* is_one = once.CreateICmpEQ(power, number(power, 0));
    Value* first = once.CreateZExt(once.CreateNot(is_one), type);
    // By zero the quotient is zero: the product is, and all bits of the rest are shifted out.
    const auto unless_zero = [&](Value* value, int64_t otherwise) {
      return splat(once, once.CreateSelect(is_zero, number(divisor, otherwise), value), lanes);
    };
    multiplier_ = unless_zero(multiplier, 0);
    first_shift_ = unless_zero(first, 1);
    second_shift_ = unless_zero(once.CreateSub(power, first), bits_ - 1);
    sign_ = splat(once, sign, lanes);
    kept_ = splat(once, once.CreateSExt(once.CreateNot(is_zero), type), lanes);
  }

  Value* quotient(Value* x) const {
    Value* x_sign = is_signed_ ? b_.CreateAShr(x, bits_ - 1) : nullptr;
    Value* size = is_signed_ ? magnitude(b_, x, x_sign) : x;
    Value* high = high_product(size, multiplier_);
    Value* rest = b_.CreateLShr(b_.CreateSub(size, high), first_shift_);
    Value* result = b_.CreateLShr(b_.CreateAdd(high, rest), second_shift_);
    return is_signed_ ? magnitude(b_, result, b_.CreateXor(x_sign, sign_)) : result;
  }

  Value* remainder(Value* x, Value* y) const {
    Value* rest = b_.CreateSub(x, b_.CreateMul(quotient(x), y));
    return b_.CreateAnd(rest, kept_);
  }

 private:
  // Returns x, or -x where the sign is all ones.
  static Value* magnitude(Builder& b, Value* x, Value* sign) {
    return b.CreateSub(b.CreateXor(x, sign), sign);
  }
  // Where the divisor is: splats inside of a loop would be made in every step.
  static Value* splat(Builder& once, Value* scalar, llvm::ElementCount lanes) {
    return once.CreateVectorSplat(lanes, scalar);
  }
  // Returns the upper half of each product. Vector units multiply every second number of 32 bits.
  Value* high_product(Value* x, Value* y) const {
    const auto lanes = llvm::cast<llvm::VectorType>(x->getType())->getElementCount();
    if (bits_ < 32 || lanes.getFixedValue() % 2) {
      llvm::Type* wide = lanes_like(x, b_.getIntNTy(2 * bits_));
      Value* product = b_.CreateMul(b_.CreateZExt(x, wide), b_.CreateZExt(y, wide));
      return b_.CreateTrunc(b_.CreateLShr(product, bits_), x->getType());
    }
    llvm::Type* wide = llvm::VectorType::get(b_.getInt64Ty(), lanes.divideCoefficientBy(2));
    Value *a = b_.CreateBitCast(x, wide), *c = b_.CreateBitCast(y, wide);
    const auto low = [&](Value* v) { return b_.CreateAnd(v, number(v, 0xffffffff)); };
    Value* even = b_.CreateLShr(b_.CreateMul(low(a), low(c)), 32);
    Value* odd = b_.CreateMul(b_.CreateLShr(a, 32), b_.CreateLShr(c, 32));
    Value* upper = b_.CreateAnd(odd, number(odd, static_cast<int64_t>(0xffffffff00000000)));
    return b_.CreateBitCast(b_.CreateOr(even, upper), x->getType());
  }

  Builder& b_;
  const bool is_signed_;
  unsigned bits_ = 0;
  // Of the divisor, in all lanes: its sign, the values of the paper, and a mask that is zero for
  // the divisor zero.
  Value *sign_, *multiplier_, *first_shift_, *second_shift_, *kept_;
};

Value* divide_by_one(Builder& b, bool is_signed, Value* x, Value* y, Value* divisor,
                     bool want_remainder) {
  // Vector units multiply integers of at least 16 bits.
  llvm::Type* type = x->getType();
  if (type->getScalarSizeInBits() == 8) {
    Builder once = after_definition(b, divisor);
    llvm::Type *element = b.getInt16Ty(), *wide = lanes_like(x, element);
    divisor = is_signed ? once.CreateSExt(divisor, element) : once.CreateZExt(divisor, element);
    x = is_signed ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
    y = is_signed ? b.CreateSExt(y, wide) : b.CreateZExt(y, wide);
  }
  const UniformDivision division(b, is_signed, divisor,
                                 llvm::cast<llvm::VectorType>(x->getType())->getElementCount());
  Value* result = want_remainder ? division.remainder(x, y) : division.quotient(x);
  return b.CreateTrunc(result, type);
}

// Divides in floats up to 16 bits and in doubles up to 32 bits: their quotients truncate exactly.
Value* divide_as_floats(Builder& b, bool is_signed, Value* x, Value* safe) {
  const bool narrow = !b.gpu() && x->getType()->getScalarSizeInBits() <= 16;
  llvm::Type* wide = lanes_like(x, narrow ? b.getFloatTy() : b.getDoubleTy());
  const auto to_float = [&](Value* v) {
    return is_signed ? b.CreateSIToFP(v, wide) : b.CreateUIToFP(v, wide);
  };
  Value* exact = b.CreateFDiv(to_float(x), to_float(safe));
  // The least integer divided by -1 does not fit: convert to twice the bits and wrap.
  llvm::Type* integer = lanes_like(x, narrow ? b.getInt32Ty() : b.getInt64Ty());
  Value* whole = is_signed ? b.CreateFPToSI(exact, integer) : b.CreateFPToUI(exact, integer);
  return b.CreateTrunc(whole, x->getType());
}

Value* divide_scalars(Builder& b, bool is_signed, Value* x, Value* y, Value* divisor_is_zero) {
  Value* bad = divisor_is_zero;
  Value* minus_one = b.CreateICmpEQ(y, number(y, -1));
  if (is_signed) bad = b.CreateOr(bad, minus_one);
  Value* safe = b.CreateSelect(bad, number(y, 1), y);
  Value* quotient = is_signed ? b.CreateSDiv(x, safe) : b.CreateUDiv(x, safe);
  return is_signed ? b.CreateSelect(minus_one, b.CreateNeg(x), quotient) : quotient;
}

}  // namespace

Value* divide_integers(Builder& b, ElementType type, Value* x, Value* y, bool want_remainder) {
  const bool is_signed = tutti::is_signed(type);
  const bool in_vectors = size_of(type) <= 4 && x->getType()->isVectorTy();
  // A thread of a GPU has too few elements to amortise the multiplier.
  if (Value* divisor = in_vectors && !b.gpu() ? llvm::getSplatValue(y) : nullptr)
    return divide_by_one(b, is_signed, x, y, divisor, want_remainder);
  Value* zero = number(y, 0);
  Value* divisor_is_zero = b.CreateICmpEQ(y, zero);
  Value* quotient = in_vectors ? divide_as_floats(b, is_signed, x,
                                                  b.CreateSelect(divisor_is_zero, number(y, 1), y))
                               : divide_scalars(b, is_signed, x, y, divisor_is_zero);
  Value* result = want_remainder ? b.CreateSub(x, b.CreateMul(quotient, y)) : quotient;
  return b.CreateSelect(divisor_is_zero, zero, result);
}

}  // namespace tutti::codegen
