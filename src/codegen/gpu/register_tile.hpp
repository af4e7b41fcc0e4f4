// Emits the register tile of one thread; see compiler/kernel/register_tile.hpp.
#pragma once
#include "codegen/emit/row_emitter.hpp"
#include "compiler/kernel/register_tile.hpp"

namespace tutti::codegen {

// Computes the register tiles of a kernel at a row and column, and stores them if `has_result`.
// Indices are i32; `outer` is the index of the first element of the outer axes, whose coordinates
// are set in `rows`.
void emit_register_tile(RowEmitter& rows, const compiler::Kernel& kernel,
                        const compiler::TileParts& parts, llvm::Value* row, llvm::Value* column,
                        llvm::Value* has_result, llvm::Value* outer);

// Emits one part of a kernel.
class RegisterTileEmitter {
 public:
  struct Loaded;  // values that all parts load from the same address, kept in registers
  RegisterTileEmitter(RowEmitter& rows, const compiler::Kernel& kernel,
                      const compiler::RegisterTile& tile, llvm::Value* row, llvm::Value* column,
                      Loaded& loaded);

  // Sets the values that loops carry or leave, by slot and point.
  void give(const std::vector<llvm::Value*>& values) { given_ = values; }
  // Sets the position in a loop whose turns take several steps: the number of the turn, as i64, and
  // of the step in it.
  void set_step(llvm::Value* turn, int steps_a_turn, int step);

  // Returns the results, one after the other, row by row.
  std::vector<llvm::Value*> emit();

 private:
  using Way = compiler::TileValue::Way;
  struct Place {  // a line of a source that loads share, without the position along it
    int source;
    bool down;                  // the line goes down a column, not along a row
    int across;                 // the row, or the column if it goes down
    int row_step, column_step;  // in a loop: its movement in each step
    std::vector<int> axes;      // of the load
    bool stays() const { return row_step == 0 && column_step == 0; }
    auto operator<=>(const Place&) const = default;
  };

  llvm::Value* i32(int64_t n) { return b_.getInt32(static_cast<uint32_t>(n)); }
  llvm::Value* narrow(llvm::Value* word) { return b_.CreateTrunc(word, b_.getInt32Ty()); }
  llvm::Value* word(int position) { return narrow(rows_.word(position)); }
  llvm::Value* value(int id);
  llvm::Value* compute(int id);
  llvm::Value* load(const compiler::TileValue& v);
  llvm::Value* address(const Place& place, const compiler::Load& load);
  llvm::Value* outer_offset(const compiler::Load& load);
  void note_groups();
  int width_of(const Place& place) const;
  llvm::Value* moved(llvm::Value* place, int64_t step);
  Place place_of(const compiler::TileValue& v) const;
  int place_along(const Place& place, const compiler::TileValue& v) const;

  RowEmitter& rows_;
  Builder& b_;
  const compiler::Kernel& kernel_;
  const compiler::RegisterTile& tile_;
  const int columns_, inner_;
  llvm::Value *const row_, *const column_;
  llvm::Value* turn_ = nullptr;  // as i32; null outside of loops
  int steps_a_turn_ = 1, step_ = 0;
  std::vector<llvm::Value*> given_;
  std::map<int, llvm::Value*> values_;
  Loaded& loaded_;
  std::map<Place, llvm::Value*> addresses_;
  std::map<std::pair<Place, int>, llvm::Value*> wide_;  // by group of elements
  std::map<std::pair<Place, int>, int> used_;           // elements of a group
};

struct RegisterTileEmitter::Loaded {
  std::map<std::pair<Place, int>, llvm::Value*> wide;
};

}  // namespace tutti::codegen
