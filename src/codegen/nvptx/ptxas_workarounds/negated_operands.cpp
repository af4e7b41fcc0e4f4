#include "codegen/nvptx/ptxas_workarounds/negated_operands.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <vector>

#include "codegen/emit/each_lane.hpp"

namespace tutti::codegen {
namespace {

// Negates by inline assembly, which LLVM does not analyse.
llvm::Value* negated(llvm::IRBuilder<>& b, llvm::Value* value) {
  llvm::Type* type = value->getType();
  const bool narrow = type->isIntegerTy(16);
  auto* code = llvm::InlineAsm::get(
      llvm::FunctionType::get(type, {type}, false),
      narrow ? "not.b16 $0, $1; add.s16 $0, $0, 1;" : "not.b32 $0, $1; add.s32 $0, $0, 1;",
      narrow ? "=h,h" : "=r,r", false);
  return b.CreateCall(code, {value});
}

bool is_affected(const llvm::MinMaxIntrinsic& extreme) {
  const llvm::Type* element = extreme.getType()->getScalarType();
  return extreme.isSigned() && (element->isIntegerTy(16) || element->isIntegerTy(32));
}

}  // namespace

void keep_negated_operands(llvm::Module& module) {
  std::vector<llvm::MinMaxIntrinsic*> extremes;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* extreme = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction))
          if (is_affected(*extreme)) extremes.push_back(extreme);
  for (llvm::MinMaxIntrinsic* extreme : extremes)
    for (unsigned side : {0u, 1u}) {
      llvm::Value* value = nullptr;
      using namespace llvm::PatternMatch;
      if (!match(extreme->getArgOperand(side), m_Neg(m_Value(value)))) continue;
      llvm::IRBuilder<> b(extreme);
      extreme->setArgOperand(
          side, each_lane(b, value, [&](llvm::Value* lane) { return negated(b, lane); }));
    }
}

}  // namespace tutti::codegen
