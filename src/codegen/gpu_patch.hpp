// The patch of one thread, see passes/tiling.hpp.
#pragma once
#include "codegen/row_emitter.hpp"
#include "passes/patch.hpp"

namespace tutti::codegen {

class PatchEmitter {
 public:
  // The coordinates of all axes but rows and columns are set in `rows`.
  PatchEmitter(RowEmitter& rows, const passes::Kernel& kernel, const passes::Patch& patch);

  // Computes the patch at a row and column; stores it if `has_result`. Numbers are i32; `outer` is
  // that of the first element of the outer axes.
  void emit(llvm::Value* row, llvm::Value* column, llvm::Value* has_result, llvm::Value* outer);

 private:
  using Way = passes::PatchValue::Way;
  struct Place {  // a stretch of a source that loads share: all but the place along it
    int source;
    bool down;              // the stretch goes down a column, not along a row
    int across;             // the row, or the column if it goes down
    std::vector<int> axes;  // of the load
    auto operator<=>(const Place&) const = default;
  };

  llvm::Value* i32(int64_t n) { return b_.getInt32(static_cast<uint32_t>(n)); }
  llvm::Value* narrow(llvm::Value* word) { return b_.CreateTrunc(word, b_.getInt32Ty()); }
  llvm::Value* word(int position) { return narrow(rows_.word(position)); }
  llvm::Value* value(int id);
  llvm::Value* compute(int id);
  llvm::Value* load(const passes::PatchValue& v);
  llvm::Value* address(const Place& place, const passes::Load& load);
  llvm::Value* outer_offset(const passes::Load& load);
  void note_groups();
  int width_of(const Place& place) const { return place.down ? kernel_.tiling.deep : columns_; }
  void store(int output, int row, llvm::Value* outer, llvm::Value* has_result);
  Place place_of(const passes::PatchValue& v) const;

  RowEmitter& rows_;
  Builder& b_;
  const passes::Kernel& kernel_;
  const passes::Patch& patch_;
  const int columns_, inner_;
  llvm::Value *row_ = nullptr, *column_ = nullptr;
  std::map<int, llvm::Value*> values_;
  std::map<Place, llvm::Value*> addresses_;
  std::map<std::pair<Place, int>, llvm::Value*> wide_;  // by group of elements
  std::map<std::pair<Place, int>, int> used_;           // elements of a group
};

}  // namespace tutti::codegen
