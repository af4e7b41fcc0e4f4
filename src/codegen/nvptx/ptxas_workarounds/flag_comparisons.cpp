#include "codegen/nvptx/ptxas_workarounds/flag_comparisons.hpp"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <map>
#include <vector>

namespace tutti::codegen {
namespace {

using llvm::Value;

constexpr size_t most_flags = 4;          // 16 rows of a truth table
constexpr size_t most_instructions = 32;  // of one comparison

bool is_flag(const Value* value) { return value->getType()->getScalarType()->isIntegerTy(1); }

// Returns whether an integer instruction is pure: it can be evaluated for known flags.
bool computes(const llvm::Instruction& in) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&in))
    return llvm::isa<llvm::MinMaxIntrinsic>(call);
  return llvm::isa<llvm::BinaryOperator, llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst,
                   llvm::SelectInst>(in);
}

// A comparison and the instructions that compute its operands, in order of dependence.
class FlagComparison {
 public:
  explicit FlagComparison(llvm::ICmpInst& comparison) : comparison_(comparison) {}

  // Returns false if it depends on anything but flags and constants, or on too many of them.
  bool analyse() {
    return add(comparison_.getOperand(0)) && add(comparison_.getOperand(1)) && !flags_.empty();
  }

  void replace() {
    fill_table();
    llvm::IRBuilder<> b(&comparison_);
    Value* result = logic(b, 0, 0);
    comparison_.replaceAllUsesWith(result);
    comparison_.eraseFromParent();
  }

 private:
  bool add(Value* value) {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
      return !constant->getType()->isVectorTy() || constant->getSplatValue();
    if (is_flag(value)) {
      if (std::find(flags_.begin(), flags_.end(), value) == flags_.end()) flags_.push_back(value);
      return flags_.size() <= most_flags;
    }
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !computes(*instruction)) return false;
    if (std::find(order_.begin(), order_.end(), instruction) != order_.end()) return true;
    const bool known = std::all_of(instruction->op_begin(), instruction->op_end(), [&](Value* v) {
      return llvm::isa<llvm::Function>(v) || add(v);
    });
    order_.push_back(instruction);
    return known && order_.size() <= most_instructions;
  }

  // Evaluates all rows of the truth table: bit i of row r is flag i.
  void fill_table() {
    const llvm::DataLayout& layout = comparison_.getModule()->getDataLayout();
    for (size_t row = 0; row < size_t{1} << flags_.size(); ++row) {
      std::map<Value*, llvm::Constant*> known;
      for (size_t i = 0; i < flags_.size(); ++i)
        known[flags_[i]] = llvm::ConstantInt::get(flags_[i]->getType(), row >> i & 1);
      const auto constant = [&](Value* value) {
        const auto found = known.find(value);
        return found != known.end() ? found->second : llvm::cast<llvm::Constant>(value);
      };
      for (llvm::Instruction* in : order_) {
        std::vector<llvm::Constant*> operands;
        for (Value* operand : in->operands()) operands.push_back(constant(operand));
        known[in] = llvm::ConstantFoldInstOperands(in, operands, layout);
      }
      const llvm::Constant* result = llvm::ConstantFoldCompareInstOperands(
          comparison_.getPredicate(), constant(comparison_.getOperand(0)),
          constant(comparison_.getOperand(1)), layout);
      table_.push_back(result && result->isOneValue());  // false is correct for an undefined result
    }
  }

  // Emits the rows whose flags before `flag` are the bits of `row`, as logic of the other flags.
  Value* logic(llvm::IRBuilder<>& b, size_t flag, size_t row) {
    if (flag == flags_.size()) return llvm::ConstantInt::get(comparison_.getType(), table_[row]);
    Value* when_false = logic(b, flag + 1, row);
    Value* when_true = logic(b, flag + 1, row | size_t{1} << flag);
    if (when_false == when_true) return when_false;
    Value* is_true = b.CreateAnd(flags_[flag], when_true);
    Value* is_false = b.CreateAnd(b.CreateNot(flags_[flag]), when_false);
    return b.CreateOr(is_true, is_false);
  }

  llvm::ICmpInst& comparison_;
  std::vector<Value*> flags_;
  std::vector<llvm::Instruction*> order_;
  std::vector<bool> table_;
};

}  // namespace

void compare_flags_as_logic(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
        if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
          FlagComparison found(*comparison);
          if (found.analyse()) found.replace();
        }
}

}  // namespace tutti::codegen
