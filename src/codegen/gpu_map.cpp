#include "codegen/gpu_map.hpp"

#include "codegen/branches.hpp"
#include "codegen/gpu_patch.hpp"
#include "codegen/gpu_threads.hpp"
#include "codegen/gpu_warp.hpp"

namespace tutti::codegen {
namespace {

constexpr int warp = warp_threads;

class GpuMap : GpuThreads {
 public:
  GpuMap(llvm::Function* function, const passes::Kernel& kernel) : GpuThreads(function, kernel) {}

  void emit() {
    rows_.emit_entry();
    kernel_.tiling.columns ? tiled_stencil() : shape_.linear ? linear_map() : tiled_map();
    b_.CreateRetVoid();
  }

 private:
  void linear_map() {
    rows_.emit_row(coordinates());
    Value* count = rows_.extent(0);
    const int64_t step = int64_t{gpu_tuning.linear_threads} * rows_.lanes();
    Value* start = b_.CreateAdd(b_.CreateMul(block_x(), i64(step * shape_.unroll)),
                                b_.CreateMul(thread_x(), i64(rows_.lanes())));
    Value* last = b_.CreateAdd(start, i64(step * (shape_.unroll - 1) + rows_.lanes()));
    Value* whole = b_.CreateICmpSLE(last, count);
    emit_if(
        b_, whole,
        [&] {
          for (int u = 0; u < shape_.unroll; ++u) {
            Value* j = b_.CreateAdd(start, i64(u * step));
            rows_.emit_point(j, nullptr, false,
                             [&](int o, Value* v, Value*, Value*) { store(o, j, v, true); });
          }
        },
        [&] {
          Value* end = min(b_.CreateAdd(start, i64(step * shape_.unroll)), count);
          rows_.loop(start, end, step, [&](Value* j) {
            Value* mask = rows_.lane_mask(j, count);
            rows_.emit_point(j, mask, true,
                             [&](int o, Value* v, Value*, Value*) { store_lanes(o, j, v, mask); });
          });
        });
  }

  // Element by element, those of the mask.
  void store_lanes(int o, Value* j, Value* value, Value* mask) {
    for (int lane = 0; lane < rows_.lanes(); ++lane) {
      const auto part = [&](Value* v) {
        return rows_.lanes() == 1 ? v : b_.CreateExtractElement(v, static_cast<uint64_t>(lane));
      };
      rows_.if_then(part(mask), [&] { store(o, b_.CreateAdd(j, i64(lane)), part(value), false); });
    }
  }

  void tiled_map() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    Value* row_count = rows_.product_of_extents(0, inner);
    const auto [right, down] = place_in_block();
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(shape_.columns())), right);
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(shape_.rows())), down);
    const auto point = [&](Value* row) {
      auto at = coordinates();
      decode(row, 0, inner, at);
      rows_.emit_row(at);
      Value* element = element_at(row, columns, j);
      rows_.emit_point(j, nullptr, true,
                       [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
    };
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      if (!kernel_.many_rows) {
        rows_.if_then(b_.CreateICmpSLT(first, row_count), [&] { point(first); });
        return;
      }
      Value* step = b_.CreateMul(blocks_y(), i64(shape_.rows()));
      rows_.loop_with(first, row_count, [&](Value* row) {
        point(row);
        return b_.CreateAdd(row, step);
      });
    });
  }

  // The number of an element of the domain.
  Value* element_at(Value* row, Value* columns, Value* column) {
    if (kernel_.wide_index) return b_.CreateAdd(b_.CreateMul(row, columns), column);
    return wide(b_.CreateAdd(b_.CreateMul(narrow(row), narrow(columns)), narrow(column)));
  }

  // Column and row of this thread. Where warps are blocks, threadIdx.y is the number of the warp.
  std::pair<Value*, Value*> place_in_block() {
    if (!shape_.blocks) return {thread_x(), thread_y()};
    const auto divide = [&](Value* v, int n) {
      return std::pair(b_.CreateUDiv(v, i64(n)), b_.CreateURem(v, i64(n)));
    };
    const auto [lane_row, lane_column] = divide(thread_x(), gpu_tuning.warp_columns);
    const auto [warp_row, warp_column] =
        divide(thread_y(), shape_.columns() / gpu_tuning.warp_columns);
    return {b_.CreateAdd(b_.CreateMul(warp_column, i64(gpu_tuning.warp_columns)), lane_column),
            b_.CreateAdd(b_.CreateMul(warp_row, i64(gpu_tuning.warp_rows)), lane_row)};
  }

  // The first blocks take the points of the border, one a thread; the others have a tile for each
  // warp.
  void tiled_stencil() {
    const passes::Patches patches(kernel_, kernel_.tiling.rows, kernel_.tiling.columns);
    const int row = kernel_.inner() - 1;
    auto at = coordinates();
    if (row > 0) decode(block_y(), 0, row, at);
    Value* border_blocks =
        b_.CreateUDiv(b_.CreateAdd(tiling_word(5), i64(gpu_tuning.stencil_threads - 1)),
                      i64(gpu_tuning.stencil_threads));
    emit_if(
        b_, b_.CreateICmpSLT(block_x(), border_blocks), [&] { border(at); },
        [&] { tile(patches, at, b_.CreateSub(block_x(), border_blocks)); });
  }

  // Whole rows above and below, then what is left and right of the rows between.
  void border(const std::vector<Value*>& at) {
    const auto number = [&](int k) { return narrow(tiling_word(k)); };
    const int inner = kernel_.inner(), row = inner - 1;
    Value* height = row >= 0 ? narrow(rows_.extent(row)) : b_.getInt32(1);
    Value* width = narrow(rows_.extent(inner));
    Value *first_row = number(0), *last_row = number(1), *first = number(2), *last = number(3);
    Value* thread =
        narrow(b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.stencil_threads)), thread_x()));
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
      const int several = passes::side_rows(kernel_, kernel_.tiling.rows);
      if (!several) {
        Value* beside = b_.CreateAdd(down, first_row);
        border_point(at, b_.CreateSelect(side, beside, outside), column);
        return;
      }
      emit_if(
          b_, side, [&] { side_patch(at, several, down, column); },
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

  // Rows of one column. The last ones are moved up until they fit.
  void side_patch(std::vector<Value*> at, int rows, Value* number, Value* column) {
    const auto i32 = [&](int n) { return b_.getInt32(static_cast<uint32_t>(n)); };
    Value* top = b_.CreateAdd(narrow(tiling_word(0)), b_.CreateMul(number, i32(rows)));
    top = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, top,
                                   b_.CreateSub(narrow(tiling_word(1)), i32(rows)));
    at[static_cast<size_t>(kernel_.inner())] = wide(column);
    rows_.set_coordinates(at);
    rows_.set_column(wide(column));
    emit_patches(rows_, kernel_, passes::Patches(kernel_, rows, 0), top, column, b_.getTrue(),
                 outer_element());
  }

  // The first element of the rows and columns that this block works on, as i32.
  Value* outer_element() {
    const int row = kernel_.inner() - 1;
    if (row <= 0) return b_.getInt32(0);
    Value* plane = b_.CreateMul(rows_.extent(row), rows_.extent(kernel_.inner()));
    return b_.CreateMul(narrow(block_y()), narrow(plane));
  }

  void tile(const passes::Patches& patches, const std::vector<Value*>& at, Value* block) {
    const auto number = [&](int k) { return narrow(tiling_word(k)); };
    const auto i32 = [&](int n) { return b_.getInt32(static_cast<uint32_t>(n)); };
    const int warps = gpu_tuning.stencil_threads / warp, columns = kernel_.tiling.columns;
    const int lanes_down = kernel_.tiling.lanes_down, lanes_across = warp / lanes_down;
    const int across = (lanes_across - patches.halo_left() - patches.halo_right()) * columns;
    Value* tiles = number(4);
    Value* blocks_across = b_.CreateUDiv(b_.CreateAdd(tiles, i32(warps - 1)), i32(warps));
    Value *down = b_.CreateUDiv(narrow(block), blocks_across),
          *right = b_.CreateURem(narrow(block), blocks_across);
    Value* thread = narrow(thread_x());
    Value* place = b_.CreateAdd(b_.CreateMul(right, i32(warps)), b_.CreateLShr(thread, 5));
    rows_.if_then(b_.CreateICmpULT(place, tiles), [&] {
      // The last tiles are moved back until they fit, and compute some points again.
      Value* first = b_.CreateAdd(number(2), b_.CreateMul(place, i32(across)));
      first = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, first,
                                       b_.CreateSub(number(3), i32(across)));
      Value* lane = b_.CreateAnd(thread, i32(lanes_across - 1));
      Value* column = b_.CreateAdd(
          first, b_.CreateMul(b_.CreateSub(lane, i32(patches.halo_left())), i32(columns)));
      Value* has_result =
          b_.CreateAnd(b_.CreateICmpSGE(lane, i32(patches.halo_left())),
                       b_.CreateICmpSLT(lane, i32(lanes_across - patches.halo_right())));
      const int rows = kernel_.tiling.rows;
      Value* top = b_.CreateAdd(number(0), b_.CreateMul(down, i32(rows * lanes_down)));
      top = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, top,
                                     b_.CreateSub(number(1), i32(rows * lanes_down)));
      if (lanes_down > 1) {
        Value* lane_row = b_.CreateUDiv(b_.CreateAnd(thread, i32(warp - 1)), i32(lanes_across));
        top = b_.CreateAdd(top, b_.CreateMul(lane_row, i32(rows)));
      }
      rows_.set_coordinates(at);
      emit_patches(rows_, kernel_, patches, top, column, has_result, outer_element());
    });
  }

  Value* tiling_word(int k) { return rows_.word(rows_.layout().tiling(k)); }
};

}  // namespace

void emit_gpu_map(llvm::Function* function, const passes::Kernel& kernel) {
  GpuMap(function, kernel).emit();
}

}  // namespace tutti::codegen
