// The part of RowEmitter that emits loads. In: a load of the kernel, at the present position. Out:
// its elements, one for each lane, by the cheapest access that the coordinates allow: one element
// for all lanes, neighbours, every second to fourth element, neighbours with a border, or a gather.
#include <algorithm>
#include <numeric>

#include "codegen/emit/alignment.hpp"
#include "codegen/emit/branches.hpp"
#include "codegen/emit/row_emitter.hpp"
#include "codegen/emit/scattered_loads.hpp"
#include "codegen/gpu/isa.hpp"

namespace tutti::codegen {

using compiler::IndexExpr;
using llvm::Value;

// Returns the part of the address of a load that does not vary along the inner axis.
Value* RowEmitter::row_pointer(const compiler::Load& load) {
  std::vector<int> key{load.source};
  int level = 0;
  for (const auto& axis : load.axes) {
    if (index_level(axis.index) == 2) continue;
    key.insert(key.end(), {axis.index, axis.source_axis});
    level = std::max(level, index_level(axis.index));
  }
  Value*& pointer = emitted_[level].row_pointers[key];
  if (!pointer)
    pointer =
        builder_.CreateGEP(element_of(kernel_.sources[load.source]),
                           pointer_word(layout_.source(load.source)), row_offset(load, level));
  return pointer;
}

llvm::Type* RowEmitter::element_of(const compiler::Source& source) {
  llvm::Type* type = memory_type(builder_.getContext(), source.type);
  return source.parts == 1 ? type
                           : llvm::FixedVectorType::get(type, static_cast<unsigned>(source.parts));
}

// Loads all parts of an element in one access, which later loads of other parts reuse. A GPU thread
// reads one element.
Value* RowEmitter::load_part(const compiler::Load& load, int level) {
  const compiler::Source& source = kernel_.sources[load.source];
  std::vector<int> key{load.source};
  for (const auto& axis : load.axes) key.insert(key.end(), {axis.index, axis.source_axis});
  Value*& whole = emitted_[2].whole_elements[key];
  if (!whole) {
    llvm::Type* type = element_of(source);
    Value* address = row_pointer(load);
    if (level == 2) address = builder_.CreateGEP(type, address, lane_offsets(load));
    whole = load_elements(type, address,
                          llvm::Align(static_cast<uint64_t>(source.parts * size_of(source.type))));
  }
  return builder_.CreateExtractElement(whole, static_cast<uint64_t>(load.part));
}

// Returns an offset in elements. Arrays of one shape share it.
Value* RowEmitter::row_offset(const compiler::Load& load, int level) {
  const compiler::Source& source = kernel_.sources[load.source];
  std::vector<int> key{source.alike};
  for (const auto& axis : load.axes)
    if (index_level(axis.index) < 2) key.insert(key.end(), {axis.index, axis.source_axis});
  if (source.alike >= 0)
    if (const auto found = emitted_[level].row_offsets.find(key);
        found != emitted_[level].row_offsets.end())
      return found->second;
  llvm::Type* type = narrow_rows() ? builder_.getInt32Ty() : builder_.getInt64Ty();
  const auto shortened = [&](Value* v) { return builder_.CreateTrunc(v, type); };
  Value* offset = llvm::ConstantInt::get(type, 0);
  for (const auto& axis : load.axes) {
    if (index_level(axis.index) == 2) continue;
    Value* part = shortened(scalar_index(axis.index));
    if (axis.source_axis != source.shape.rank - 1)
      part =
          builder_.CreateMul(part, shortened(word(layout_.stride(load.source, axis.source_axis))));
    offset = builder_.CreateAdd(offset, part);
  }
  return emitted_[level].row_offsets[key] = builder_.CreateZExt(offset, builder_.getInt64Ty());
}

// Returns the part of the offset that varies along the inner axis, for each lane.
Value* RowEmitter::lane_offsets(const compiler::Load& load) {
  const compiler::Source& source = kernel_.sources[load.source];
  std::vector<int> key{source.alike};
  for (const auto& axis : load.axes)
    if (index_level(axis.index) == 2) key.insert(key.end(), {axis.index, axis.source_axis});
  if (source.alike >= 0)
    if (const auto found = emitted_[2].lane_offsets.find(key);
        found != emitted_[2].lane_offsets.end())
      return found->second;
  Value* offsets = nullptr;
  for (const auto& axis : load.axes) {
    if (index_level(axis.index) < 2) continue;
    Value* part = vector_index(axis.index);
    if (axis.source_axis != source.shape.rank - 1)
      part =
          builder_.CreateMul(part, as_index(word(layout_.stride(load.source, axis.source_axis))));
    offsets = offsets ? builder_.CreateAdd(offsets, part) : part;
  }
  return emitted_[2].lane_offsets[key] = offsets;
}

Value* RowEmitter::emit_load(const compiler::Load& load, int level) {
  const compiler::Source& source = kernel_.sources[load.source];
  if (source.parts > 1) return load_part(load, level);
  llvm::Type* element = memory_type(builder_.getContext(), source.type);
  const int bytes = size_of(source.type);
  const auto align = llvm::Align(static_cast<uint64_t>(bytes));
  Value* pointer = row_pointer(load);
  if (level < 2) return load_elements(element, pointer, align);

  const auto varies = [&](const compiler::Load::Axis& axis) {
    return index_level(axis.index) == 2;
  };
  const auto first = std::find_if(load.axes.begin(), load.axes.end(), varies);
  const bool alone = varies_alone(load);
  if (alone && first->source_axis == source.shape.rank - 1) {
    const IndexExpr& e = kernel_.indices[first->index];
    if (is_linear(first->index)) {
      if (inner_.mask)
        return masked_load(element, pointer, linear_index(first->index), inner_.mask, bytes);
      Value* address = builder_.CreateGEP(element, pointer, linear_index(first->index));
      const llvm::Align known = wide_align(load);
      if (machine_.once && bytes * lanes_ == 16 && known.value() == 16)
        return builder_.gpu()->load_once(builder_, vector_of(element), address);
      return load_elements(vector_of(element), address, known);
    }
    const bool rule =
        e.kind == IndexExpr::Kind::clamp || (e.kind == IndexExpr::Kind::wrap && !e.far_wrap);
    if (machine_.masks && rule && is_linear(e.source)) {
      const auto number = static_cast<size_t>(&load - kernel_.loads.data());
      return read_inside_only_[number] ? inside_load(e, first->index, element, pointer, bytes)
                                       : border_load(e, first->index, element, pointer, bytes);
    }
  }
  if (load.step && alone && !builder_.gpu() && !inner_.mask && lanes_ > 1 &&
      follows_inner(first->index))
    return strided_load(load, *first, element, pointer);
  if (alone && first->source_axis == source.shape.rank - 1 && may_lie_close(first->index) &&
      can_permute(lanes_, element))
    return permute_or_gather(first->index, element, pointer, lane_offsets(load), bytes);
  if (!builder_.gpu() && lanes_ > 1 &&
      std::all_of(load.axes.begin(), load.axes.end(),
                  [&](const auto& axis) { return may_follow_inner(axis.index); }))
    return load_or_gather(element, pointer, lane_offsets(load), bytes);
  if (const auto number = static_cast<int>(&load - kernel_.loads.data()); pairs_[number] >= 0)
    return load_paired(number);
  return gather(element, pointer, lane_offsets(load), bytes);
}

// Returns whether one coordinate of a load varies along the inner axis.
bool RowEmitter::varies_alone(const compiler::Load& load) const {
  return std::count_if(load.axes.begin(), load.axes.end(),
                       [&](const auto& axis) { return index_level(axis.index) == 2; }) == 1;
}

// Decides whether the elements of all lanes are probably within a vector's length: a clamped
// coordinate that is computed from those of the domain, as in a magnified picture.
bool RowEmitter::may_lie_close(int index) const {
  const IndexExpr& e = kernel_.indices[index];
  if (!machine_.permutes) return false;
  if (e.divides()) return true;
  if (e.kind != IndexExpr::Kind::clamp) return false;
  const IndexExpr& from = kernel_.indices[e.source];
  return from.kind == IndexExpr::Kind::gathered && follows_from_coordinates(from.source);
}

bool RowEmitter::follows_from_coordinates(int instruction) const {
  const compiler::Instruction& in = kernel_.code[instruction];
  using Kind = compiler::Instruction::Kind;
  if (levels_[instruction] < 2 || in.kind == Kind::index) return true;
  if (in.kind != Kind::op && in.kind != Kind::cast) return false;
  return std::all_of(std::begin(in.inputs), std::end(in.inputs),
                     [&](int input) { return input < 0 || follows_from_coordinates(input); });
}

// Loads one vector from the element of the first lane on and permutes it, if it holds the elements
// of all lanes. Gathers otherwise. Nothing is read beyond the end of the row. Positions in a short
// row begin anew within a vector, so the row is read from its beginning.
Value* RowEmitter::permute_or_gather(int index, llvm::Type* element, Value* pointer, Value* offsets,
                                     int bytes) {
  const bool from_start = kernel_.indices[index].kind == IndexExpr::Kind::remainder;
  Value* first = from_start ? llvm::ConstantInt::get(offsets->getType()->getScalarType(), 0)
                            : builder_.CreateExtractElement(offsets, uint64_t{0});
  Value* distances = builder_.CreateSub(offsets, splat(first));
  Value* close = builder_.CreateICmpULT(
      distances, llvm::ConstantInt::get(distances->getType(), static_cast<uint64_t>(lanes_)));
  if (inner_.mask) close = builder_.CreateOr(close, builder_.CreateNot(inner_.mask));
  return emit_choice(
      builder_, builder_.CreateAndReduce(close),
      [&] {
        Value* start = builder_.CreateSExt(first, builder_.getInt64Ty());
        Value* mask = lane_mask(start, word(layout_.index_extent(index)));
        return permute_lanes(builder_, masked_load(element, pointer, start, mask, bytes),
                             distances);
      },
      [&] { return gather(element, pointer, offsets, bytes); });
}

// Decides whether lanes probably read neighbours, for example if each block of a picture is read
// from the position that its vector points to. A coordinate that was computed from floating-point
// numbers, or loaded for each lane, probably varies irregularly.
bool RowEmitter::may_follow_inner(int index) const {
  const IndexExpr& e = kernel_.indices[index];
  if (index_level(index) < 2) return true;
  if (e.kind == IndexExpr::Kind::gathered) return counts_along_inner(e.source);
  if (e.kind == IndexExpr::Kind::clamp) return may_follow_inner(e.source);
  return e.divides() || (e.is_derived() && divides(index));
}

// Decides whether a coordinate is part of a joined one, boundary rules and offsets aside.
bool RowEmitter::divides(int index) const {
  const IndexExpr& e = kernel_.indices[index];
  return e.divides() || (e.is_derived() && e.scale == 1 && divides(e.source));
}

bool RowEmitter::counts_along_inner(int instruction) const {
  const compiler::Instruction& in = kernel_.code[instruction];
  if (levels_[instruction] < 2) return true;
  if (in.kind == compiler::Instruction::Kind::index) return true;
  if (in.kind != compiler::Instruction::Kind::op || !is_integer(in.type)) return false;
  return std::all_of(std::begin(in.inputs), std::end(in.inputs),
                     [&](int input) { return input < 0 || counts_along_inner(input); });
}

// Loads neighbouring elements if the lanes read neighbours, and gathers otherwise.
Value* RowEmitter::load_or_gather(llvm::Type* element, Value* pointer, Value* offsets, int bytes) {
  llvm::Type* index = offsets->getType()->getScalarType();
  Value* first = builder_.CreateExtractElement(offsets, uint64_t{0});
  Value* wanted =
      builder_.CreateICmpEQ(offsets, builder_.CreateAdd(splat(first), lane_numbers(index)));
  if (inner_.mask) wanted = builder_.CreateOr(wanted, builder_.CreateNot(inner_.mask));
  return emit_choice(
      builder_, builder_.CreateAndReduce(wanted),
      [&]() -> Value* {
        Value* start = builder_.CreateSExt(first, builder_.getInt64Ty());
        const auto align = llvm::Align(static_cast<uint64_t>(bytes));
        return inner_.mask ? masked_load(element, pointer, start, inner_.mask, bytes)
                           : load_elements(vector_of(element),
                                           builder_.CreateGEP(element, pointer, start), align);
      },
      [&] { return gather(element, pointer, offsets, bytes); });
}

// Loads every second, third or fourth element as whole vectors, and selects elements of each of
// them. The last vector ends with the last selected element, so nothing beyond it is read.
Value* RowEmitter::strided_load(const compiler::Load& load, const compiler::Load::Axis& axis,
                                llvm::Type* element, Value* pointer) {
  const compiler::Source& source = kernel_.sources[load.source];
  Value* offset = linear_index(axis.index);
  if (axis.source_axis != source.shape.rank - 1)
    offset = builder_.CreateMul(offset, word(layout_.stride(load.source, axis.source_axis)));
  Value* first = builder_.CreateGEP(element, pointer, offset);
  const auto align = llvm::Align(static_cast<uint64_t>(size_of(source.type)));
  const int last_start = (load.step - 1) * (lanes_ - 1);
  Value* result = nullptr;
  for (int part = 0, done = 0; part < load.step; ++part) {
    const int start = std::min(part * lanes_, last_start);
    Value* vector = load_elements(
        vector_of(element),
        builder_.CreateConstGEP1_64(element, first, static_cast<uint64_t>(start)), align);
    std::vector<int> lanes(static_cast<size_t>(lanes_));  // indices into `result`, then `vector`
    std::iota(lanes.begin(), lanes.end(), 0);
    for (; done < lanes_ && done * load.step < start + lanes_; ++done)
      lanes[static_cast<size_t>(done)] = (part ? lanes_ : 0) + done * load.step - start;
    result = part ? builder_.CreateShuffleVector(result, vector, lanes)
                  : builder_.CreateShuffleVector(vector, lanes);
  }
  return result;
}

// Wide accesses of a GPU must be aligned; LLVM splits others.
llvm::Align RowEmitter::wide_align(const compiler::Load& load) const {
  return llvm::Align(
      static_cast<uint64_t>(alignment_of(kernel_, load, builder_.gpu() ? lanes_ : 1)));
}

Value* RowEmitter::masked_load(llvm::Type* element, Value* pointer, Value* index, Value* mask,
                               int bytes) {
  return builder_.CreateMaskedLoad(vector_of(element), builder_.CreateGEP(element, pointer, index),
                                   llvm::Align(static_cast<uint64_t>(bytes)), mask,
                                   llvm::Constant::getNullValue(vector_of(element)));
}

// Loads neighbouring elements, of which only those inside are used.
Value* RowEmitter::inside_load(const IndexExpr& e, int index, llvm::Type* element, Value* pointer,
                               int bytes) {
  Value* extent = as_index(word(layout_.index_extent(index)));
  Value* inside = builder_.CreateICmpULT(vector_index(e.source), extent);
  return masked_load(element, pointer, linear_index(e.source),
                     builder_.CreateAnd(inside, inner_.mask), bytes);
}

// Loads neighbouring elements under a boundary rule, some of them beyond the border: masked loads
// for the inner part and for each side cost a fraction of a gather.
Value* RowEmitter::border_load(const IndexExpr& e, int index, llvm::Type* element, Value* pointer,
                               int bytes) {
  Value* coordinates = vector_index(e.source);
  Value* first = linear_index(e.source);
  Value* extent = word(layout_.index_extent(index));
  Value* zero = llvm::Constant::getNullValue(coordinates->getType());
  Value* below = builder_.CreateAnd(builder_.CreateICmpSLT(coordinates, zero), inner_.mask);
  Value* above =
      builder_.CreateAnd(builder_.CreateICmpSGE(coordinates, as_index(extent)), inner_.mask);
  Value* inside =
      builder_.CreateAnd(builder_.CreateNot(builder_.CreateOr(below, above)), inner_.mask);
  Value* result = masked_load(element, pointer, first, inside, bytes);
  if (e.kind == IndexExpr::Kind::clamp) {
    Value* last = builder_.CreateGEP(element, pointer, builder_.CreateSub(extent, i64(1)));
    const auto edge = [&](Value* address, Value* lanes) {
      return splat(load_if(builder_.CreateOrReduce(lanes), element, address, bytes));
    };
    result = builder_.CreateSelect(below, edge(pointer, below), result);
    return builder_.CreateSelect(above, edge(last, above), result);
  }
  result = builder_.CreateSelect(
      below, masked_load(element, pointer, builder_.CreateAdd(first, extent), below, bytes),
      result);
  return builder_.CreateSelect(
      above, masked_load(element, pointer, builder_.CreateSub(first, extent), above, bytes),
      result);
}

// Loads an element if it is wanted, without a branch: otherwise the first word of the arguments is
// read, which is always there. The element may not be: a window in the cache has only the rows and
// columns that its tile needs, and its address is that of the whole array's first element.
Value* RowEmitter::load_if(Value* wanted, llvm::Type* element, Value* address, int bytes) {
  return builder_.CreateAlignedLoad(element, builder_.CreateSelect(wanted, address, words_),
                                    llvm::Align(static_cast<uint64_t>(bytes)));
}

Value* RowEmitter::gather(llvm::Type* element, Value* pointer, Value* offsets, int bytes) {
  const auto align = llvm::Align(static_cast<uint64_t>(bytes));
  if (lanes_ == 1)
    return load_elements(element, builder_.CreateGEP(element, pointer, offsets), align);
  if (machine_.gathers) {
    Value* mask =
        inner_.mask ? inner_.mask : llvm::ConstantInt::getTrue(vector_of(builder_.getInt1Ty()));
    if (bytes < 4) return gather_by_words(builder_, element, pointer, offsets, mask);
    return builder_.CreateMaskedGather(vector_of(element),
                                       builder_.CreateGEP(element, pointer, offsets), align, mask);
  }
  Value* result = llvm::PoisonValue::get(vector_of(element));
  for (int i = 0; i < lanes_; ++i) {
    const auto lane = static_cast<uint64_t>(i);
    Value* offset =
        builder_.CreateSExt(builder_.CreateExtractElement(offsets, lane), builder_.getInt64Ty());
    Value* address = builder_.CreateGEP(element, pointer, offset);
    Value* loaded = inner_.mask ? load_if(builder_.CreateExtractElement(inner_.mask, lane), element,
                                          address, bytes)
                                : load_elements(element, address, align);
    result = builder_.CreateInsertElement(result, loaded, lane);
  }
  return result;
}

}  // namespace tutti::codegen
