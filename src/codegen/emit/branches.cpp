#include "codegen/emit/branches.hpp"

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

// Metadata that disables unrolling: callers of emit_steps() have decided against it.
llvm::MDNode* not_unrolled(llvm::LLVMContext& context) {
  auto* off = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, {nullptr, off});
  loop->replaceOperandWith(0, loop);
  return loop;
}

}  // namespace

std::vector<llvm::Value*> emit_steps(
    Builder& b, int64_t steps, const std::vector<llvm::Value*>& first,
    const std::function<std::vector<llvm::Value*>(llvm::Value*, const std::vector<llvm::Value*>&)>&
        body) {
  llvm::BasicBlock* before = b.GetInsertBlock();
  auto *loop = new_block(b, "step"), *after = new_block(b, "after_steps");
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  const auto phi = [&](llvm::Value* start) {
    llvm::PHINode* node = b.CreatePHI(start->getType(), 2);
    node->addIncoming(start, before);
    return node;
  };
  llvm::PHINode* number = phi(b.getInt64(0));
  std::vector<llvm::PHINode*> phis;
  for (llvm::Value* value : first) phis.push_back(phi(value));
  const std::vector<llvm::Value*> left = body(number, {phis.begin(), phis.end()});
  llvm::Value* next = b.CreateAdd(number, b.getInt64(1));
  for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(left[i], b.GetInsertBlock());
  number->addIncoming(next, b.GetInsertBlock());
  llvm::Value* more = b.CreateICmpULT(next, b.getInt64(static_cast<uint64_t>(steps)));
  b.CreateCondBr(more, loop, after)
      ->setMetadata(llvm::LLVMContext::MD_loop, not_unrolled(b.getContext()));
  b.SetInsertPoint(after);
  return left;
}

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

llvm::Value* emit_choice(Builder& b, llvm::Value* condition,
                         const std::function<llvm::Value*()>& yes,
                         const std::function<llvm::Value*()>& no) {
  llvm::Value* values[2] = {};
  llvm::BasicBlock* from[2] = {};
  const auto leave = [&](int side, llvm::Value* value) {
    values[side] = value;
    from[side] = b.GetInsertBlock();
  };
  emit_if(b, condition, [&] { leave(0, yes()); }, [&] { leave(1, no()); });
  llvm::PHINode* phi = b.CreatePHI(values[0]->getType(), 2);
  for (int side = 0; side < 2; ++side) phi->addIncoming(values[side], from[side]);
  return phi;
}

}  // namespace tutti::codegen
