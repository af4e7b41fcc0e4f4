// The tiles of a reduction. The elements of each result are cut into tiles; an item is one tile of
// one result.
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

class ReductionTiles {
 public:
  using Value = llvm::Value;
  struct Range {
    Value *begin, *end;
  };

  // `length` is the number of elements of a result.
  ReductionTiles(Builder& builder, Value* length, int64_t tile)
      : b_(builder),
        tile_(builder.getInt64(static_cast<uint64_t>(tile))),
        length_(length),
        count_(b_.CreateUDiv(
            b_.CreateAdd(length, builder.getInt64(static_cast<uint64_t>(tile - 1))), tile_)) {}

  Value* length() const { return length_; }
  Value* count() const { return count_; }  // for each result
  Value* result_of(Value* item) const { return b_.CreateUDiv(item, count_); }
  // Returns the range of the elements of an item within its result.
  Range elements_of(Value* item) const {
    Value* begin = b_.CreateMul(b_.CreateURem(item, count_), tile_);
    return {begin,
            b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b_.CreateAdd(begin, tile_), length_)};
  }

 private:
  Builder& b_;
  Value *tile_, *length_, *count_;
};

}  // namespace tutti::codegen
