// Approximate functions of float by the special units of NVIDIA GPUs. Input: an operation of
// fast_ops.def and a float for each operand. Output: the result, with the error that docs/math.md
// states. Subnormal numbers are kept, infinities and NaN are those of the exact operation.
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <numbers>

#include "codegen/emit/each_lane.hpp"
#include "codegen/nvptx/isa.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;
using llvm::Intrinsic::ID;

class FastMath {
 public:
  explicit FastMath(Builder& b) : b_(b) {}

  Value* apply(Op op, Value* x, Value* y) {
    switch (op) {
      case Op::fast_divide:
        return call(llvm::Intrinsic::nvvm_div_full, {x, y});
      case Op::fast_reciprocal:
        return call(llvm::Intrinsic::nvvm_div_full, {literal(1), x});
      case Op::fast_sqrt:
        return call(llvm::Intrinsic::nvvm_sqrt_approx_f, {x});
      case Op::fast_rsqrt:
        return call(llvm::Intrinsic::nvvm_rsqrt_approx_f, {x});
      case Op::fast_exp:
        return exp2(scaled(x, std::numbers::log2e));
      case Op::fast_exp2:
        return exp2(x);
      case Op::fast_exp10:
        return exp2(scaled(x, std::numbers::ln10 * std::numbers::log2e));
      case Op::fast_log:
        return scaled(log2(x), std::numbers::ln2);
      case Op::fast_log2:
        return log2(x);
      case Op::fast_log10:
        return scaled(log2(x), std::numbers::ln2 * std::numbers::log10e);
      case Op::fast_sin:
        return call(llvm::Intrinsic::nvvm_sin_approx_f, {within_one_turn(x)});
      case Op::fast_cos:
        return call(llvm::Intrinsic::nvvm_cos_approx_f, {within_one_turn(x)});
      default:
        return nullptr;
    }
  }

 private:
  Value* literal(double number) { return llvm::ConstantFP::get(b_.getFloatTy(), number); }
  Value* call(ID id, std::initializer_list<Value*> operands) {
    return b_.CreateIntrinsic(id, {}, llvm::ArrayRef<Value*>(operands.begin(), operands.size()));
  }
  Value* scaled(Value* x, double factor) { return b_.CreateFMul(x, literal(factor)); }
  Value* exp2(Value* x) {
    return b_.CreateIntrinsic(llvm::Intrinsic::nvvm_ex2_approx, {x->getType()}, {x});
  }
  Value* log2(Value* x) { return call(llvm::Intrinsic::nvvm_lg2_approx_f, {x}); }

  // The special unit is accurate between -pi and pi. Subtracts the nearest multiple of 2 pi, which
  // is the sum of two floats here.
  Value* within_one_turn(Value* x) {
    constexpr double turn = 2 * std::numbers::pi;
    constexpr float high = static_cast<float>(turn);
    constexpr auto low = static_cast<float>(turn - static_cast<double>(high));
    const auto fma = [&](Value* a, double b, Value* c) {
      return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {a, literal(b), c});
    };
    Value* turns = b_.CreateUnaryIntrinsic(llvm::Intrinsic::rint, scaled(x, 1 / turn));
    return fma(turns, -static_cast<double>(low), fma(turns, -static_cast<double>(high), x));
  }

  Builder& b_;
};

}  // namespace

Value* PtxIsa::fast(Builder& b, Op op, std::span<Value* const> operands) {
  Value* first = operands[0];
  if (!first->getType()->getScalarType()->isFloatTy()) return nullptr;
  FastMath math(b);
  if (operands.size() == 1)
    return each_lane(b, first, [&](Value* x) { return math.apply(op, x, nullptr); });
  unsigned lane = 0;
  return each_lane(b, first, [&](Value* x) {
    Value* second = operands[1];
    if (second->getType()->isVectorTy()) second = b.CreateExtractElement(second, lane++);
    return math.apply(op, x, second);
  });
}

}  // namespace tutti::codegen
