// The walk of a recurrence along one line of its axis, point by point. Lines are numbered in
// row-major order of the axes around it, without the innermost one.
#pragma once
#include "codegen/emit/row_emitter.hpp"

namespace tutti::codegen {

class LineWalk {
 public:
  LineWalk(RowEmitter& rows, const compiler::Kernel& kernel)
      : rows_(rows),
        kernel_(kernel),
        length_(rows.extent(kernel.kept)),
        between_(rows.product_of_extents(kernel.kept + 1, kernel.inner())) {}

  // Returns the number of rows from one point of a line to the next.
  llvm::Value* between() const { return between_; }

  // Emits the walk along a line. decode(position, first, last, at) computes coordinates on axes
  // [first, last). visit(n, i) emits point n of the walk, which has coordinate i on the axis.
  template <class Decode, class Visit>
  void walk(llvm::Value* line, std::vector<llvm::Value*> at, Decode decode, Visit visit) {
    Builder& b = rows_.builder();
    const int along = kernel_.kept;
    outer_ = b.CreateUDiv(line, between_);
    middle_ = b.CreateURem(line, between_);
    decode(outer_, 0, along, at);
    decode(middle_, along + 1, kernel_.inner(), at);
    rows_.loop(rows_.i64(0), length_, 1, [&](llvm::Value* n) {
      llvm::Value* i = kernel_.backward ? b.CreateSub(b.CreateSub(length_, n), rows_.i64(1)) : n;
      at[static_cast<size_t>(along)] = i;
      rows_.emit_row(at);
      visit(n, i);
    });
  }

  // Emits the number of the row at coordinate i of the line. Call it while the line is walked.
  llvm::Value* row(llvm::Value* i) {
    Builder& b = rows_.builder();
    return b.CreateAdd(b.CreateMul(b.CreateAdd(b.CreateMul(outer_, length_), i), between_),
                       middle_);
  }

 private:
  RowEmitter& rows_;
  const compiler::Kernel& kernel_;
  llvm::Value* const length_;
  llvm::Value* const between_;
  llvm::Value *outer_ = nullptr, *middle_ = nullptr;
};

}  // namespace tutti::codegen
