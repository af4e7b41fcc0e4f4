#include "codegen/emit/row_emitter.hpp"

#include "codegen/emit/branches.hpp"

#include <algorithm>

#include "codegen/emit/choose_lanes.hpp"
#include "codegen/emit/read_inside_only.hpp"
#include "codegen/gpu/isa.hpp"
#include "graph/node.hpp"

namespace tutti::codegen {
namespace {

using compiler::IndexExpr;
using compiler::Instruction;
using llvm::Value;

// Fewer choices cost less than the careful code of rows near the border. (A single test may also be
// that of a written section, most of whose rows are outside.)
constexpr int least_row_tests = 8;

}  // namespace

RowEmitter::RowEmitter(Builder& builder, const compiler::Kernel& kernel, const Machine& machine,
                       Value* words)
    : builder_(builder),
      kernel_(kernel),
      layout_(kernel),
      rules_(inner_rules(kernel)),
      machine_(machine),
      words_(words),
      lanes_(choose_lanes(kernel, machine)) {
  int row_tests = 0;
  for (int i = 0; i < static_cast<int>(kernel.code.size()); ++i) {
    levels_.push_back(level_of(i));
    const Instruction& in = kernel.code[static_cast<size_t>(i)];
    const bool tests = levels_.back() == 1 && in.kind == Instruction::Kind::inside;
    const bool joins = in.kind == Instruction::Kind::op && in.op == Op::logical_and &&
                       is_row_test_[static_cast<size_t>(in.inputs[0])] &&
                       is_row_test_[static_cast<size_t>(in.inputs[1])];
    is_row_test_.push_back(tests || joins);
    row_tests += tests;
  }
  fast_rows_are_inside_ = !builder.gpu() && row_tests >= least_row_tests;
  read_inside_only_ = loads_read_inside_only(kernel);
  find_pairs();
  careful_only_ = machine.masks && !kernel.streaming && !rules_.any() && !fast_rows_are_inside_ &&
                  has_heavy_body(kernel);
  arguments_block_ = builder.GetInsertBlock();
  auto* next =
      llvm::BasicBlock::Create(builder.getContext(), "start", arguments_block_->getParent());
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
}

int RowEmitter::index_level(int index) const {
  const IndexExpr& e = kernel_.indices[index];
  if (e.is_fixed()) return 0;
  if (e.dim == kernel_.inner() || e.step) return 2;
  if (e.follows_axis() && e.source >= 0) return index_level(e.source);
  if (e.follows_axis()) return 1;
  if (e.kind == IndexExpr::Kind::gathered) return levels_[e.source];
  return index_level(e.source);
}

int RowEmitter::level_of(int instruction) const {
  const Instruction& in = kernel_.code[instruction];
  switch (in.kind) {
    case Instruction::Kind::constant:
      return kernel_.repeat.scalars.count(instruction) ? 2 : 0;
    case Instruction::Kind::carried:
    case Instruction::Kind::after:
    case Instruction::Kind::previous:
      return 2;
    case Instruction::Kind::index:
    case Instruction::Kind::inside:
      return index_level(in.slot);
    case Instruction::Kind::load: {
      int level = 0;
      for (const auto& axis : kernel_.loads[in.slot].axes)
        level = std::max(level, index_level(axis.index));
      return level;
    }
    case Instruction::Kind::program: {
      int level = 0;
      for (int argument : kernel_.programs[in.slot].arguments)
        level = std::max(level, levels_[argument]);
      return level;
    }
    default: {
      int level = 0;
      for (int input : in.inputs)
        if (input >= 0) level = std::max(level, levels_[input]);
      return level;
    }
  }
}

Value* RowEmitter::product_of_extents(int first, int last) {
  Value* result = i64(1);
  for (int dim = first; dim < last; ++dim) result = builder_.CreateMul(result, extent(dim));
  return result;
}

// Loads each argument once, in the first block of the function.
Value* RowEmitter::load_word(int position, llvm::Type* type) {
  Value*& loaded = loaded_words_[position];
  if (loaded) return loaded;
  Builder first(arguments_block_->getTerminator());
  Value* address =
      first.CreateConstInBoundsGEP1_64(first.getInt64Ty(), words_, static_cast<uint64_t>(position));
  if (type->isPointerTy() && type->getPointerAddressSpace() != 0)
    return loaded = first.CreateIntToPtr(first.CreateLoad(first.getInt64Ty(), address), type);
  return loaded = first.CreateLoad(type, address);
}

// Marks loads of a GPU as invariant: the arrays that a kernel reads do not change while a thread
// runs. This enables the read-only path of the caches.
Value* RowEmitter::load_elements(llvm::Type* type, Value* address, llvm::Align align) {
  auto* load = builder_.CreateAlignedLoad(type, address, align);
  if (builder_.gpu())
    load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                      llvm::MDNode::get(builder_.getContext(), {}));
  return load;
}

void RowEmitter::emit_point(Value* j, Value* mask, bool careful, const Store& store) {
  inner_ = {j, mask, nullptr, careful};
  emit_outputs(store);
}

Value* RowEmitter::word(int position) { return load_word(position, builder_.getInt64Ty()); }
Value* RowEmitter::pointer_word(int position) {
  return load_word(position,
                   builder_.getPtrTy(builder_.gpu() ? builder_.gpu()->global_memory() : 0));
}

// ---- levels

void RowEmitter::emit_entry() { emit_level(0); }

void RowEmitter::emit_row(const std::vector<Value*>& coordinates) {
  set_coordinates(coordinates);
  emit_level(1);
}

void RowEmitter::set_coordinates(const std::vector<Value*>& coordinates) {
  coordinates_ = coordinates;
  emitted_[1] = {};
}

// Emits all values of a level at its position, including splats and addresses that inner code
// needs: no later pass hoists them out of loops.
void RowEmitter::emit_level(int level) {
  for (size_t i = 0; i < kernel_.code.size(); ++i)
    if (levels_[i] == level) emit(static_cast<int>(i));
  for (size_t i = 0; i < kernel_.code.size(); ++i) {
    if (levels_[i] != 2) continue;
    for (int input : kernel_.code[i].inputs)
      if (input >= 0 && levels_[input] == level) operand(input, 2);
    if (kernel_.code[i].kind == Instruction::Kind::load) {
      const compiler::Load& load = kernel_.loads[kernel_.code[i].slot];
      int highest = 0;
      for (const auto& axis : load.axes)
        if (index_level(axis.index) < 2) highest = std::max(highest, index_level(axis.index));
      if (highest == level) row_pointer(load);
    }
  }
  const auto wanted_in_lanes = [&](int instruction) {
    if (levels_[instruction] == level) operand(instruction, 2);
  };
  for (const compiler::Output& output : kernel_.outputs) wanted_in_lanes(output.instruction);
  for (const auto& carried : kernel_.repeat.carried) {
    wanted_in_lanes(carried.before);
    wanted_in_lanes(carried.next);
  }
  for (size_t i = 0; i < kernel_.indices.size(); ++i)
    if (index_level(static_cast<int>(i)) == level) scalar_index(static_cast<int>(i));
}

// Returns whether all rows that instructions test are inside, or null if fast code tests them.
Value* RowEmitter::rows_are_inside() {
  if (!fast_rows_are_inside_) return nullptr;
  Value* all = builder_.getTrue();
  for (size_t i = 0; i < kernel_.code.size(); ++i)
    if (is_row_test_[i] && kernel_.code[i].kind == Instruction::Kind::inside)
      all = builder_.CreateAnd(all, emit(static_cast<int>(i)));
  return all;
}

// Returns where careful code for [from, to) ends. It is valid everywhere, so it completes its last
// vector: the vectors of a fast segment after it begin at a multiple of their length, if that takes
// no more vectors of careful code.
Value* RowEmitter::completed(Value* from, Value* to, Value* end) {
  const auto rounded = [&](Value* count) {
    return builder_.CreateAnd(builder_.CreateAdd(count, i64(lanes_ - 1)), i64(-lanes_));
  };
  const auto least = [&](Value* a, Value* b) {
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  };
  Value* whole = builder_.CreateAdd(from, rounded(builder_.CreateSub(to, from)));
  return least(least(rounded(to), whole), end);
}

void RowEmitter::emit_columns(Value* begin, Value* end, const Store& store) {
  Value* const rows_inside = rows_are_inside();
  if (!rules_.any()) {
    emit_vectors(begin, end, rows_inside, nullptr, nullptr, store);
    return;
  }
  const int64_t record = compiler::segment_header + static_cast<int64_t>(rules_.wraps.size());
  Value* segments = pointer_word(layout_.segments());
  Value* count = builder_.CreateMul(word(layout_.segment_count()), i64(record));
  // The start of the next segment: a fast segment leaves less than a vector to a slow one after it.
  llvm::AllocaInst* position = allocate(builder_.getInt64Ty());
  builder_.CreateStore(begin, position);
  loop(i64(0), count, record, [&](Value* at) {
    Value* segment = builder_.CreateGEP(builder_.getInt64Ty(), segments, at);
    const auto field = [&](int k) {
      return builder_.CreateLoad(
          builder_.getInt64Ty(),
          builder_.CreateConstGEP1_64(builder_.getInt64Ty(), segment, static_cast<uint64_t>(k)));
    };
    Value* from = builder_.CreateLoad(builder_.getInt64Ty(), position);
    Value* to = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, field(1), end);
    to = builder_.CreateSelect(builder_.CreateICmpEQ(field(2), i64(0)), completed(from, to, end),
                               to);
    if_then(builder_.CreateICmpSLT(from, to), [&] {
      Value* fast = builder_.CreateICmpNE(field(2), i64(0));
      if (rows_inside) fast = builder_.CreateAnd(fast, rows_inside);
      Value* leaves =
          builder_.CreateAnd(builder_.CreateICmpEQ(field(2), i64(compiler::fast_before_slow)),
                             builder_.CreateICmpEQ(to, field(1)));
      leaves = builder_.CreateAnd(leaves, builder_.CreateICmpSLT(to, end));
      builder_.CreateStore(emit_vectors(from, to, fast, leaves, segment, store), position);
    });
  });
}

llvm::AllocaInst* RowEmitter::allocate(llvm::Type* type) {
  Builder first(arguments_block_, arguments_block_->begin());
  return first.CreateAlloca(type);
}

Value* RowEmitter::emit_vectors(Value* begin, Value* end, Value* fast, Value* leaves,
                                Value* segment, const Store& store) {
  // Fast code computes the whole vectors of [aligned, whole), careful code the rest.
  // Streaming stores must start at a multiple of the vector length.
  Value* aligned = begin;
  if (kernel_.streaming && rules_.any()) {
    Value* rounded = builder_.CreateAnd(builder_.CreateAdd(begin, i64(lanes_ - 1)), i64(-lanes_));
    aligned = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, rounded, end);
  }
  Value* whole = builder_.CreateAdd(
      aligned, builder_.CreateAnd(builder_.CreateSub(end, aligned), i64(-lanes_)));
  if (fast) {
    aligned = builder_.CreateSelect(fast, aligned, begin);
    whole = builder_.CreateSelect(fast, whole, begin);
  }
  if (careful_only_)
    whole = begin;
  else
    loop(aligned, whole, lanes_, [&](Value* j) {
      inner_ = {j, nullptr, segment, false};
      assumes_rows_inside_ = fast_rows_are_inside_;
      emit_outputs(store);
      assumes_rows_inside_ = false;
    });
  // The part before `aligned` is shorter than a vector: one iteration, then the part after.
  Value* has_head = builder_.CreateICmpSLT(begin, aligned);
  Value* start = builder_.CreateSelect(has_head, begin, whole);
  Value* stop = leaves ? builder_.CreateSelect(leaves, whole, end) : end;
  loop_with(start, stop, [&](Value* j) {
    Value* in_head = builder_.CreateICmpSLT(j, aligned);
    inner_ = {j, lane_mask(j, builder_.CreateSelect(in_head, aligned, stop)), segment, true};
    emit_outputs(store);
    return builder_.CreateSelect(in_head, whole, builder_.CreateAdd(j, i64(lanes_)));
  });
  return stop;
}

void RowEmitter::emit_outputs(const Store& store) {
  forget_points();
  const auto end = static_cast<int>(kernel_.code.size());
  if (kernel_.repeat.steps) {
    emit_instructions(0, kernel_.repeat.first);
    emit_repeat();
    emit_instructions(kernel_.repeat.last, end);
  } else {
    emit_instructions(0, end);
  }
  for (size_t o = 0; o < kernel_.outputs.size(); ++o)
    store(static_cast<int>(o), operand(kernel_.outputs[o].instruction, 2), inner_.j, inner_.mask);
}

void RowEmitter::emit_instructions(int first, int last) {
  for (int i = first; i < last; ++i)
    if (levels_[i] == 2) emit(i);
}

// Carried values are the first instructions of an iteration, and their final values are the first
// instructions after the loop.
void RowEmitter::emit_repeat() {
  const compiler::Repeat& repeat = kernel_.repeat;
  std::vector<Value*> first;
  for (const auto& carried : repeat.carried) first.push_back(operand(carried.before, 2));
  const auto set = [&](int instruction, const std::vector<Value*>& values) {
    for (size_t c = 0; c < values.size(); ++c)
      emitted_[2].values[instruction + static_cast<int>(c)] = values[c];
  };
  const std::vector<Value*> left =
      emit_steps(builder_, repeat.steps, first, [&](Value* step, const auto& given) {
        step_ = step;
        set(repeat.first, given);
        emit_instructions(repeat.first, repeat.last);
        std::vector<Value*> next;
        for (const auto& carried : repeat.carried) next.push_back(operand(carried.next, 2));
        return next;
      });
  step_ = nullptr;
  set(repeat.last, left);
}

// ---- control flow

Value* RowEmitter::lane_mask(Value* j, Value* end) {
  // Lanes are compared in 32 bits: the rest of a row may exceed that range, a vector does not.
  return first_lanes(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                                    builder_.CreateSub(end, j), i64(lanes_)));
}

Value* RowEmitter::first_lanes(Value* count) {
  return builder_.CreateICmpSLT(lane_numbers(builder_.getInt32Ty()),
                                splat(builder_.CreateTrunc(count, builder_.getInt32Ty())));
}

llvm::Constant* RowEmitter::lane_numbers(llvm::Type* element) {
  if (lanes_ == 1) return llvm::ConstantInt::get(element, 0);
  std::vector<llvm::Constant*> numbers;
  for (int lane = 0; lane < lanes_; ++lane)
    numbers.push_back(llvm::ConstantInt::get(element, static_cast<uint64_t>(lane)));
  return llvm::ConstantVector::get(numbers);
}

void RowEmitter::loop(Value* begin, Value* end, int64_t step,
                      const std::function<void(Value*)>& body) {
  loop_with(begin, end, [&](Value* i) {
    body(i);
    return builder_.CreateAdd(i, i64(step));
  });
}

void RowEmitter::loop_with(Value* begin, Value* end, const std::function<Value*(Value*)>& body) {
  llvm::Function* function = builder_.GetInsertBlock()->getParent();
  auto& context = builder_.getContext();
  auto* before = builder_.GetInsertBlock();
  auto* inside = llvm::BasicBlock::Create(context, "loop", function);
  auto* after = llvm::BasicBlock::Create(context, "done", function);
  builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), inside, after);
  builder_.SetInsertPoint(inside);
  auto* i = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  i->addIncoming(begin, before);
  Value* next = body(i);
  i->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpSLT(next, end), inside, after);
  builder_.SetInsertPoint(after);
}

void RowEmitter::if_then(Value* condition, const std::function<void()>& body) {
  emit_if(builder_, condition, body);
}

}  // namespace tutti::codegen
