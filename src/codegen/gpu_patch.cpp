#include "codegen/gpu_patch.hpp"

#include <algorithm>
#include <set>

#include "codegen/gpu_warp.hpp"

namespace tutti::codegen {

using llvm::Value;
using passes::Instruction;
using passes::PatchValue;

namespace {

int floor_div(int a, int b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

}  // namespace

PatchEmitter::PatchEmitter(RowEmitter& rows, const passes::Kernel& kernel,
                           const passes::Patch& patch)
    : rows_(rows),
      b_(rows.builder()),
      kernel_(kernel),
      patch_(patch),
      columns_(kernel.tiling.columns),
      inner_(kernel.inner()) {
  note_groups();
}

PatchEmitter::Place PatchEmitter::place_of(const PatchValue& v) const {
  const passes::Load& load = kernel_.loads[kernel_.code[v.instruction].slot];
  const bool down = passes::reads_down(kernel_, load);
  Place place{load.source, down, down ? v.column : v.row, {}};
  for (const auto& axis : load.axes) {
    const int dim = kernel_.indices[axis.index].dim;
    const bool tiled = dim >= 0 && dim >= inner_ - 1;
    place.axes.insert(place.axes.end(), {axis.source_axis, tiled ? -1 - dim : axis.index});
  }
  return place;
}

// Groups of elements that begin at a multiple of a patch are loaded at once if several are wanted.
void PatchEmitter::note_groups() {
  std::map<std::pair<Place, int>, std::set<int>> used;
  for (int id : patch_.schedule()) {
    const PatchValue& v = patch_.values()[id];
    if (v.way != Way::compute || kernel_.code[v.instruction].kind != Instruction::Kind::load)
      continue;
    const Place place = place_of(v);
    const int along = place.down ? v.row : v.column;
    if (v.by_column || place.down) used[{place, floor_div(along, width_of(place))}].insert(along);
  }
  for (const auto& [group, elements] : used) used_[group] = static_cast<int>(elements.size());
}

void PatchEmitter::emit(Value* row, Value* column, Value* has_result, Value* outer) {
  row_ = row;
  column_ = column;
  for (int id : patch_.schedule()) value(id);
  for (int r = 0; r < kernel_.tiling.rows; ++r)
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o)
      store(o, r, outer, has_result);
}

Value* PatchEmitter::value(int id) {
  if (const auto found = values_.find(id); found != values_.end()) return found->second;
  const PatchValue& v = patch_.values()[id];
  Value* result = v.way == Way::neighbour ? shuffle(b_, value(v.from), v.lanes) : compute(id);
  return values_[id] = result;
}

Value* PatchEmitter::compute(int id) {
  const PatchValue& v = patch_.values()[id];
  const Instruction& in = kernel_.code[v.instruction];
  switch (in.kind) {
    case Instruction::Kind::constant:
      return rows_.uniform(v.instruction);
    case Instruction::Kind::load:
      if (!v.by_row && !v.by_column) return rows_.uniform(v.instruction);
      return from_memory(b_, load(v), in.type);
    case Instruction::Kind::index:
      if (!v.by_row && !v.by_column) return rows_.uniform(v.instruction);
      return v.by_column ? b_.CreateAdd(column_, i32(v.column)) : b_.CreateAdd(row_, i32(v.row));
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
    case Instruction::Kind::inside: {  // away from the border everything is
      const int dim = kernel_.indices[in.slot].dim;
      return dim >= 0 && dim >= inner_ - 1 ? b_.getTrue() : rows_.uniform(v.instruction);
    }
  }
  throw InternalError("a patch holds an instruction it cannot compute");
}

Value* PatchEmitter::load(const PatchValue& v) {
  const passes::Load& load = kernel_.loads[kernel_.code[v.instruction].slot];
  const ElementType type = kernel_.sources[load.source].type;
  llvm::Type* element = memory_type(b_.getContext(), type);
  const Place place = place_of(v);
  Value* start = address(place, load);
  const int along = place.down ? v.row : v.by_column ? v.column : 0;
  const int bytes = size_of(type), width = width_of(place), group = floor_div(along, width);
  if (width == 1 || !(v.by_column || place.down) || used_.at({place, group}) == 1)
    return rows_.load_elements(element, b_.CreateGEP(element, start, i32(along)),
                               llvm::Align(static_cast<uint64_t>(bytes)));
  Value*& wide = wide_[{place, group}];
  if (!wide) {
    Value* at = b_.CreateGEP(element, start, i32(group * width));
    wide = rows_.load_elements(llvm::FixedVectorType::get(element, static_cast<unsigned>(width)),
                               at, llvm::Align(static_cast<uint64_t>(bytes * width)));
  }
  return b_.CreateExtractElement(wide, static_cast<uint64_t>(along - group * width));
}

// The element of the thread's first column, if the load moves with the columns; of its first row,
// if it goes down.
Value* PatchEmitter::address(const Place& place, const passes::Load& load) {
  Value*& found = addresses_[place];
  if (found) return found;
  Value* offset = outer_offset(load);
  for (const auto& axis : load.axes) {
    const int dim = kernel_.indices[axis.index].dim;
    if (dim < 0 || dim < inner_ - 1) continue;
    const bool by_column = dim == inner_;
    Value* part = by_column ? column_ : row_;
    if (by_column == place.down) part = b_.CreateAdd(part, i32(place.across));
    if (axis.source_axis != kernel_.sources[load.source].shape.rank - 1)
      part = b_.CreateMul(part, word(rows_.layout().stride(load.source, axis.source_axis)));
    offset = b_.CreateAdd(offset, part);
  }
  llvm::Type* element = memory_type(b_.getContext(), kernel_.sources[load.source].type);
  return found = b_.CreateGEP(element, rows_.pointer_word(rows_.layout().source(load.source)),
                              b_.CreateZExt(offset, b_.getInt64Ty()));
}

// What rows and columns do not change.
Value* PatchEmitter::outer_offset(const passes::Load& load) {
  Value* offset = i32(0);
  for (const auto& axis : load.axes) {
    const int dim = kernel_.indices[axis.index].dim;
    if (dim >= 0 && dim >= inner_ - 1) continue;
    Value* part = narrow(rows_.coordinate(axis.index));
    if (axis.source_axis != kernel_.sources[load.source].shape.rank - 1)
      part = b_.CreateMul(part, word(rows_.layout().stride(load.source, axis.source_axis)));
    offset = b_.CreateAdd(offset, part);
  }
  return offset;
}

void PatchEmitter::store(int output, int row, Value* outer, Value* has_result) {
  const passes::Output& out = kernel_.outputs[static_cast<size_t>(output)];
  llvm::Type* element = memory_type(b_.getContext(), out.type);
  Value* stored = nullptr;
  for (int c = 0; c < columns_; ++c) {
    const int id =
        patch_.output(static_cast<size_t>(output))[static_cast<size_t>(row * columns_ + c)];
    Value* one = to_memory(b_, value(id), out.type);
    if (columns_ == 1) {
      stored = one;
      break;
    }
    if (!stored)
      stored = llvm::PoisonValue::get(
          llvm::FixedVectorType::get(element, static_cast<unsigned>(columns_)));
    stored = b_.CreateInsertElement(stored, one, static_cast<uint64_t>(c));
  }
  Value* offset = b_.CreateAdd(outer, column_);
  if (kernel_.domain.rank > 1)
    offset = b_.CreateAdd(
        offset, b_.CreateMul(b_.CreateAdd(row_, i32(row)), word(rows_.layout().extent(inner_))));
  Value* target = b_.CreateGEP(element, rows_.pointer_word(rows_.layout().output(output)),
                               b_.CreateZExt(offset, b_.getInt64Ty()));
  store_if(b_, has_result, target, stored);
}

}  // namespace tutti::codegen
