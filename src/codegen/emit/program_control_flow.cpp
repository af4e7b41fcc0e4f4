// Branches, loops and jumps of a program: as branches where all lanes agree, by masks of active
// lanes where they do not.
#include <algorithm>

#include "codegen/emit/branches.hpp"
#include "codegen/emit/program_emitter.hpp"

namespace tutti::codegen {

using ir::StatementKind;
using llvm::Value;

namespace {

// Returns whether lanes may wait for the step of the loop that the block is the body of.
bool has_next(const ir::Block& block) {
  return std::ranges::any_of(block, [](const ir::Statement& s) {
    return s.kind == StatementKind::next ||
           (s.kind == StatementKind::branch && std::ranges::any_of(s.blocks, has_next));
  });
}

}  // namespace

bool ProgramEmitter::emit_uniform_branch(const Statement& s) {
  auto* yes = new_block("then");
  auto* no = new_block("else");
  auto* after = new_block("endif");
  b_.CreateCondBr(plain(s.inputs[0]), yes, no);
  bool may_be_inactive = false;
  b_.SetInsertPoint(yes);
  may_be_inactive |= emit_block(s.blocks[0]);
  b_.CreateBr(after);
  b_.SetInsertPoint(no);
  may_be_inactive |= emit_block(s.blocks[1]);
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  return may_be_inactive;
}

bool ProgramEmitter::emit_branch(const Statement& s) {
  Value* before = active();
  Value* condition = for_lanes(s.inputs[0]);
  Value* masks[] = {b_.CreateAnd(before, condition), b_.CreateAnd(before, b_.CreateNot(condition))};
  // IF (...) { BREAK; } only deactivates lanes.
  const auto only_leaves = [](const ir::Block& block) {
    return block.size() == 1 && block[0].kind == StatementKind::leave;
  };
  for (int side = 0; side < 2; ++side)
    if (only_leaves(s.blocks[static_cast<size_t>(side)]) &&
        s.blocks[static_cast<size_t>(1 - side)].empty()) {
      set_active(masks[1 - side]);
      return true;
    }
  bool jumps = false;
  Value* left[2];
  for (int side = 0; side < 2; ++side) {
    const ir::Block& block = s.blocks[static_cast<size_t>(side)];
    left[side] = masks[side];
    if (block.empty()) continue;
    set_active(masks[side]);
    bool block_jumps = false;
    emit_if(b_, any(masks[side]), [&] { block_jumps = emit_block(block); });
    if (block_jumps) left[side] = active();
    jumps |= block_jumps;
  }
  set_active(jumps ? b_.CreateOr(left[0], left[1]) : before);
  return jumps;
}

void ProgramEmitter::emit_uniform_loop(const Statement& s) {
  auto* body = new_block("loop");
  Loop loop;
  loop.uniform = true;
  loop.step = new_block("step");
  loop.exit = new_block("left");
  loops_.push_back(loop);
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
  emit_block(s.blocks[0]);
  b_.CreateBr(loop.step);
  b_.SetInsertPoint(loop.step);
  emit_block(s.blocks[1]);
  b_.CreateBr(body);
  loops_.pop_back();
  b_.SetInsertPoint(loop.exit);
}

// Emits a loop. At least one lane is active whenever its body is entered.
void ProgramEmitter::emit_loop(const Statement& s) {
  const bool waits = has_next(s.blocks[0]);
  Value* before = active();
  Value* none = zero_of(before->getType());
  auto* body = new_block("loop");
  auto* end_of_body = new_block("next");
  Loop loop;
  loop.exit = new_block("left");
  if (waits) {
    loop.waiting = allocate(before->getType());
    b_.CreateStore(none, loop.waiting);
  }
  loops_.push_back(loop);
  const auto go_on_if_active = [&](llvm::BasicBlock* target) {
    b_.CreateCondBr(any(active()), target, loop.exit);
  };
  b_.CreateBr(body);
  b_.SetInsertPoint(body);
  const bool may_be_inactive = emit_block(s.blocks[0], waits ? end_of_body : loop.exit);
  b_.CreateBr(end_of_body);
  b_.SetInsertPoint(end_of_body);
  if (waits) {
    set_active(b_.CreateOr(active(), b_.CreateLoad(before->getType(), loop.waiting)));
    b_.CreateStore(none, loop.waiting);
  }
  bool check = waits || may_be_inactive;
  if (!s.blocks[1].empty()) {
    if (check) {
      auto* step = new_block("step");
      go_on_if_active(step);
      b_.SetInsertPoint(step);
    }
    check = emit_block(s.blocks[1], loop.exit);
  }
  if (check)
    go_on_if_active(body);
  else
    b_.CreateBr(body);
  loops_.pop_back();
  b_.SetInsertPoint(loop.exit);
  set_active(before);
}

void ProgramEmitter::emit_jump(const Statement& s) {
  const Loop& loop = loops_.back();
  if (loop.uniform) {
    b_.CreateBr(s.kind == StatementKind::leave ? loop.exit : loop.step);
    b_.SetInsertPoint(new_block("unreachable"));  // for statements after the jump
    return;
  }
  Value* now = active();
  if (s.kind == StatementKind::next)
    b_.CreateStore(b_.CreateOr(now, b_.CreateLoad(now->getType(), loop.waiting)), loop.waiting);
  set_active(zero_of(now->getType()));
}

}  // namespace tutti::codegen
