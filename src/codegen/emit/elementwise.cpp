#include "codegen/emit/elementwise.hpp"

#include <cmath>

#include "codegen/emit/each_lane.hpp"
#include "codegen/emit/integer_division.hpp"
#include "codegen/gpu/isa.hpp"
#include "core/caching/hash.hpp"
#include "graph/node.hpp"
#include "numerics/fast_ops.hpp"
#include "numerics/math/f32.hpp"
#include "numerics/math/f64.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;

// Rounds to the type of x separately: a double becomes a half by way of float, also where a
// function computes in doubles. LLVM would sometimes round in one step, for which CPUs have a call
// and no instruction.
Value* rounded_by_itself(Builder& b, Value* x) {
  if (b.gpu()) return b.gpu()->rounded(b, x);
  return b.CreateIntrinsic(llvm::Intrinsic::arithmetic_fence, {x->getType()}, {x});
}

Value* round_to_half(Builder& b, Value* x) {
  Value* narrow = b.CreateFPTrunc(rounded_by_itself(b, x), lanes_like(x, b.getHalfTy()));
  return b.CreateFPExt(narrow, x->getType());
}

Value* choose(Builder& b, std::span<Value* const> x) {
  const bool compared = llvm::isa<llvm::FCmpInst>(x[0]) && x[1]->getType()->isFPOrFPVectorTy();
  Value* first = compared && b.gpu() ? b.gpu()->first_choice(b, x[1]) : x[1];
  return b.CreateSelect(x[0], first, x[2]);
}

Value* shift(Builder& b, bool left, bool is_signed, Value* x, Value* count) {
  const unsigned width = x->getType()->getScalarSizeInBits();
  // Unsigned comparison catches negative counts as well.
  Value* in_range = b.CreateICmpULT(count, number(count, width));
  // The count is masked although it is in range. Otherwise LLVM 22 may combine shift and comparison
  // into an instruction of some machines that reads only the low 32 bits of a 64-bit count.
  Value* safe = b.CreateAnd(count, number(count, width - 1));
  if (left) return b.CreateSelect(in_range, b.CreateShl(x, safe), number(x, 0));
  if (!is_signed) return b.CreateSelect(in_range, b.CreateLShr(x, safe), number(x, 0));
  return b.CreateAShr(x, b.CreateSelect(in_range, count, number(count, width - 1)));
}

Value* integer_op(Builder& b, Op op, ElementType type, std::span<Value* const> x) {
  const bool is_signed = tutti::is_signed(type);
  const auto unary = [&](ID id) { return b.CreateUnaryIntrinsic(id, x[0]); };
  const auto binary = [&](ID id) { return b.CreateBinaryIntrinsic(id, x[0], x[1]); };
  const auto counted = [&](ID id) { return b.CreateBinaryIntrinsic(id, x[0], b.getFalse()); };
  switch (op) {
    case Op::add:
      return b.CreateAdd(x[0], x[1]);
    case Op::subtract:
      return b.CreateSub(x[0], x[1]);
    case Op::multiply:
      return b.CreateMul(x[0], x[1]);
    case Op::divide:
      return divide_integers(b, type, x[0], x[1], false);
    case Op::remainder:
      return divide_integers(b, type, x[0], x[1], true);
    case Op::negate:
      return b.CreateNeg(x[0]);
    case Op::abs:
      return is_signed ? counted(llvm::Intrinsic::abs) : x[0];
    case Op::sign: {
      Value* positive = b.CreateZExt(b.CreateICmpNE(x[0], number(x[0], 0)), x[0]->getType());
      if (!is_signed) return positive;
      return b.CreateSelect(b.CreateICmpSLT(x[0], number(x[0], 0)), number(x[0], -1), positive);
    }
    case Op::min:
      return binary(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin);
    case Op::max:
      return binary(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax);
    case Op::fma:
      return b.CreateAdd(b.CreateMul(x[0], x[1]), x[2]);
    case Op::bit_and:
      return b.CreateAnd(x[0], x[1]);
    case Op::bit_or:
      return b.CreateOr(x[0], x[1]);
    case Op::bit_xor:
      return b.CreateXor(x[0], x[1]);
    case Op::bit_not:
      return b.CreateNot(x[0]);
    case Op::shift_left:
      return shift(b, true, is_signed, x[0], x[1]);
    case Op::shift_right:
      return shift(b, false, is_signed, x[0], x[1]);
    case Op::popcount:
      return unary(llvm::Intrinsic::ctpop);
    case Op::leading_zeros:
      return counted(llvm::Intrinsic::ctlz);
    case Op::trailing_zeros:
      return counted(llvm::Intrinsic::cttz);
    default:
      throw InternalError(std::string("no integer code for operation ") +
                          std::to_string(static_cast<int>(op)));
  }
}

Value* bool_op(Builder& b, Op op, std::span<Value* const> x) {
  switch (op) {
    case Op::bit_and:
    case Op::logical_and:
      return b.CreateAnd(x[0], x[1]);
    case Op::bit_or:
    case Op::logical_or:
      return b.CreateOr(x[0], x[1]);
    case Op::bit_xor:
    case Op::logical_xor:
      return b.CreateXor(x[0], x[1]);
    case Op::bit_not:
    case Op::logical_not:
    case Op::leading_zeros:
    case Op::trailing_zeros:
      return b.CreateNot(x[0]);
    case Op::shift_left:
    case Op::shift_right:
      return b.CreateAnd(x[0], b.CreateNot(x[1]));
    case Op::popcount:
      return x[0];
    default:
      throw InternalError(std::string("no bool code for operation ") +
                          std::to_string(static_cast<int>(op)));
  }
}

Value* float_op(Builder& b, Op op, std::span<Value* const> v) {
  if (ir::is_fast(op)) {
    if (b.gpu())
      if (Value* result = b.gpu()->fast(b, op, v)) return result;
    op = ir::exact_of(op);
  }
  const Lanes x(b, v[0]), y(b, v[v.size() > 1 ? 1 : 0]);
  const bool single = x.bits() == 32;
  const auto binary = [&](ID id) { return b.CreateBinaryIntrinsic(id, v[0], v[1]); };
  const auto number_or = [&](ID id) {  // if one operand is NaN, the other is the result
    Value* r = binary(id);
    r = b.CreateSelect(b.CreateFCmpUNO(v[0], v[0]), v[1], r);
    return b.CreateSelect(b.CreateFCmpUNO(v[1], v[1]), v[0], r);
  };
#define TUTTI_CALL(id) \
  case Op::id:         \
    return (single ? math::f32::id(x) : math::f64::id(x)).value();
#define TUTTI_CALL2(id) \
  case Op::id:          \
    return (single ? math::f32::id(x, y) : math::f64::id(x, y)).value();
  switch (op) {
    case Op::add:
      return (x + y).value();
    case Op::subtract:
      return (x - y).value();
    case Op::multiply:
      return (x * y).value();
    case Op::divide:
      return (x / y).value();
    case Op::remainder:
      return (single ? math::f32::fmod(x, y) : math::f64::fmod(x, y)).value();
    case Op::negate:
      return (-x).value();
    case Op::abs:
      return abs(x).value();
    case Op::sign: {
      const Lanes zero = literal(x, 0.0);
      return select(x > zero, literal(x, 1.0), select(x < zero, literal(x, -1.0), x)).value();
    }
    case Op::min:
      return binary(llvm::Intrinsic::minimum);
    case Op::max:
      return binary(llvm::Intrinsic::maximum);
    case Op::fmin:
      return number_or(llvm::Intrinsic::minimum);
    case Op::fmax:
      return number_or(llvm::Intrinsic::maximum);
    case Op::fma:
      return fma(x, y, Lanes(b, v[2])).value();
    case Op::sqrt:
      return sqrt(x).value();
    case Op::rsqrt:
      return (literal(x, 1.0) / sqrt(x)).value();
    case Op::reciprocal:
      return (literal(x, 1.0) / x).value();
    case Op::floor:
      return round_down(x).value();
    case Op::ceil:
      return round_up(x).value();
    case Op::trunc:
      return round_to_zero(x).value();
    case Op::rint:
      return round_even(x).value();
    case Op::round:
      return (single ? math::f32::round_half_away(x) : math::f64::round_half_away(x)).value();
    case Op::copysign: {  // the sign of a NaN is unspecified: it counts as positive
      Value* number = b.CreateFCmpORD(y.value(), y.value());
      Value* signed_part =
          b.CreateSelect(number, y.value(), llvm::Constant::getNullValue(y.value()->getType()));
      return copy_sign(x, y.with(signed_part)).value();
    }
#include "numerics/math/functions.def"
    default:
      throw InternalError(std::string("no float code for operation ") +
                          std::to_string(static_cast<int>(op)));
  }
#undef TUTTI_CALL
#undef TUTTI_CALL2
}

bool is_comparison(Op op) {
  return (op >= Op::equal && op <= Op::greater_equal) || (op >= Op::is_nan && op <= Op::is_finite);
}

Value* comparison(Builder& b, Op op, ElementType type, std::span<Value* const> x) {
  if (is_floating(type)) {
    switch (op) {
      case Op::equal:
        return b.CreateFCmpOEQ(x[0], x[1]);
      case Op::not_equal:
        return b.CreateFCmpUNE(x[0], x[1]);
      case Op::less:
        return b.CreateFCmpOLT(x[0], x[1]);
      case Op::less_equal:
        return b.CreateFCmpOLE(x[0], x[1]);
      case Op::greater:
        return b.CreateFCmpOGT(x[0], x[1]);
      case Op::greater_equal:
        return b.CreateFCmpOGE(x[0], x[1]);
      case Op::is_nan:
        return b.CreateFCmpUNO(x[0], x[0]);
      default:
        break;
    }
    Value* size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x[0]);
    Value* infinity = llvm::ConstantFP::getInfinity(x[0]->getType());
    return op == Op::is_inf ? b.CreateFCmpOEQ(size, infinity) : b.CreateFCmpOLT(size, infinity);
  }
  const bool is_signed = tutti::is_signed(type);
  switch (op) {
    case Op::equal:
      return b.CreateICmpEQ(x[0], x[1]);
    case Op::not_equal:
      return b.CreateICmpNE(x[0], x[1]);
    case Op::less:
      return is_signed ? b.CreateICmpSLT(x[0], x[1]) : b.CreateICmpULT(x[0], x[1]);
    case Op::less_equal:
      return is_signed ? b.CreateICmpSLE(x[0], x[1]) : b.CreateICmpULE(x[0], x[1]);
    case Op::greater:
      return is_signed ? b.CreateICmpSGT(x[0], x[1]) : b.CreateICmpUGT(x[0], x[1]);
    default:
      return is_signed ? b.CreateICmpSGE(x[0], x[1]) : b.CreateICmpUGE(x[0], x[1]);
  }
}

Value* ordinal(Builder& b, ElementType type, Value* x) {
  Value* stored = to_memory(b, x, type);
  const unsigned width = stored->getType()->getScalarSizeInBits();
  llvm::Type* integer = lanes_like(x, b.getIntNTy(width));
  Value* bits = b.CreateBitCast(stored, integer);
  // All bits of a negative number but the sign are inverted.
  Value* turned = b.CreateLShr(b.CreateAShr(bits, width - 1), 1);
  return b.CreateSelect(b.CreateFCmpUNO(x, x),
                        llvm::ConstantInt::get(integer, llvm::APInt::getSignedMaxValue(width)),
                        b.CreateXor(bits, turned));
}

}  // namespace

llvm::Type* register_type(llvm::LLVMContext& context, ElementType type) {
  switch (type) {
    case ElementType::b8:
      return llvm::Type::getInt1Ty(context);
    case ElementType::f16:
    case ElementType::f32:
      return llvm::Type::getFloatTy(context);
    case ElementType::f64:
      return llvm::Type::getDoubleTy(context);
    default:
      return llvm::Type::getIntNTy(context, static_cast<unsigned>(8 * size_of(type)));
  }
}

llvm::Type* memory_type(llvm::LLVMContext& context, ElementType type) {
  if (type == ElementType::b8) return llvm::Type::getInt8Ty(context);
  if (type == ElementType::f16) return llvm::Type::getHalfTy(context);
  return register_type(context, type);
}

Value* to_memory(Builder& b, Value* value, ElementType type) {
  if (type == ElementType::b8) return b.CreateZExt(value, lanes_like(value, b.getInt8Ty()));
  if (type == ElementType::f16) return b.CreateFPTrunc(value, lanes_like(value, b.getHalfTy()));
  return value;
}

Value* from_memory(Builder& b, Value* value, ElementType type) {
  if (type == ElementType::b8) return b.CreateICmpNE(value, number(value, 0));
  if (type == ElementType::f16) return b.CreateFPExt(value, lanes_like(value, b.getFloatTy()));
  return value;
}

Value* emit_op(Builder& b, Op op, ElementType type, std::span<Value* const> operands) {
  if (op == Op::choose) return choose(b, operands);
  if (is_comparison(op)) return comparison(b, op, type, operands);
  if (op == Op::ordinal) return ordinal(b, type, operands[0]);
  if (type == ElementType::b8) return bool_op(b, op, operands);
  if (!is_floating(type)) return integer_op(b, op, type, operands);
  Value* result = float_op(b, op, operands);
  return type == ElementType::f16 ? round_to_half(b, result) : result;
}

namespace {

Value* saturated(Builder& b, Value* value, llvm::Type* type, bool is_signed) {
  return b.CreateIntrinsic(is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat,
                           {type, value->getType()}, {value});
}

}  // namespace

// Converts with explicit comparisons: LLVM's own instruction handles lanes one by one on x86.
Value* to_integer(Builder& b, Value* value, llvm::Type* type, bool is_signed) {
  if (b.gpu()) return b.gpu()->to_integer(b, value, type, is_signed);
  if (!value->getType()->isVectorTy()) return saturated(b, value, type, is_signed);
  const unsigned bits = type->getScalarSizeInBits();
  const auto least = is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
  const auto most =
      is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
  // Both bounds are powers of two, which every floating-point type represents.
  const double end = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
  Value* low = llvm::ConstantFP::get(value->getType(), is_signed ? -end : 0.0);
  Value* high = llvm::ConstantFP::get(value->getType(), end);
  Value* inside = b.CreateAnd(b.CreateFCmpOGE(value, low), b.CreateFCmpOLT(value, high));
  Value* safe = b.CreateSelect(inside, value, llvm::Constant::getNullValue(value->getType()));
  Value* result = is_signed ? b.CreateFPToSI(safe, type) : b.CreateFPToUI(safe, type);
  result = b.CreateSelect(b.CreateFCmpOGE(value, high), llvm::ConstantInt::get(type, most), result);
  return is_signed ? b.CreateSelect(b.CreateFCmpOLT(value, low),
                                    llvm::ConstantInt::get(type, least), result)
                   : result;
}

Value* emit_cast(Builder& b, Value* value, ElementType from, ElementType to) {
  if (from == to) return value;
  llvm::Type* type = lanes_like(value, register_type(b.getContext(), to));
  if (to == ElementType::b8)
    return is_floating(from) ? b.CreateFCmpUNE(value, llvm::ConstantFP::get(value->getType(), 0.0))
                             : b.CreateICmpNE(value, number(value, 0));
  if (is_floating(to)) {
    Value* result = value;
    if (!is_floating(from)) {
      // A half is converted through float, as everywhere.
      result = tutti::is_signed(from) ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
    } else if (value->getType() != type) {
      result = b.CreateFPCast(value, type);
    }
    return to == ElementType::f16 ? round_to_half(b, result) : result;
  }
  if (is_floating(from)) return to_integer(b, value, type, tutti::is_signed(to));
  return b.CreateIntCast(value, type, from != ElementType::b8 && tutti::is_signed(from));
}

llvm::Constant* constant_of(llvm::LLVMContext& context, const ScalarValue& value) {
  llvm::Type* stored = memory_type(context, value.type);
  llvm::Type* bits = llvm::Type::getIntNTy(context, stored->getScalarSizeInBits());
  return llvm::ConstantExpr::getBitCast(llvm::ConstantInt::get(bits, value.bits), stored);
}

llvm::Constant* identity_constant(llvm::LLVMContext& context, Reduction reduction,
                                  ElementType type) {
  return constant_of(context, ir::identity_of(reduction, type));
}

uint64_t operation_table_hash() {
  std::string operations;
  for (int op = 0; op < ir::op_count; ++op) operations += ir::op_name(static_cast<Op>(op));
  return hash_bytes(operations);
}

Value* emit_combine(Builder& b, Reduction reduction, ElementType type, Value* a, Value* c) {
  Value* const operands[] = {a, c};
  return emit_op(b, ir::info_of(reduction).op, type, operands);
}

}  // namespace tutti::codegen
