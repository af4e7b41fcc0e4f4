#include "codegen/emit/program_emitter.hpp"

#include "codegen/emit/bound_index.hpp"
#include "codegen/emit/branches.hpp"
#include "codegen/emit/scattered_loads.hpp"

namespace tutti::codegen {

using ir::StatementKind;
using llvm::Value;

namespace {

// With one lane everything is uniform.
ProgramEmitter::Arguments for_place(ProgramEmitter::Arguments arguments,
                                    const ProgramPlace& place) {
  if (place.lanes == 1) arguments.uniform.assign(arguments.uniform.size(), true);
  return arguments;
}

}  // namespace

ProgramEmitter::ProgramEmitter(Builder& builder, const ir::ScalarProgram& program,
                               const ProgramPlace& place, const Arguments& arguments,
                               std::vector<ProgramTable> tables, Given given)
    : b_(builder),
      program_(program),
      place_(place),
      arguments_(for_place(arguments, place)),
      given_(std::move(given)),
      uniformity_(program, arguments_.uniform, arguments_.consecutive, given_.assumed),
      tables_(std::move(tables)),
      values_(program.values.size(), nullptr) {
  std::copy(arguments.values.begin(), arguments.values.end(), values_.begin());
}

std::vector<Value*> ProgramEmitter::emit() {
  declare_places();
  if (place_.lanes > 1 && given_.values.empty()) {
    const ir::LikelyUniform likely =
        ir::find_likely_uniform(program_, uniformity_, arguments_.uniform, arguments_.consecutive);
    if (!likely.empty()) return emit_two_versions(likely);
  }
  emit_block(program_.body);
  return load_outputs();
}

void ProgramEmitter::declare_places() {
  for (int s = 0; s < static_cast<int>(program_.slots.size()); ++s) {
    slots_.push_back(allocate(slot_type(s)));
    b_.CreateStore(zero_of(slot_type(s)), slots_.back());
  }
  for (const auto& array : program_.arrays) {
    auto* type =
        llvm::ArrayType::get(lanes_of(memory_of(array.type)), static_cast<uint64_t>(array.size));
    arrays_.push_back(allocate(type));
  }
  if (place_.lanes > 1) {
    llvm::Type* mask = lanes_of(b_.getInt1Ty());
    active_ = allocate(mask);
    set_active(place_.mask ? place_.mask : llvm::ConstantInt::getTrue(mask));
  }
}

std::vector<Value*> ProgramEmitter::load_outputs() {
  std::vector<Value*> outputs;
  for (int slot : program_.outputs) {
    Value* result = b_.CreateLoad(slot_type(slot), slots_[static_cast<size_t>(slot)]);
    outputs.push_back(uniformity_.slot(slot) ? splat(result) : result);
  }
  return outputs;
}

// ---- programs whose lanes agree most of the time

// What is likely is computed and tested first. The program is emitted anew for lanes that it holds
// for, and goes on behind the test for others.
std::vector<Value*> ProgramEmitter::emit_two_versions(const ir::LikelyUniform& likely) {
  const Statement* const rest = program_.body.data() + likely.prefix;
  emit_statements(program_.body.data(), rest, nullptr);
  const Given given = given_by(likely);
  std::vector<Value*> outputs[2];
  llvm::BasicBlock* from[2] = {};
  const auto leave = [&](size_t version, std::vector<Value*> values) {
    outputs[version] = std::move(values);
    from[version] = b_.GetInsertBlock();
  };
  emit_if(
      b_, holds(given),
      [&] { leave(0, ProgramEmitter(b_, program_, place_, arguments_, tables_, given).emit()); },
      [&] {
        emit_statements(rest, program_.body.data() + program_.body.size(), nullptr);
        leave(1, load_outputs());
      });
  std::vector<Value*> result;
  for (size_t o = 0; o < outputs[0].size(); ++o) {
    llvm::PHINode* phi = b_.CreatePHI(outputs[0][o]->getType(), 2);
    for (size_t version = 0; version < 2; ++version)
      phi->addIncoming(outputs[version][o], from[version]);
    result.push_back(phi);
  }
  return result;
}

ProgramEmitter::Given ProgramEmitter::given_by(const ir::LikelyUniform& likely) {
  Given given{likely.assumed, {}};
  for (size_t v = 0; v < values_.size(); ++v) {
    if (likely.assumed.uniform[v])
      given.values[static_cast<int>(v)] = b_.CreateExtractElement(values_[v], uint64_t{0});
    if (likely.assumed.consecutive[v]) given.values[static_cast<int>(v)] = values_[v];
  }
  return given;
}

// Whether the values that were computed for all lanes are as they are given.
Value* ProgramEmitter::holds(const Given& given) {
  Value* result = nullptr;
  for (const auto& [v, value] : given.values) {
    Value* computed = plain(v);
    llvm::Type* type = computed->getType();
    std::vector<llvm::Constant*> lanes;
    for (int lane = 0; lane < place_.lanes; ++lane)
      lanes.push_back(llvm::ConstantInt::get(type->getScalarType(), static_cast<uint64_t>(lane)));
    Value* expected = splat(b_.CreateExtractElement(computed, uint64_t{0}));
    if (given.assumed.consecutive[static_cast<size_t>(v)])
      expected = b_.CreateAdd(expected, llvm::ConstantVector::get(lanes));
    Value* equal = b_.CreateAndReduce(b_.CreateICmpEQ(computed, expected));
    result = result ? b_.CreateAnd(result, equal) : equal;
  }
  return result;
}

// ---- statements

bool ProgramEmitter::emit_block(const ir::Block& block, llvm::BasicBlock* when_inactive) {
  return emit_statements(block.data(), block.data() + block.size(), when_inactive);
}

bool ProgramEmitter::emit_statements(const Statement* first, const Statement* last,
                                     llvm::BasicBlock* when_inactive) {
  bool may_be_inactive = false;
  for (const Statement* s = first; s != last; ++s) {
    if (may_be_inactive) {
      auto* rest = new_block("active");
      auto* skip = when_inactive ? when_inactive : new_block("skipped");
      b_.CreateCondBr(any(active()), rest, skip);
      b_.SetInsertPoint(rest);
      if (!when_inactive) {
        emit_statements(s, last, nullptr);
        b_.CreateBr(skip);
        b_.SetInsertPoint(skip);
        return true;
      }
    }
    may_be_inactive = emit_statement(*s);
  }
  return may_be_inactive;
}

bool ProgramEmitter::emit_statement(const Statement& s) {
  const auto give = [&](Value* result) { values_[static_cast<size_t>(s.result)] = result; };
  if (const auto known = given_.values.find(s.result);
      s.result >= 0 && known != given_.values.end()) {
    give(known->second);
    return false;
  }
  switch (s.kind) {
    case StatementKind::operation:
    case StatementKind::cast:
      give(emit_operation(s));
      return false;
    case StatementKind::gather:
      give(emit_gather(s));
      return false;
    case StatementKind::read:
      give(b_.CreateLoad(slot_type(s.place), slots_[static_cast<size_t>(s.place)]));
      return false;
    case StatementKind::assign:
      emit_assign(s);
      return false;
    case StatementKind::clear:
      emit_clear(s);
      return false;
    case StatementKind::read_element:
      give(emit_read_element(s));
      return false;
    case StatementKind::assign_element:
      emit_assign_element(s);
      return false;
    case StatementKind::branch:
      return is_uniform(s.inputs[0]) ? emit_uniform_branch(s) : emit_branch(s);
    case StatementKind::loop:
      uniformity_.loop(s) ? emit_uniform_loop(s) : emit_loop(s);
      return false;
    case StatementKind::leave:
    case StatementKind::next:
      emit_jump(s);
      return !loops_.back().uniform;
    case StatementKind::trace:
      return false;  // only the interpreter prints
  }
  return false;
}

Value* ProgramEmitter::emit_operation(const Statement& s) {
  const bool single = is_uniform(s.result);
  std::vector<Value*> operands;
  for (int input : s.inputs) operands.push_back(single ? plain(input) : for_lanes(input));
  const ElementType type = program_.values[static_cast<size_t>(s.inputs.back())];
  return s.kind == StatementKind::cast ? emit_cast(b_, operands[0], type, s.type)
                                       : emit_op(b_, s.op, type, operands);
}

void ProgramEmitter::emit_assign(const Statement& s) {
  auto* slot = slots_[static_cast<size_t>(s.place)];
  if (uniformity_.slot(s.place)) {
    b_.CreateStore(plain(s.inputs[0]), slot);
    return;
  }
  Value* assigned = for_lanes(s.inputs[0]);
  if (uniformity_.is_partial(s))
    assigned = b_.CreateSelect(active(), assigned, b_.CreateLoad(slot_type(s.place), slot));
  b_.CreateStore(assigned, slot);
}

// ---- control flow

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
  bool waits = false;
  const auto find_next = [&](const auto& self, const ir::Block& block) -> void {
    for (const Statement& inner : block) {
      waits |= inner.kind == StatementKind::next;
      if (inner.kind == StatementKind::branch)
        for (const ir::Block& side : inner.blocks) self(self, side);
    }
  };
  find_next(find_next, s.blocks[0]);
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

// ---- arrays

Value* ProgramEmitter::emit_gather(const Statement& s) {
  return reads_row(s) ? emit_row(s) : emit_lanes(s);
}

// Decides whether neighbouring lanes read neighbouring elements of one row of the table.
bool ProgramEmitter::reads_row(const Statement& s) const {
  const size_t last = tables_[static_cast<size_t>(s.place)].extents.size() - 1;
  for (size_t axis = 0; axis < last; ++axis)
    if (!is_uniform(s.inputs[axis])) return false;
  return place_.lanes > 1 && uniformity_.consecutive(s.inputs[last]);
}

// Loads a whole vector, or each lane separately if the vector exceeds its row.
Value* ProgramEmitter::emit_row(const Statement& s) {
  const ProgramTable& table = tables_[static_cast<size_t>(s.place)];
  const size_t last = table.extents.size() - 1;
  Value* first =
      b_.CreateSExt(b_.CreateExtractElement(plain(s.inputs[last]), uint64_t{0}), b_.getInt64Ty());
  Value* end = b_.CreateAdd(first, b_.getInt64(static_cast<uint64_t>(place_.lanes)));
  Value* fits = b_.CreateAnd(b_.CreateICmpSGE(first, b_.getInt64(0)),
                             b_.CreateICmpSLE(end, table.extents[last]));
  Value* offset = first;
  for (size_t axis = 0; axis < last; ++axis) {
    Value* index = b_.CreateSExt(plain(s.inputs[axis]), b_.getInt64Ty());
    if (s.boundary == Boundary::Kind::constant)
      fits = b_.CreateAnd(fits, b_.CreateICmpULT(index, table.extents[axis]));
    index = bound_index(b_, s.boundary, true, index, table.extents[axis]);
    offset = b_.CreateAdd(offset, b_.CreateMul(index, table.strides[axis]));
  }
  auto* whole = new_block("row");
  auto* parts = new_block("lanes");
  auto* after = new_block("loaded");
  b_.CreateCondBr(fits, whole, parts);
  b_.SetInsertPoint(whole);
  llvm::Type* element = memory_of(s.type);
  Value* loaded =
      b_.CreateAlignedLoad(lanes_of(element), b_.CreateGEP(element, table.pointer, offset),
                           llvm::Align(static_cast<uint64_t>(size_of(s.type))));
  loaded = from_memory(b_, loaded, s.type);
  whole = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(parts);
  Value* gathered = emit_lanes(s);
  parts = b_.GetInsertBlock();
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
  auto* result = b_.CreatePHI(loaded->getType(), 2);
  result->addIncoming(loaded, whole);
  result->addIncoming(gathered, parts);
  return result;
}

Value* ProgramEmitter::emit_lanes(const Statement& s) {
  const ProgramTable& table = tables_[static_cast<size_t>(s.place)];
  const bool single = is_uniform(s.result);
  llvm::Type* number = place_.wide_index ? b_.getInt64Ty() : b_.getInt32Ty();
  const auto fitting = [&](Value* word) {
    Value* narrow = b_.CreateTrunc(word, number);
    return single ? narrow : splat(narrow);
  };
  Value* offsets = nullptr;
  Value* all_inside = nullptr;
  for (size_t axis = 0; axis < table.extents.size(); ++axis) {
    Value* index = single ? plain(s.inputs[axis]) : for_lanes(s.inputs[axis]);
    index = b_.CreateSExt(index, single ? number : lanes_of(number));
    Value* extent = fitting(table.extents[axis]);
    if (s.boundary == Boundary::Kind::constant) {
      Value* here = b_.CreateICmpULT(index, extent);
      all_inside = all_inside ? b_.CreateAnd(all_inside, here) : here;
    }
    index = bound_index(b_, s.boundary, true, index, extent);
    Value* part = axis + 1 == table.extents.size()
                      ? index
                      : b_.CreateMul(index, fitting(table.strides[axis]));
    offsets = offsets ? b_.CreateAdd(offsets, part) : part;
  }
  Value* loaded = from_memory(b_, load_lanes(table, s.type, offsets), s.type);
  if (!all_inside) return loaded;
  Value* fill = single ? plain(s.inputs.back()) : for_lanes(s.inputs.back());
  return b_.CreateSelect(all_inside, loaded, fill);
}

// Offsets are inside of the array for all lanes, active or not.
Value* ProgramEmitter::load_lanes(const ProgramTable& table, ElementType type, Value* offsets) {
  llvm::Type* element = memory_of(type);
  const auto align = llvm::Align(static_cast<uint64_t>(size_of(type)));
  const auto load = [&](Value* offset) {
    auto* result =
        b_.CreateAlignedLoad(element, b_.CreateGEP(element, table.pointer, offset), align);
    if (table.pointer->getType()->getPointerAddressSpace() != 0)  // a GPU's read-only path
      result->setMetadata(llvm::LLVMContext::MD_invariant_load,
                          llvm::MDNode::get(b_.getContext(), {}));
    return result;
  };
  if (!offsets->getType()->isVectorTy()) return load(offsets);
  if (place_.gathers && size_of(type) >= 4)
    return b_.CreateMaskedGather(lanes_of(element), b_.CreateGEP(element, table.pointer, offsets),
                                 align, active(), zero_of(lanes_of(element)));
  if (place_.gathers) return gather_by_words(b_, element, table.pointer, offsets, active());
  Value* result = llvm::PoisonValue::get(lanes_of(element));
  for (int lane = 0; lane < place_.lanes; ++lane) {
    Value* offset = b_.CreateSExt(b_.CreateExtractElement(offsets, static_cast<uint64_t>(lane)),
                                  b_.getInt64Ty());
    result = b_.CreateInsertElement(result, load(offset), static_cast<uint64_t>(lane));
  }
  return result;
}

Value* ProgramEmitter::is_inside(const Statement& s, Value* index) {
  return b_.CreateICmpULT(
      index, llvm::ConstantInt::get(index->getType(), static_cast<uint64_t>(array_of(s).size)));
}

// Returns the address of an element for each lane: element i of lane l is at i * lanes + l.
Value* ProgramEmitter::lane_addresses(const Statement& s, Value* index) {
  std::vector<llvm::Constant*> lanes;
  for (int lane = 0; lane < place_.lanes; ++lane)
    lanes.push_back(b_.getInt32(static_cast<uint32_t>(lane)));
  Value* count = llvm::ConstantInt::get(index->getType(), static_cast<uint64_t>(place_.lanes));
  Value* offset = b_.CreateAdd(b_.CreateMul(index, count), llvm::ConstantVector::get(lanes));
  return b_.CreateGEP(memory_of(array_of(s).type), arrays_[static_cast<size_t>(s.place)], offset);
}

// Clears an array at its declaration. Inactive lanes may be cleared too: their elements are not
// used yet. It is a loop because kernels call no functions, not even memset.
void ProgramEmitter::emit_clear(const Statement& s) {
  auto* array = arrays_[static_cast<size_t>(s.place)];
  llvm::Type* element = lanes_of(memory_of(array_of(s).type));
  auto* before = b_.GetInsertBlock();
  auto* loop = new_block("clear");
  auto* after = new_block("cleared");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  auto* i = b_.CreatePHI(b_.getInt64Ty(), 2);
  i->addIncoming(b_.getInt64(0), before);
  b_.CreateStore(zero_of(element), b_.CreateGEP(element, array, i));
  Value* next = b_.CreateAdd(i, b_.getInt64(1));
  i->addIncoming(next, loop);
  Value* last = b_.getInt64(static_cast<uint64_t>(array_of(s).size));
  b_.CreateCondBr(b_.CreateICmpULT(next, last), loop, after);
  b_.SetInsertPoint(after);
}

Value* ProgramEmitter::emit_read_element(const Statement& s) {
  llvm::Type* element = lanes_of(memory_of(s.type));
  auto* array = arrays_[static_cast<size_t>(s.place)];
  if (is_uniform(s.inputs[0])) {
    Value* index = plain(s.inputs[0]);
    Value* here = is_inside(s, index);
    Value* safe = b_.CreateSelect(here, index, zero_of(index->getType()));
    Value* loaded = b_.CreateLoad(element, b_.CreateGEP(element, array, safe));
    return from_memory(b_, b_.CreateSelect(here, loaded, zero_of(element)), s.type);
  }
  Value* index = for_lanes(s.inputs[0]);
  Value* mask = b_.CreateAnd(active(), is_inside(s, index));
  Value* loaded = b_.CreateMaskedGather(element, lane_addresses(s, index),
                                        llvm::Align(static_cast<uint64_t>(size_of(s.type))), mask,
                                        zero_of(element));
  return from_memory(b_, loaded, s.type);
}

void ProgramEmitter::emit_assign_element(const Statement& s) {
  const ElementType type = array_of(s).type;
  llvm::Type* element = lanes_of(memory_of(type));
  auto* array = arrays_[static_cast<size_t>(s.place)];
  Value* assigned = to_memory(b_, for_lanes(s.inputs[1]), type);
  if (is_uniform(s.inputs[0])) {
    Value* index = plain(s.inputs[0]);
    Value* here = is_inside(s, index);
    Value* address =
        b_.CreateGEP(element, array, b_.CreateSelect(here, index, zero_of(index->getType())));
    Value* mask = place_.lanes == 1 ? here : b_.CreateAnd(active(), splat(here));
    b_.CreateStore(b_.CreateSelect(mask, assigned, b_.CreateLoad(element, address)), address);
    return;
  }
  Value* index = for_lanes(s.inputs[0]);
  b_.CreateMaskedScatter(assigned, lane_addresses(s, index),
                         llvm::Align(static_cast<uint64_t>(size_of(type))),
                         b_.CreateAnd(active(), is_inside(s, index)));
}

// ---- values

Value* ProgramEmitter::for_lanes(int v) { return is_uniform(v) ? splat(plain(v)) : plain(v); }

Value* ProgramEmitter::splat(Value* number) {
  return place_.lanes == 1 ? number
                           : b_.CreateVectorSplat(static_cast<unsigned>(place_.lanes), number);
}

llvm::Type* ProgramEmitter::lanes_of(llvm::Type* element) {
  return place_.lanes == 1
             ? element
             : llvm::FixedVectorType::get(element, static_cast<unsigned>(place_.lanes));
}

llvm::Type* ProgramEmitter::slot_type(int slot) {
  llvm::Type* element = register_of(program_.slots[static_cast<size_t>(slot)]);
  return uniformity_.slot(slot) ? element : lanes_of(element);
}

Value* ProgramEmitter::active() { return b_.CreateLoad(active_->getAllocatedType(), active_); }

llvm::AllocaInst* ProgramEmitter::allocate(llvm::Type* type) {
  Builder first(place_.allocations, place_.allocations->begin());
  return first.CreateAlloca(type);
}

llvm::BasicBlock* ProgramEmitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
}

}  // namespace tutti::codegen
