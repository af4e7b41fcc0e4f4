// Arrays of a program: gathers from tables in memory, and local arrays, whose elements are one
// vector for all lanes.
#include "codegen/emit/bound_index.hpp"
#include "codegen/emit/program_emitter.hpp"
#include "codegen/emit/scattered_loads.hpp"

namespace tutti::codegen {

using llvm::Value;

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

}  // namespace tutti::codegen
