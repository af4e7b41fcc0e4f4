#include "codegen/emit/program_emitter.hpp"

#include "codegen/emit/branches.hpp"

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

// Computes the values that are likely to be uniform, and tests them. The program is emitted a
// second time for lanes for which the test holds, and continues after the test for others.
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

// Returns whether the values that were computed for all lanes equal the given ones.
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
