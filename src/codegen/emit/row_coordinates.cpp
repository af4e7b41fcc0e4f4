// The part of RowEmitter that emits coordinates: the index expressions of a kernel at the present
// position, as one number for all lanes or as one for each lane.
#include <algorithm>

#include "codegen/emit/bound_index.hpp"
#include "codegen/emit/integer_division.hpp"
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

using compiler::IndexExpr;
using llvm::Value;

Value* RowEmitter::affine_offset(int index) {
  const IndexExpr& e = kernel_.indices[index];
  if (e.base < 0) return moved(word(layout_.index_offset(index)), e);
  Value* base = word(layout_.index_offset(e.base));
  return moved(e.delta ? builder_.CreateAdd(base, i64(e.delta)) : base, e);
}

// Adds the movement of the offset in the current iteration.
Value* RowEmitter::moved(Value* offset, const IndexExpr& e) {
  return e.step ? builder_.CreateAdd(offset, builder_.CreateMul(step_, i64(e.step))) : offset;
}

Value* RowEmitter::scalar_index(int index) {
  const int level = index_level(index);
  if (const auto found = emitted_[level].scalar_indices.find(index);
      found != emitted_[level].scalar_indices.end())
    return found->second;
  const IndexExpr& e = kernel_.indices[index];
  Value* result = nullptr;
  switch (e.kind) {
    case IndexExpr::Kind::constant:
      result = word(layout_.index_offset(index));
      break;
    case IndexExpr::Kind::dim:
      result = coordinates_[e.dim];
      break;
    case IndexExpr::Kind::gathered:
      result = builder_.CreateSExt(emit(e.source), builder_.getInt64Ty());
      break;
    case IndexExpr::Kind::affine: {
      result = scalar_index(e.source);
      if (e.scale != 1) result = builder_.CreateMul(result, word(layout_.index_scale(index)));
      result = builder_.CreateAdd(result, affine_offset(index));
      break;
    }
    default:
      result = bound(e, index, narrow_source(e));
      result = builder_.CreateSExt(result, builder_.getInt64Ty());
      break;
  }
  return emitted_[level].scalar_indices[index] = result;
}

// Returns the operand of a boundary rule, in its original 32 bits if those are faster.
Value* RowEmitter::narrow_source(const IndexExpr& e) {
  const IndexExpr& source = kernel_.indices[e.source];
  const bool computed = source.kind == IndexExpr::Kind::gathered &&
                        kernel_.code[source.source].type == ElementType::i32;
  return narrow_rows() && computed ? emit(source.source) : scalar_index(e.source);
}

// Applies clamp or wrap to one coordinate or to a vector of them.
Value* RowEmitter::bound(const IndexExpr& e, int index, Value* source) {
  llvm::Type* type = source->getType();
  Value* extent = word(layout_.index_extent(index));
  if (e.kind == IndexExpr::Kind::clamp && type->isVectorTy() && !builder_.gpu())
    return clamp_index(builder_, source, last_in_lanes(extent));
  extent = type->isVectorTy() ? as_index(extent) : builder_.CreateTrunc(extent, type);
  const auto rule = e.kind == IndexExpr::Kind::clamp ? Boundary::Kind::clamp : Boundary::Kind::wrap;
  return bound_index(builder_, rule, e.far_wrap, source, extent);
}

// The last index of an axis in all lanes, computed once: loops would compute it in every step.
Value* RowEmitter::last_in_lanes(Value* extent) {
  Value*& last = last_in_lanes_[extent];
  if (last) return last;
  Builder first(arguments_block_->getTerminator());
  Value* number = first.CreateTrunc(first.CreateSub(extent, i64(1)), index_type());
  return last = first.CreateVectorSplat(static_cast<unsigned>(lanes_), number);
}

Value* RowEmitter::wrap_shift(int index) {
  const auto place =
      std::find(rules_.wraps.begin(), rules_.wraps.end(), index) - rules_.wraps.begin();
  Value* field =
      builder_.CreateConstGEP1_64(builder_.getInt64Ty(), inner_.segment,
                                  static_cast<uint64_t>(compiler::segment_header + place));
  return builder_.CreateLoad(builder_.getInt64Ty(), field);
}

Value* RowEmitter::vector_index(int index) {
  if (index_level(index) < 2) return as_index(scalar_index(index));
  if (const auto found = emitted_[2].vector_indices.find(index);
      found != emitted_[2].vector_indices.end())
    return found->second;
  const IndexExpr& e = kernel_.indices[index];
  const bool along_inner = e.dim == kernel_.inner();
  Value* result = nullptr;
  switch (e.kind) {
    case IndexExpr::Kind::dim: {
      result = builder_.CreateAdd(as_index(inner_.j), lane_numbers(index_type()));
      break;
    }
    case IndexExpr::Kind::gathered:
      result = builder_.CreateSExt(emit(e.source), vector_of(index_type()));
      break;
    case IndexExpr::Kind::quotient:
      result = quotient_of(index);
      break;
    case IndexExpr::Kind::remainder:
      result = builder_.CreateSub(
          vector_index(e.source),
          builder_.CreateMul(quotient_of(index), as_index(word(layout_.index_scale(index)))));
      break;
    case IndexExpr::Kind::affine:
      result = vector_index(e.source);
      if (e.scale != 1)
        result = builder_.CreateMul(result, as_index(word(layout_.index_scale(index))));
      result = builder_.CreateAdd(result, as_index(affine_offset(index)));
      break;
    default:
      result = vector_index(e.source);
      if (inner_.careful() || !along_inner)
        result = bound(e, index, result);
      else if (e.kind == IndexExpr::Kind::wrap)
        result = builder_.CreateAdd(result, as_index(wrap_shift(index)));
      break;
  }
  return emitted_[2].vector_indices[index] = result;
}

// The row of a joined coordinate. Quotient and remainder share it.
Value* RowEmitter::quotient_of(int index) {
  const IndexExpr& e = kernel_.indices[index];
  Value*& result = emitted_[2].quotients[e.source];
  if (!result)
    result =
        divide_integers(builder_, kernel_.wide_index ? ElementType::u64 : ElementType::u32,
                        vector_index(e.source), as_index(word(layout_.index_scale(index))), false);
  return result;
}

bool RowEmitter::is_linear(int index) const {
  const IndexExpr& e = kernel_.indices[index];
  return e.dim == kernel_.inner() && e.unit && follows_inner(index);
}

// Decides whether a coordinate grows linearly along the inner axis in the current segment.
bool RowEmitter::follows_inner(int index) const {
  const IndexExpr& e = kernel_.indices[index];
  if (e.kind == IndexExpr::Kind::dim) return true;
  if (e.kind != IndexExpr::Kind::affine && inner_.careful()) return false;
  return follows_inner(e.source);
}

// Requires follows_inner(). Adds constant offsets last, so that neighbours share an address.
Value* RowEmitter::linear_index(int index) {
  const IndexExpr& e = kernel_.indices[index];
  if (e.kind == IndexExpr::Kind::dim) return inner_.j;
  Value* source = linear_index(e.source);
  if (e.kind == IndexExpr::Kind::clamp) return source;
  if (e.kind == IndexExpr::Kind::wrap) return builder_.CreateAdd(source, wrap_shift(index));
  if (e.scale != 1) source = builder_.CreateMul(source, word(layout_.index_scale(index)));
  Value* base =
      builder_.CreateAdd(source, word(layout_.index_offset(e.base >= 0 ? e.base : index)));
  return moved(e.base >= 0 && e.delta ? builder_.CreateAdd(base, i64(e.delta)) : base, e);
}

}  // namespace tutti::codegen
