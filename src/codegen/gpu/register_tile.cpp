#include "codegen/gpu/register_tile.hpp"

#include <algorithm>
#include <set>

#include "codegen/emit/branches.hpp"
#include "codegen/gpu/isa.hpp"

namespace tutti::codegen {

using compiler::Instruction;
using compiler::TileValue;
using llvm::Value;

namespace {

int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

RegisterTileEmitter::RegisterTileEmitter(RowEmitter& rows, const compiler::Kernel& kernel,
                                         const compiler::RegisterTile& tile, Value* row,
                                         Value* column, Loaded& loaded)
    : rows_(rows),
      b_(rows.builder()),
      kernel_(kernel),
      tile_(tile),
      columns_(tile.columns()),
      inner_(kernel.inner()),
      row_(row),
      column_(column),
      loaded_(loaded) {}

void RegisterTileEmitter::set_step(Value* turn, int steps_a_turn, int step) {
  turn_ = b_.CreateTrunc(turn, b_.getInt32Ty());
  steps_a_turn_ = steps_a_turn;
  step_ = step;
  rows_.set_step(b_.CreateAdd(b_.CreateMul(turn, rows_.i64(steps_a_turn)), rows_.i64(step)));
}

RegisterTileEmitter::Place RegisterTileEmitter::place_of(const TileValue& v) const {
  const compiler::Load& load = kernel_.loads[kernel_.code[v.instruction].slot];
  const bool down = compiler::reads_down(kernel_, load);
  Place place{load.source, down, down ? v.column : v.row, 0, 0, {}};
  for (const auto& axis : load.axes) {
    const int dim = kernel_.indices[axis.index].dim;
    if (dim >= 0 && dim >= inner_ - 1)
      (dim == inner_ ? place.column_step : place.row_step) =
          static_cast<int>(compiler::total_step(kernel_, axis.index));
    place.axes.insert(place.axes.end(),
                      {axis.source_axis, tile_.holds(dim) ? -1 - dim : axis.index});
  }
  place.across += step_ * (down ? place.column_step : place.row_step);
  return place;
}

// Returns the position along the line: the row if it goes down, else the column.
int RegisterTileEmitter::place_along(const Place& place, const TileValue& v) const {
  if (place.down) return v.row + step_ * place.row_step;
  return v.by_column ? v.column + step_ * place.column_step : 0;
}

// Counts the elements in use of each group that begins at a multiple of the tile's width. A group
// with several of them is loaded in one access.
void RegisterTileEmitter::note_groups() {
  std::map<std::pair<Place, int>, std::set<int>> used;
  for (int id : tile_.schedule()) {
    const TileValue& v = tile_.values()[id];
    if (v.way != Way::compute || kernel_.code[v.instruction].kind != Instruction::Kind::load)
      continue;
    const Place place = place_of(v);
    const int along = place_along(place, v);
    if (v.by_column || place.down) used[{place, floor_div(along, width_of(place))}].insert(along);
  }
  for (const auto& [group, elements] : used) used_[group] = static_cast<int>(elements.size());
}

// A place that moves in a loop stays aligned to its width only if a whole turn moves by a multiple
// of it.
int RegisterTileEmitter::width_of(const Place& place) const {
  const int width =
      place.down ? schedule::on_gpu<schedule::RegisterTiles>(kernel_.schedule)->deep : columns_;
  return steps_a_turn_ * (place.down ? place.row_step : place.column_step) % width ? 1 : width;
}

std::vector<Value*> RegisterTileEmitter::emit() {
  note_groups();
  for (int id : tile_.schedule()) value(id);
  std::vector<Value*> results;
  for (size_t r = 0; r < tile_.results(); ++r)
    for (int id : tile_.result(r)) results.push_back(value(id));
  return results;
}

// Returns a row or column after the movement of all turns so far.
Value* RegisterTileEmitter::moved(Value* place, int64_t step) {
  return step ? b_.CreateAdd(place, b_.CreateMul(turn_, i32(steps_a_turn_ * step))) : place;
}

Value* RegisterTileEmitter::value(int id) {
  if (const auto found = values_.find(id); found != values_.end()) return found->second;
  const TileValue& v = tile_.values()[id];
  Value* result =
      v.way == Way::neighbour ? b_.gpu()->shuffle(b_, value(v.from), v.lanes) : compute(id);
  return values_[id] = result;
}

Value* RegisterTileEmitter::compute(int id) {
  const TileValue& v = tile_.values()[id];
  const Instruction& in = kernel_.code[v.instruction];
  switch (in.kind) {
    case Instruction::Kind::constant:
      return rows_.uniform(v.instruction);
    case Instruction::Kind::load:
      if (!v.by_row && !v.by_column) return rows_.uniform(v.instruction);
      return from_memory(b_, load(v), in.type);
    case Instruction::Kind::index: {
      if (!v.by_row && !v.by_column) return rows_.uniform(v.instruction);
      const int64_t step = compiler::total_step(kernel_, in.slot);
      Value* place = moved(v.by_column ? column_ : row_, step);
      Value* here = b_.CreateAdd(place, i32((v.by_column ? v.column : v.row) + step_ * step));
      return in.type == ElementType::i64 ? b_.CreateSExt(here, b_.getInt64Ty()) : here;
    }
    case Instruction::Kind::carried:
    case Instruction::Kind::after: {
      const int points = columns_ * tile_.rows();
      const int point = in.slot * points + v.row * columns_ + v.column;
      return given_.at(static_cast<size_t>(point));
    }
    case Instruction::Kind::cast:
      return emit_cast(b_, value(v.operands[0]), kernel_.code[in.inputs[0]].type, in.type);
    case Instruction::Kind::op: {
      std::vector<Value*> operands;
      int last = -1;
      for (size_t k = 0; k < v.operands.size(); ++k)
        if (v.operands[k] >= 0) {
          operands.push_back(value(v.operands[k]));
          last = in.inputs[k];
        }
      return emit_op(b_, in.op, kernel_.code[last].type, operands);
    }
    case Instruction::Kind::inside: {  // away from the border all coordinates are inside
      const bool held = tile_.holds(kernel_.indices[in.slot].dim);
      return held ? b_.getTrue() : rows_.uniform(v.instruction);
    }
    case Instruction::Kind::previous:
    case Instruction::Kind::program:
      break;
  }
  throw InternalError("a register tile holds an instruction it cannot compute");
}

Value* RegisterTileEmitter::load(const TileValue& v) {
  const compiler::Load& load = kernel_.loads[kernel_.code[v.instruction].slot];
  const ElementType type = kernel_.sources[load.source].type;
  llvm::Type* element = memory_type(b_.getContext(), type);
  const Place place = place_of(v);
  Value* start = address(place, load);
  const int along = place_along(place, v);
  const int bytes = size_of(type), width = width_of(place), group = floor_div(along, width);
  if (width == 1 || !(v.by_column || place.down) || used_.at({place, group}) == 1)
    return rows_.load_elements(element, b_.CreateGEP(element, start, i32(along)),
                               llvm::Align(static_cast<uint64_t>(bytes)));
  Value*& wide = (place.stays() ? loaded_.wide : wide_)[{place, group}];
  if (!wide) {
    Value* at = b_.CreateGEP(element, start, i32(group * width));
    wide = rows_.load_elements(llvm::FixedVectorType::get(element, static_cast<unsigned>(width)),
                               at, llvm::Align(static_cast<uint64_t>(bytes * width)));
  }
  return b_.CreateExtractElement(wide, static_cast<uint64_t>(along - group * width));
}

// Returns the address of the thread's first column, if the load moves with the columns, or of its
// first row, if it goes down.
Value* RegisterTileEmitter::address(const Place& place, const compiler::Load& load) {
  Value*& found = addresses_[place];
  if (found) return found;
  Value* offset = outer_offset(load);
  for (const auto& axis : load.axes) {
    const int dim = kernel_.indices[axis.index].dim;
    if (!tile_.holds(dim)) continue;
    const bool by_column = dim == inner_;
    Value* part = by_column ? moved(column_, place.column_step) : moved(row_, place.row_step);
    if (by_column == place.down) part = b_.CreateAdd(part, i32(place.across));
    if (axis.source_axis != kernel_.sources[load.source].shape.rank - 1)
      part = b_.CreateMul(part, word(rows_.layout().stride(load.source, axis.source_axis)));
    offset = b_.CreateAdd(offset, part);
  }
  llvm::Type* element = memory_type(b_.getContext(), kernel_.sources[load.source].type);
  return found = b_.CreateGEP(element, rows_.pointer_word(rows_.layout().source(load.source)),
                              b_.CreateZExt(offset, b_.getInt64Ty()));
}

// Returns the part of the offset that does not depend on rows and columns of the register tile.
Value* RegisterTileEmitter::outer_offset(const compiler::Load& load) {
  Value* offset = i32(0);
  for (const auto& axis : load.axes) {
    if (tile_.holds(kernel_.indices[axis.index].dim)) continue;
    Value* part = narrow(rows_.coordinate(axis.index));
    if (axis.source_axis != kernel_.sources[load.source].shape.rank - 1)
      part = b_.CreateMul(part, word(rows_.layout().stride(load.source, axis.source_axis)));
    offset = b_.CreateAdd(offset, part);
  }
  return offset;
}

namespace {

// Stores the rows of an output, each in one access.
class RegisterTileStore {
 public:
  RegisterTileStore(RowEmitter& rows, const compiler::Kernel& kernel, int columns, Value* row,
                    Value* column, Value* has_result, Value* outer)
      : rows_(rows),
        b_(rows.builder()),
        kernel_(kernel),
        columns_(columns),
        row_(row),
        place_(b_.CreateAdd(outer, column)),
        has_result_(has_result) {}

  void store(int output, int row, Value* const* values) {
    const compiler::Output& out = kernel_.outputs[static_cast<size_t>(output)];
    llvm::Type* element = memory_type(b_.getContext(), out.type);
    const auto memory = [&](int c) { return to_memory(b_, values[c], out.type); };
    Value* stored = memory(0);
    if (columns_ > 1) {
      auto* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(columns_));
      stored = b_.CreateInsertElement(llvm::PoisonValue::get(type), stored, uint64_t{0});
      for (int c = 1; c < columns_; ++c)
        stored = b_.CreateInsertElement(stored, memory(c), static_cast<uint64_t>(c));
    }
    Value* offset = place_;
    if (kernel_.domain.rank > 1) {
      Value* width = b_.CreateTrunc(rows_.extent(kernel_.inner()), b_.getInt32Ty());
      Value* down = b_.CreateAdd(row_, b_.getInt32(static_cast<uint32_t>(row)));
      offset = b_.CreateAdd(offset, b_.CreateMul(down, width));
    }
    Value* target = b_.CreateGEP(element, rows_.pointer_word(rows_.layout().output(output)),
                                 b_.CreateZExt(offset, b_.getInt64Ty()));
    b_.gpu()->store_if(b_, has_result_, target, stored);
  }

 private:
  RowEmitter& rows_;
  Builder& b_;
  const compiler::Kernel& kernel_;
  const int columns_;
  Value *row_, *place_, *has_result_;
};

}  // namespace

void emit_register_tile(RowEmitter& rows, const compiler::Kernel& kernel,
                        const compiler::TileParts& parts, Value* row, Value* column,
                        Value* has_result, Value* outer) {
  Builder& b = rows.builder();
  RegisterTileEmitter::Loaded loaded;
  const int height = parts.parts()[0].rows(), width = parts.parts()[0].columns();
  const auto part = [&](size_t p) {
    return RegisterTileEmitter(rows, kernel, parts.parts()[p], row, column, loaded);
  };
  std::vector<Value*> results;
  if (const auto steps = kernel.repeat.steps) {
    const int turn_steps = compiler::steps_a_turn(kernel, width);
    const auto take_steps = [&](Value* turn, int count, std::vector<Value*> given) {
      for (int step = 0; step < count; ++step) {
        RegisterTileEmitter body = part(1);
        body.set_step(turn, turn_steps, step);
        body.give(given);
        given = body.emit();
      }
      return given;
    };
    std::vector<Value*> left = emit_steps(
        b, steps / turn_steps, part(0).emit(),
        [&](Value* turn, const auto& given) { return take_steps(turn, turn_steps, given); });
    left = take_steps(rows.i64(steps / turn_steps), static_cast<int>(steps % turn_steps), left);
    rows.set_step(nullptr);
    RegisterTileEmitter behind = part(2);
    behind.give(left);
    results = behind.emit();
  } else {
    results = part(0).emit();
  }
  RegisterTileStore store(rows, kernel, width, row, column, has_result, outer);
  Value* const* at = results.data();
  const auto outputs = static_cast<int>(kernel.outputs.size());
  for (int r = 0; r < height; ++r)
    for (int o = 0; o < outputs; ++o) store.store(o, r, at + (o * height + r) * width);
}

}  // namespace tutti::codegen
