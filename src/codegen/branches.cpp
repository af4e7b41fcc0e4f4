#include "codegen/branches.hpp"

namespace tutti::codegen {
namespace {

llvm::BasicBlock* new_block(Builder& b, const char* name) {
  return llvm::BasicBlock::Create(b.getContext(), name, b.GetInsertBlock()->getParent());
}

void emit_block(Builder& b, llvm::BasicBlock* block, const std::function<void()>& body,
                llvm::BasicBlock* after) {
  b.SetInsertPoint(block);
  body();
  b.CreateBr(after);
}

}  // namespace

void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes) {
  auto *inside = new_block(b, "then"), *after = new_block(b, "end");
  b.CreateCondBr(condition, inside, after);
  emit_block(b, inside, yes, after);
  b.SetInsertPoint(after);
}

void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes,
             const std::function<void()>& no) {
  auto *first = new_block(b, "then"), *second = new_block(b, "else"), *after = new_block(b, "end");
  b.CreateCondBr(condition, first, second);
  emit_block(b, first, yes, after);
  emit_block(b, second, no, after);
  b.SetInsertPoint(after);
}

}  // namespace tutti::codegen
