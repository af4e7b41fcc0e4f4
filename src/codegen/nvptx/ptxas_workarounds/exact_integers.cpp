#include "codegen/nvptx/ptxas_workarounds/exact_integers.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include <map>
#include <vector>

#include "codegen/emit/each_lane.hpp"

namespace tutti::codegen {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;
using llvm::Intrinsic::ID;

// Passes a value through inline assembly, which LLVM does not analyse.
Value* by_text(Builder& b, llvm::Type* result, Value* x, const std::string& text,
               const char* constraints) {
  auto* code = llvm::InlineAsm::get(llvm::FunctionType::get(result, {x->getType()}, false), text,
                                    constraints, false);
  return b.CreateCall(code, {x});
}

// ---- abs

Value* spelled_abs(Builder& b, Value* x) {
  const bool wide = x->getType()->isIntegerTy(64);
  const std::string bits = wide ? "64" : "32", sign = wide ? "63" : "31";
  // The result is written last: its register may be the register of the operand.
  return by_text(b, x->getType(), x,
                 "{ .reg .b" + bits + " sign, turned; shr.s" + bits + " sign, $1, " + sign +
                     "; xor.b" + bits + " turned, $1, sign; sub.s" + bits + " $0, turned, sign; }",
                 wide ? "=l,l" : "=r,r");
}

void spell_abs(llvm::Function& function) {
  std::vector<llvm::IntrinsicInst*> found;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (const llvm::Type* type = call->getType()->getScalarType();
            call->getIntrinsicID() == llvm::Intrinsic::abs &&
            (type->isIntegerTy(32) || type->isIntegerTy(64)))
          found.push_back(call);
  for (llvm::IntrinsicInst* call : found) {
    Builder b(call);
    call->replaceAllUsesWith(
        each_lane(b, call->getArgOperand(0), [&](Value* lane) { return spelled_abs(b, lane); }));
    call->eraseFromParent();
  }
}

// ---- narrow integers

bool is_narrow(const llvm::Type* type) {
  const auto* integer = llvm::dyn_cast<llvm::IntegerType>(type->getScalarType());
  return integer && integer->getBitWidth() > 1 && integer->getBitWidth() < 32 &&
         !llvm::isa<llvm::ScalableVectorType>(type);
}

unsigned lanes_of(const llvm::Type* type) {
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// One lane of a narrow integer, in 32 bits. Each form is made on demand.
struct Lane {
  Value* low = nullptr;  // its own bits are correct, the others unspecified
  Value *with_sign = nullptr, *with_zeros = nullptr;
};

class Widening {
 public:
  explicit Widening(llvm::Function& function) : function_(function) {}

  void run() {
    // Operands come before their uses, but for those of phis, which stay narrow.
    std::vector<llvm::Instruction*> order;
    const llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&function_);
    for (llvm::BasicBlock* block : blocks)
      for (llvm::Instruction& instruction : *block) order.push_back(&instruction);
    for (llvm::Instruction* instruction : order) rewrite(*instruction);
    for (llvm::Instruction* old : replaced_) old->dropAllReferences();
    for (llvm::Instruction* old : replaced_) {
      if (!old->use_empty()) old->replaceAllUsesWith(narrow(*old));
      old->eraseFromParent();
    }
  }

 private:
  enum class Form { low, with_sign, with_zeros };
  using Lanes = std::vector<Lane>;

  // ---- the lanes of a value

  llvm::Type* i32(Builder& b) { return b.getInt32Ty(); }

  // Returns a builder directly after the definition, where the result dominates all uses.
  Builder behind(Value* value) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value))
      return Builder(instruction->getParent(), *instruction->getInsertionPointAfterDef());
    return Builder(&function_.getEntryBlock(), function_.getEntryBlock().getFirstInsertionPt());
  }

  Lane lane_of_constant(llvm::Constant* constant, unsigned i) {
    auto* element = constant->getType()->isVectorTy() ? constant->getAggregateElement(i) : constant;
    auto& context = function_.getContext();
    auto* type = llvm::Type::getInt32Ty(context);
    if (const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(element)) {
      auto* zeros = llvm::ConstantInt::get(type, number->getValue().zext(32));
      return {zeros, llvm::ConstantInt::get(type, number->getValue().sext(32)), zeros};
    }
    auto* nothing = llvm::ConstantInt::get(type, 0);  // undefined: any value is correct
    return {nothing, nothing, nothing};
  }

  Lanes& lanes(Value* value) {
    const auto [found, is_new] = lanes_.try_emplace(value);
    Lanes& result = found->second;
    if (!is_new) return result;
    result.resize(lanes_of(value->getType()));
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
      for (unsigned i = 0; i < result.size(); ++i) result[i] = lane_of_constant(constant, i);
      return result;
    }
    Builder b = behind(value);
    for (unsigned i = 0; i < result.size(); ++i) {
      Value* lane = value->getType()->isVectorTy() ? b.CreateExtractElement(value, i) : value;
      result[i].low = result[i].with_zeros = widened(b, lane);
    }
    return result;
  }

  Value* get(Value* value, unsigned i, Form form) {
    Lane& lane = lanes(value)[i];
    if (form == Form::low) return lane.low;
    Value*& result = form == Form::with_sign ? lane.with_sign : lane.with_zeros;
    if (!result) {
      Builder b = behind(lane.low);
      result =
          normalised(b, lane.low, value->getType()->getScalarSizeInBits(), form == Form::with_sign);
    }
    return result;
  }

  // Widens from a register of the integer's own size, with zeros.
  Value* widened(Builder& b, Value* lane) {
    const unsigned width = lane->getType()->getIntegerBitWidth();
    if (width > 16) return normalised(b, b.CreateZExt(lane, i32(b)), width, false);
    return by_text(b, i32(b), b.CreateZExt(lane, b.getInt16Ty()), "cvt.u32.u16 $0, $1;", "=r,h");
  }

  // Sets the bits beyond `width` to the sign, or to zero.
  Value* normalised(Builder& b, Value* low, unsigned width, bool with_sign) {
    const std::string type = with_sign ? "s" : "u", bits = std::to_string(width);
    if (width == 8 || width == 16)
      return by_text(b, i32(b), low, "cvt." + type + "32." + type + bits + " $0, $1;", "=r,r");
    return by_text(b, i32(b), low, "bfe." + type + "32 $0, $1, 0, " + bits + ";", "=r,r");
  }

  // Converts back to registers of its own size, for uses that are not arithmetic.
  Value* narrow(llvm::Instruction& old) {
    const Lanes& wide = lanes_.at(&old);
    auto* element = llvm::cast<llvm::IntegerType>(old.getType()->getScalarType());
    Builder b(&old);
    const auto shortened = [&](Value* low) -> Value* {
      if (auto* constant = llvm::dyn_cast<llvm::Constant>(low))
        return b.CreateTrunc(constant, element);
      if (element->getBitWidth() > 16)
        return b.CreateTrunc(by_text(b, i32(b), low, "mov.b32 $0, $1;", "=r,r"), element);
      Value* half = by_text(b, b.getInt16Ty(), low, "cvt.u16.u32 $0, $1;", "=h,r");
      return b.CreateTrunc(half, element);
    };
    if (!old.getType()->isVectorTy()) return shortened(wide[0].low);
    Value* result = llvm::PoisonValue::get(old.getType());
    for (unsigned i = 0; i < wide.size(); ++i)
      result = b.CreateInsertElement(result, shortened(wide[i].low), i);
    return result;
  }

  // ---- instructions

  // Replaces a narrow result; f(i) computes lane i.
  template <class F>
  void replace(llvm::Instruction& old, F f) {
    Lanes result(lanes_of(old.getType()));
    for (unsigned i = 0; i < result.size(); ++i) result[i].low = f(i);
    lanes_[&old] = std::move(result);
    replaced_.push_back(&old);
  }
  // Does the same for a result that is not narrow.
  template <class F>
  void replace_wide(Builder& b, llvm::Instruction& old, F f) {
    Value* result = nullptr;
    if (!old.getType()->isVectorTy()) {
      result = f(0u);
    } else {
      result = llvm::PoisonValue::get(old.getType());
      for (unsigned i = 0; i < lanes_of(old.getType()); ++i)
        result = b.CreateInsertElement(result, f(i), i);
    }
    old.replaceAllUsesWith(result);
    replaced_.push_back(&old);
    lanes_.erase(&old);
  }

  // Returns whether a wide form of the value exists.
  bool is_wide(Value* value) const {
    return llvm::isa<llvm::Instruction>(value) && lanes_.count(value) > 0;
  }

  void rewrite(llvm::Instruction& in) {
    Builder b(&in);
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&in)) return rewrite_switch(*choice);
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&in)) return rewrite_call(b, *call);
    if (is_narrow(in.getType())) return rewrite_narrow(b, in);
    if (in.getNumOperands() == 0 || !is_narrow(in.getOperand(0)->getType())) return;
    // Instructions that only test or convert loaded integers are not affected.
    Value* x = in.getOperand(0);
    if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&in)) {
      if (!is_wide(x) && !is_wide(in.getOperand(1))) return;
      const Form form = comparison->isSigned() ? Form::with_sign : Form::with_zeros;
      return replace_wide(b, in, [&](unsigned i) {
        return b.CreateICmp(comparison->getPredicate(), get(x, i, form),
                            get(in.getOperand(1), i, form));
      });
    }
    if (!llvm::isa<llvm::CastInst>(in) || !is_wide(x)) return;
    llvm::Type* to = in.getType()->getScalarType();
    const auto cast = [&](Form form, llvm::Instruction::CastOps operation) {
      replace_wide(b, in, [&](unsigned i) {
        Value* wide = get(x, i, form);
        return wide->getType() == to ? wide : b.CreateCast(operation, wide, to);
      });
    };
    switch (in.getOpcode()) {
      case llvm::Instruction::SExt:
      case llvm::Instruction::SIToFP:
        return cast(Form::with_sign, static_cast<llvm::Instruction::CastOps>(in.getOpcode()));
      case llvm::Instruction::ZExt:
      case llvm::Instruction::UIToFP:
        return cast(Form::with_zeros, static_cast<llvm::Instruction::CastOps>(in.getOpcode()));
      default:
        return;
    }
  }

  void rewrite_narrow(Builder& b, llvm::Instruction& in) {
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&in)) {
      const auto [left, right] = forms_of(binary->getOpcode());
      return replace(in, [&](unsigned i) {
        return b.CreateBinOp(binary->getOpcode(), get(in.getOperand(0), i, left),
                             get(in.getOperand(1), i, right));
      });
    }
    if (llvm::isa<llvm::SelectInst>(in)) {
      // LLVM turns choices between constants into sums.
      const auto stays = [&](Value* v) { return !llvm::isa<llvm::Constant>(v) && !is_wide(v); };
      if (stays(in.getOperand(1)) && stays(in.getOperand(2))) return;
      Value* condition = in.getOperand(0);
      return replace(in, [&](unsigned i) {
        Value* lane =
            condition->getType()->isVectorTy() ? b.CreateExtractElement(condition, i) : condition;
        return b.CreateSelect(lane, get(in.getOperand(1), i, Form::low),
                              get(in.getOperand(2), i, Form::low));
      });
    }
    if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&in)) {
      const auto* at = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      if (!at || !is_wide(in.getOperand(0))) return;
      const auto place = static_cast<unsigned>(at->getZExtValue());
      return replace(in, [&](unsigned) { return get(in.getOperand(0), place, Form::low); });
    }
    if (!llvm::isa<llvm::TruncInst, llvm::SExtInst, llvm::ZExtInst>(in)) return;
    Value* x = in.getOperand(0);
    if (is_narrow(x->getType())) {
      const Form form = llvm::isa<llvm::SExtInst>(in)   ? Form::with_sign
                        : llvm::isa<llvm::ZExtInst>(in) ? Form::with_zeros
                                                        : Form::low;
      replace(in, [&](unsigned i) { return get(x, i, form); });
    }
  }

  // Widens the condition of a switch: LLVM subtracts the first case from it, which is arithmetic.
  void rewrite_switch(llvm::SwitchInst& choice) {
    if (!is_narrow(choice.getCondition()->getType())) return;
    choice.setCondition(get(choice.getCondition(), 0, Form::with_zeros));
    for (auto& option : choice.cases())
      option.setValue(llvm::ConstantInt::get(function_.getContext(),
                                             option.getCaseValue()->getValue().zext(32)));
  }

  // Returns which bits beyond its own each operand needs.
  static std::pair<Form, Form> forms_of(llvm::Instruction::BinaryOps operation) {
    switch (operation) {
      case llvm::Instruction::Shl:
        return {Form::low, Form::with_zeros};
      case llvm::Instruction::LShr:
        return {Form::with_zeros, Form::with_zeros};
      case llvm::Instruction::AShr:
        return {Form::with_sign, Form::with_zeros};
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem:
        return {Form::with_sign, Form::with_sign};
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem:
        return {Form::with_zeros, Form::with_zeros};
      default:  // sums, products and single bits depend on the bits below alone
        return {Form::low, Form::low};
    }
  }

  // Rewrites intrinsics that compute with narrow integers. Others stay: loads, conversions of
  // floating-point numbers, moves between threads.
  void rewrite_call(Builder& b, llvm::IntrinsicInst& call) {
    const ID id = call.getIntrinsicID();
    if (id == llvm::Intrinsic::scmp || id == llvm::Intrinsic::ucmp) return rewrite_order(b, call);
    if (!is_narrow(call.getType()) || rewrite_reduction(b, call)) return;
    Value* first = call_on_lane(b, call, 0);
    if (!first) return;
    replace(call, [&](unsigned i) { return i == 0 ? first : call_on_lane(b, call, i); });
  }

  // Returns one lane of the result, or null for intrinsics that stay.
  Value* call_on_lane(Builder& b, llvm::IntrinsicInst& call, unsigned i) {
    const ID id = call.getIntrinsicID();
    const int width = static_cast<int>(call.getType()->getScalarSizeInBits());
    const auto number = [&](int64_t n) { return b.getInt32(static_cast<uint32_t>(n)); };
    const auto x = [&](unsigned operand, Form form) {
      return get(call.getArgOperand(operand), i, form);
    };
    const auto zeros = [&] { return x(0, Form::with_zeros); };
    const auto with_sign = [&](unsigned operand) { return x(operand, Form::with_sign); };
    switch (id) {
      case llvm::Intrinsic::smin:
      case llvm::Intrinsic::smax:
        return b.CreateBinaryIntrinsic(id, x(0, Form::with_sign), x(1, Form::with_sign));
      case llvm::Intrinsic::umin:
      case llvm::Intrinsic::umax:
        return b.CreateBinaryIntrinsic(id, x(0, Form::with_zeros), x(1, Form::with_zeros));
      case llvm::Intrinsic::abs:
        return b.CreateBinaryIntrinsic(id, with_sign(0), b.getFalse());
      case llvm::Intrinsic::ctpop:
        return b.CreateUnaryIntrinsic(id, zeros());
      case llvm::Intrinsic::ctlz:
        return b.CreateSub(b.CreateBinaryIntrinsic(id, zeros(), b.getFalse()), number(32 - width));
      case llvm::Intrinsic::cttz:
        return b.CreateBinaryIntrinsic(id, b.CreateOr(zeros(), number(int64_t{1} << width)),
                                       b.getFalse());
      case llvm::Intrinsic::bitreverse:
      case llvm::Intrinsic::bswap:
        return b.CreateLShr(b.CreateUnaryIntrinsic(id, x(0, Form::low)),
                            static_cast<uint64_t>(32 - width));
      case llvm::Intrinsic::uadd_sat:
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin,
                                       b.CreateAdd(zeros(), x(1, Form::with_zeros)),
                                       number((int64_t{1} << width) - 1));
      case llvm::Intrinsic::usub_sat: {
        Value* y = x(1, Form::with_zeros);
        return b.CreateSub(b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, zeros(), y), y);
      }
      case llvm::Intrinsic::sadd_sat:
        return saturated(b, b.CreateAdd(with_sign(0), with_sign(1)), width);
      case llvm::Intrinsic::ssub_sat:
        return saturated(b, b.CreateSub(with_sign(0), with_sign(1)), width);
      case llvm::Intrinsic::fshl:
      case llvm::Intrinsic::fshr:
        return width > 16 ? nullptr : funnel_shift(b, call, i, width);
      default:
        return nullptr;
    }
  }

  // Returns the nearest signed integer of `width` bits.
  static Value* saturated(Builder& b, Value* v, int width) {
    const int64_t end = int64_t{1} << (width - 1);
    const auto number = [&](int64_t n) { return b.getInt32(static_cast<uint32_t>(n)); };
    v = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, v, number(-end));
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, v, number(end - 1));
  }

  // Shifts from one integer into another: both are joined in one word.
  Value* funnel_shift(Builder& b, llvm::IntrinsicInst& call, unsigned i, int width) {
    const auto zeros = [&](unsigned operand) {
      return get(call.getArgOperand(operand), i, Form::with_zeros);
    };
    const auto bits = static_cast<uint64_t>(width);
    Value* count = b.CreateURem(zeros(2), b.getInt32(static_cast<uint32_t>(width)));
    Value* joined = b.CreateOr(b.CreateShl(zeros(0), bits), zeros(1));
    return call.getIntrinsicID() == llvm::Intrinsic::fshl
               ? b.CreateLShr(b.CreateShl(joined, count), bits)
               : b.CreateLShr(joined, count);
  }

  // Rewrites a call that combines the lanes of a vector. Returns false for other calls.
  bool rewrite_reduction(Builder& b, llvm::IntrinsicInst& call) {
    const auto combine = [&](Form form, auto combined) {
      replace(call, [&](unsigned) {
        Value* result = get(call.getArgOperand(0), 0, form);
        for (unsigned i = 1; i < lanes_of(call.getArgOperand(0)->getType()); ++i)
          result = combined(result, get(call.getArgOperand(0), i, form));
        return result;
      });
      return true;
    };
    const auto extreme = [&](ID which, Form form) {
      return combine(form,
                     [&](Value* a, Value* c) { return b.CreateBinaryIntrinsic(which, a, c); });
    };
    const auto total = [&](llvm::Instruction::BinaryOps operation) {
      return combine(Form::low, [&](Value* a, Value* c) { return b.CreateBinOp(operation, a, c); });
    };
    switch (call.getIntrinsicID()) {
      case llvm::Intrinsic::vector_reduce_smin:
        return extreme(llvm::Intrinsic::smin, Form::with_sign);
      case llvm::Intrinsic::vector_reduce_smax:
        return extreme(llvm::Intrinsic::smax, Form::with_sign);
      case llvm::Intrinsic::vector_reduce_umin:
        return extreme(llvm::Intrinsic::umin, Form::with_zeros);
      case llvm::Intrinsic::vector_reduce_umax:
        return extreme(llvm::Intrinsic::umax, Form::with_zeros);
      case llvm::Intrinsic::vector_reduce_add:
        return total(llvm::Instruction::Add);
      case llvm::Intrinsic::vector_reduce_mul:
        return total(llvm::Instruction::Mul);
      case llvm::Intrinsic::vector_reduce_and:
        return total(llvm::Instruction::And);
      case llvm::Intrinsic::vector_reduce_or:
        return total(llvm::Instruction::Or);
      case llvm::Intrinsic::vector_reduce_xor:
        return total(llvm::Instruction::Xor);
      default:
        return false;
    }
  }

  // Computes -1, 0 or 1 for two integers of any size.
  void rewrite_order(Builder& b, llvm::IntrinsicInst& call) {
    const bool is_signed = call.getIntrinsicID() == llvm::Intrinsic::scmp;
    Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
    if (!is_narrow(call.getType()) && !is_narrow(x->getType())) return;
    const auto operand = [&](Value* v, unsigned i) -> Value* {
      if (is_narrow(v->getType())) return get(v, i, is_signed ? Form::with_sign : Form::with_zeros);
      return v->getType()->isVectorTy() ? b.CreateExtractElement(v, i) : v;
    };
    const auto order = [&](unsigned i) {
      Value *left = operand(x, i), *right = operand(y, i);
      Value* more = is_signed ? b.CreateICmpSGT(left, right) : b.CreateICmpUGT(left, right);
      Value* less = is_signed ? b.CreateICmpSLT(left, right) : b.CreateICmpULT(left, right);
      return b.CreateSub(b.CreateZExt(more, i32(b)), b.CreateZExt(less, i32(b)));
    };
    if (is_narrow(call.getType())) return replace(call, order);
    llvm::Type* to = call.getType()->getScalarType();
    replace_wide(b, call, [&](unsigned i) { return b.CreateSExtOrTrunc(order(i), to); });
  }

  llvm::Function& function_;
  std::map<Value*, Lanes> lanes_;
  std::vector<llvm::Instruction*> replaced_;
};

}  // namespace

void make_integers_exact(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    spell_abs(function);
    Widening(function).run();
  }
}

}  // namespace tutti::codegen
