// The part of RowEmitter that emits the instructions of a kernel: constants, operations, captured
// programs and boundary tests. Loads are in row_loads.cpp.
#include "codegen/emit/program_emitter.hpp"
#include "codegen/emit/row_emitter.hpp"
#include "graph/node.hpp"

namespace tutti::codegen {

using compiler::IndexExpr;
using compiler::Instruction;
using llvm::Value;

Value* RowEmitter::emit(int instruction) {
  const int level = levels_[instruction];
  if (const auto found = emitted_[level].values.find(instruction);
      found != emitted_[level].values.end())
    return found->second;
  const Instruction& in = kernel_.code[instruction];
  Value* result = nullptr;
  switch (in.kind) {
    case Instruction::Kind::constant:
      result = from_memory(builder_, emit_constant(instruction), in.type);
      if (level == 2) result = splat(result);
      break;
    case Instruction::Kind::index:
      result = level < 2 ? scalar_index(in.slot) : vector_index(in.slot);
      result = builder_.CreateSExtOrTrunc(
          result, level < 2 ? register_type(builder_.getContext(), in.type)
                            : vector_of(register_type(builder_.getContext(), in.type)));
      break;
    case Instruction::Kind::load: {
      const compiler::Load& load = kernel_.loads[in.slot];
      result = load.source == given_source_
                   ? given_
                   : from_memory(builder_, emit_load(load, level), in.type);
      break;
    }
    case Instruction::Kind::inside:
      result = emit_inside(instruction, level);
      break;
    case Instruction::Kind::program: {
      std::vector<Value*>& outputs = emitted_[level].program_outputs[in.slot];
      if (outputs.empty()) outputs = emit_program(in.slot, level);
      result = outputs[in.output];
      break;
    }
    case Instruction::Kind::carried:
    case Instruction::Kind::after:
      throw InternalError("a value of a loop is used outside of it");
    case Instruction::Kind::previous: {
      Value* before = previous_.read(in.slot, inner_.j, inner_.mask);
      result = builder_.CreateSelect(previous_.is_first, operand(in.inputs[0], 2), before);
      break;
    }
    case Instruction::Kind::cast:
      result = emit_cast(builder_, operand(in.inputs[0], level), kernel_.code[in.inputs[0]].type,
                         in.type);
      break;
    case Instruction::Kind::op: {
      std::vector<Value*> operands;
      int last = -1;
      for (int input : in.inputs)
        if (input >= 0) operands.push_back(operand(last = input, level));
      result = emit_op(builder_, in.op, kernel_.code[last].type, operands);
      break;
    }
  }
  return emitted_[level].values[instruction] = result;
}

std::vector<Value*> RowEmitter::emit_program(int number, int level) {
  const compiler::ProgramCall& call = kernel_.programs[number];
  ProgramEmitter::Arguments arguments;
  for (int argument : call.arguments) {
    arguments.values.push_back(emit(argument));
    arguments.uniform.push_back(levels_[argument] < 2);
    arguments.consecutive.push_back(is_inner_coordinate(kernel_.code[argument]));
  }
  std::vector<ProgramTable> tables;
  for (int t = 0; t < static_cast<int>(call.tables.size()); ++t) {
    ProgramTable& table = tables.emplace_back();
    table.pointer = pointer_word(layout_.source(call.tables[t].source));
    const int like = first_table_like(call, t);
    for (int axis = 0; axis < call.tables[t].shape.rank; ++axis) {
      table.extents.push_back(word(layout_.table_extent(number, like, axis)));
      table.strides.push_back(word(layout_.table_stride(number, like, axis)));
    }
  }
  ProgramPlace place;
  place.lanes = level < 2 ? 1 : lanes_;
  place.wide_index = kernel_.wide_index;
  place.gathers = machine_.gathers;
  place.mask = level < 2 ? nullptr : inner_.mask;
  place.allocations = arguments_block_;
  return ProgramEmitter(builder_, *call.program, place, arguments, std::move(tables)).emit();
}

// Returns the first table of the same shape. Components of tuples share extents and strides, so
// that one check of an index serves all of them. A source's shape has no axes of extent 1.
int RowEmitter::first_table_like(const compiler::ProgramCall& call, int table) const {
  const auto source_of = [&](int t) -> const compiler::Source& {
    return kernel_.sources[static_cast<size_t>(call.tables[static_cast<size_t>(t)].source)];
  };
  const auto is_whole = [&](int t) {
    return source_of(t).shape.rank == call.tables[static_cast<size_t>(t)].shape.rank;
  };
  if (!is_whole(table) || source_of(table).alike < 0) return table;
  int first = 0;
  while (!is_whole(first) || source_of(first).alike != source_of(table).alike) ++first;
  return first;
}

bool RowEmitter::is_inner_coordinate(const Instruction& in) const {
  if (in.kind != Instruction::Kind::index) return false;
  const IndexExpr& index = kernel_.indices[in.slot];
  return index.kind == IndexExpr::Kind::dim && index.dim == kernel_.inner();
}

Value* RowEmitter::operand(int instruction, int level) {
  const int own = levels_[instruction];
  if (level == 2 && assumes_rows_inside_ && is_row_test_[static_cast<size_t>(instruction)])
    return llvm::ConstantInt::getTrue(vector_of(builder_.getInt1Ty()));
  Value* value = emit(instruction);
  if (level < 2 || own == 2) return value;
  Value*& vector = emitted_[own].splats[instruction];
  if (!vector) vector = splat(value);
  return vector;
}

Value* RowEmitter::emit_inside(int instruction, int level) {
  const Instruction& in = kernel_.code[instruction];
  Value* extent = word(layout_.inside_extent(instruction));
  if (level < 2) return builder_.CreateICmpULT(scalar_index(in.slot), extent);
  // In fast code along the inner axis all coordinates are inside.
  if (!inner_.careful() && kernel_.indices[in.slot].dim == kernel_.inner())
    return llvm::ConstantInt::getTrue(vector_of(builder_.getInt1Ty()));
  return builder_.CreateICmpULT(vector_index(in.slot), as_index(extent));
}

Value* RowEmitter::emit_constant(int instruction) {
  llvm::Type* type = memory_type(builder_.getContext(), kernel_.code[instruction].type);
  const int position = layout_.scalar(instruction);
  if (!kernel_.repeat.scalars.count(instruction)) return load_word(position, type);
  Value* address =
      builder_.CreateGEP(builder_.getInt64Ty(), words_, builder_.CreateAdd(step_, i64(position)));
  return builder_.CreateLoad(type, address);
}

}  // namespace tutti::codegen
