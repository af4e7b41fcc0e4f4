// Stencils by register tiles: a warp computes a range of columns and a few rows, a thread one tile
// of them (register_tile.hpp).
#include "codegen/emit/branches.hpp"
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/register_tile.hpp"
#include "codegen/gpu/threads.hpp"

namespace tutti::codegen {
namespace {

constexpr int warp = warp_threads;

class GpuRegisterTiles : GpuThreads {
 public:
  GpuRegisterTiles(const GpuFunction& function, const compiler::Kernel& kernel,
                   const schedule::RegisterTiles& tiles)
      : GpuThreads(function, kernel, 1), tiles_(tiles) {}

  // The first blocks compute the points of the border, one for each thread; the others compute one
  // tile for each warp.
  void emit() {
    const compiler::TileParts parts(kernel_, tiles_.rows, tiles_.columns);
    const int row = kernel_.inner() - 1;
    auto at = coordinates();
    if (row > 0) decode(block_y(), 0, row, at);
    Value* border_blocks =
        b_.CreateUDiv(b_.CreateAdd(tiling_word(5), i64(tiles_.threads - 1)), i64(tiles_.threads));
    emit_if(
        b_, b_.CreateICmpSLT(block_x(), border_blocks), [&] { border(at); },
        [&] { tile(parts, at, b_.CreateSub(block_x(), border_blocks)); });
    b_.CreateRetVoid();
  }

 private:
  // Computes whole rows above and below, then the columns left and right of the rows between.
  void border(const std::vector<Value*>& at) {
    const auto number = [&](int k) { return narrow(tiling_word(k)); };
    const int inner = kernel_.inner(), row = inner - 1;
    Value* height = row >= 0 ? narrow(rows_.extent(row)) : b_.getInt32(1);
    Value* width = narrow(rows_.extent(inner));
    Value *first_row = number(0), *last_row = number(1), *first = number(2), *last = number(3);
    Value* thread = narrow(b_.CreateAdd(b_.CreateMul(block_x(), i64(tiles_.threads)), thread_x()));
    const auto beyond = [&](Value* v, Value* from, Value* to) {
      return b_.CreateSelect(b_.CreateICmpULT(v, from), v, b_.CreateAdd(b_.CreateSub(v, from), to));
    };
    rows_.if_then(b_.CreateICmpULT(thread, number(5)), [&] {
      Value* whole = b_.CreateMul(b_.CreateSub(height, b_.CreateSub(last_row, first_row)), width);
      Value* side = b_.CreateICmpUGE(thread, whole);
      Value* place = b_.CreateSelect(side, b_.CreateSub(thread, whole), thread);
      Value* across = b_.CreateSelect(side, b_.CreateSub(width, b_.CreateSub(last, first)), width);
      Value *down = b_.CreateUDiv(place, across), *right = b_.CreateURem(place, across);
      Value* column = b_.CreateSelect(side, beyond(right, first, last), right);
      Value* outside = beyond(down, first_row, last_row);
      const int several = compiler::side_rows(kernel_, tiles_.rows);
      if (!several) {
        Value* beside = b_.CreateAdd(down, first_row);
        border_point(at, b_.CreateSelect(side, beside, outside), column);
        return;
      }
      emit_if(
          b_, side, [&] { side_tile(at, several, down, column); },
          [&] { border_point(at, outside, column); });
    });
  }

  void border_point(std::vector<Value*> at, Value* down, Value* right) {
    if (kernel_.inner() > 0) at[static_cast<size_t>(kernel_.inner() - 1)] = wide(down);
    rows_.emit_row(at);
    Value* element =
        b_.CreateAdd(b_.CreateMul(wide(down), rows_.extent(kernel_.inner())), wide(right));
    element = b_.CreateAdd(element, wide(outer_element()));
    rows_.emit_point(wide(right), nullptr, true,
                     [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
  }

  // Computes several rows of one column. The last ones are moved up until they fit.
  void side_tile(std::vector<Value*> at, int rows, Value* number, Value* column) {
    const auto i32 = [&](int n) { return b_.getInt32(static_cast<uint32_t>(n)); };
    Value* top = b_.CreateAdd(narrow(tiling_word(0)), b_.CreateMul(number, i32(rows)));
    top = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, top,
                                   b_.CreateSub(narrow(tiling_word(1)), i32(rows)));
    at[static_cast<size_t>(kernel_.inner())] = wide(column);
    rows_.set_coordinates(at);
    rows_.set_column(wide(column));
    emit_register_tile(rows_, kernel_, compiler::TileParts(kernel_, rows, 0), top, column,
                       b_.getTrue(), outer_element());
  }

  // Returns the index of the first element of this block's rows and columns, as i32.
  Value* outer_element() {
    const int row = kernel_.inner() - 1;
    if (row <= 0) return b_.getInt32(0);
    Value* plane = b_.CreateMul(rows_.extent(row), rows_.extent(kernel_.inner()));
    return b_.CreateMul(narrow(block_y()), narrow(plane));
  }

  void tile(const compiler::TileParts& parts, const std::vector<Value*>& at, Value* block) {
    const auto number = [&](int k) { return narrow(tiling_word(k)); };
    const auto i32 = [&](int n) { return b_.getInt32(static_cast<uint32_t>(n)); };
    const int warps = tiles_.threads / warp, columns = tiles_.columns;
    const int lanes_down = tiles_.lanes_down, lanes_across = warp / lanes_down;
    const int across = (lanes_across - parts.halo_left() - parts.halo_right()) * columns;
    Value* tiles = number(4);
    Value* blocks_across = b_.CreateUDiv(b_.CreateAdd(tiles, i32(warps - 1)), i32(warps));
    Value *down = b_.CreateUDiv(narrow(block), blocks_across),
          *right = b_.CreateURem(narrow(block), blocks_across);
    Value* thread = narrow(thread_x());
    Value* place = b_.CreateAdd(b_.CreateMul(right, i32(warps)), b_.CreateLShr(thread, 5));
    rows_.if_then(b_.CreateICmpULT(place, tiles), [&] {
      // The last tiles are moved back until they fit, and recompute some points.
      Value* first = b_.CreateAdd(number(2), b_.CreateMul(place, i32(across)));
      first = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, first,
                                       b_.CreateSub(number(3), i32(across)));
      Value* lane = b_.CreateAnd(thread, i32(lanes_across - 1));
      Value* column = b_.CreateAdd(
          first, b_.CreateMul(b_.CreateSub(lane, i32(parts.halo_left())), i32(columns)));
      Value* has_result =
          b_.CreateAnd(b_.CreateICmpSGE(lane, i32(parts.halo_left())),
                       b_.CreateICmpSLT(lane, i32(lanes_across - parts.halo_right())));
      const int rows = tiles_.rows;
      Value* top = b_.CreateAdd(number(0), b_.CreateMul(down, i32(rows * lanes_down)));
      top = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, top,
                                     b_.CreateSub(number(1), i32(rows * lanes_down)));
      if (lanes_down > 1) {
        Value* lane_row = b_.CreateUDiv(b_.CreateAnd(thread, i32(warp - 1)), i32(lanes_across));
        top = b_.CreateAdd(top, b_.CreateMul(lane_row, i32(rows)));
      }
      rows_.set_coordinates(at);
      emit_register_tile(rows_, kernel_, parts, top, column, has_result, outer_element());
    });
  }

  Value* tiling_word(int k) { return rows_.word(rows_.layout().tiling(k)); }

  const schedule::RegisterTiles& tiles_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::RegisterTiles::emit(const codegen::GpuFunction& function,
                                          const Kernel& kernel) const {
  codegen::GpuRegisterTiles(function, kernel, *this).emit();
}
