#include "codegen/gpu_kernels.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>

#include "codegen/gpu_patch.hpp"
#include "codegen/gpu_warp.hpp"
#include "ir/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

using llvm::Value;
using passes::Form;
using passes::Kernel;

constexpr unsigned global_memory = 1;
constexpr int warp = warp_threads;

Machine machine_for(const GpuShape& shape) {
  Machine machine;
  machine.lanes = shape.lanes;
  machine.global = global_memory;
  return machine;
}

class GpuKernel {
 public:
  GpuKernel(llvm::Function* function, const Kernel& kernel)
      : kernel_(kernel),
        shape_(gpu_shape(kernel)),
        b_(llvm::BasicBlock::Create(function->getContext(), "entry", function)),
        rows_(b_, kernel, machine_for(shape_), function->getArg(0)) {}

  void emit() {
    rows_.emit_entry();
    if (kernel_.form == Form::map)
      kernel_.tiling.columns ? tiled_stencil() : shape_.linear ? linear_map() : tiled_map();
    else if (kernel_.form == Form::reduce_wide)
      reduce_wide();
    else
      reduce_column();
    b_.CreateRetVoid();
  }

 private:
  Value* i64(int64_t n) { return rows_.i64(n); }
  Value* special(llvm::Intrinsic::ID id) {
    return b_.CreateZExt(b_.CreateIntrinsic(id, {}), b_.getInt64Ty());
  }
  Value* thread_x() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x); }
  Value* thread_y() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y); }
  Value* block_x() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x); }
  Value* block_y() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y); }
  Value* blocks_y() { return special(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y); }
  Value* narrow(Value* v) { return b_.CreateTrunc(v, b_.getInt32Ty()); }
  Value* wide(Value* v) { return b_.CreateZExt(v, b_.getInt64Ty()); }
  Value* tiling_word(int k) { return rows_.word(rows_.layout().tiling(k)); }
  Value* min(Value* a, Value* c) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, c); }
  llvm::Type* stored_type(ElementType type) { return memory_type(b_.getContext(), type); }
  const passes::Output& output(int o) const { return kernel_.outputs[static_cast<size_t>(o)]; }
  Value* target(int o, Value* element) {
    return b_.CreateGEP(stored_type(output(o).type), rows_.pointer_word(rows_.layout().output(o)),
                        element);
  }
  std::vector<Value*> coordinates() {
    return std::vector<Value*>(static_cast<size_t>(kernel_.domain.rank), i64(0));
  }

  // Positions fit 32 bits unless the kernel says otherwise; 32-bit division is several times
  // faster.
  void decode(Value* position, int first, int last, std::vector<Value*>& at) {
    llvm::Type* type = kernel_.wide_index ? b_.getInt64Ty() : b_.getInt32Ty();
    const auto shortened = [&](Value* v) { return b_.CreateTrunc(v, type); };
    for (int dim = last - 1; dim > first; --dim) {
      Value* extent = shortened(rows_.extent(dim));
      at[static_cast<size_t>(dim)] = wide(b_.CreateURem(shortened(position), extent));
      position = wide(b_.CreateUDiv(shortened(position), extent));
    }
    if (first < last) at[static_cast<size_t>(first)] = position;
  }

  Value* product_of_extents(int first, int last) {
    Value* result = i64(1);
    for (int dim = first; dim < last; ++dim) result = b_.CreateMul(result, rows_.extent(dim));
    return result;
  }

  void store(int o, Value* element, Value* value, bool wide) {
    const int bytes = size_of(output(o).type) * (wide ? rows_.lanes() : 1);
    b_.CreateAlignedStore(to_memory(b_, value, output(o).type), target(o, element),
                          llvm::Align(static_cast<uint64_t>(bytes)));
  }

  // ---- map

  void linear_map() {
    rows_.emit_row(coordinates());
    Value* count = rows_.extent(0);
    const int64_t step = int64_t{gpu_tuning.linear_threads} * rows_.lanes();
    Value* start = b_.CreateAdd(b_.CreateMul(block_x(), i64(step * shape_.unroll)),
                                b_.CreateMul(thread_x(), i64(rows_.lanes())));
    Value* last = b_.CreateAdd(start, i64(step * (shape_.unroll - 1) + rows_.lanes()));
    Value* whole = b_.CreateICmpSLE(last, count);
    if_else(
        whole,
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
    Value* row_count = product_of_extents(0, inner);
    const auto [right, down] = place_in_block();
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(shape_.columns())), right);
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(shape_.rows())), down);
    Value* step = b_.CreateMul(blocks_y(), i64(shape_.rows()));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(first, row_count, [&](Value* row) {
        auto at = coordinates();
        decode(row, 0, inner, at);
        rows_.emit_row(at);
        Value* element = b_.CreateAdd(b_.CreateMul(row, columns), j);
        rows_.emit_point(j, nullptr, true,
                         [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
        return b_.CreateAdd(row, step);
      });
    });
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
    const passes::Patch patch(kernel_, kernel_.tiling.rows, kernel_.tiling.columns);
    const int row = kernel_.inner() - 1;
    auto at = coordinates();
    if (row > 0) decode(block_y(), 0, row, at);
    Value* border_blocks =
        b_.CreateUDiv(b_.CreateAdd(tiling_word(5), i64(gpu_tuning.stencil_threads - 1)),
                      i64(gpu_tuning.stencil_threads));
    if_else(
        b_.CreateICmpSLT(block_x(), border_blocks), [&] { border_point(at); },
        [&] { tile(patch, at, b_.CreateSub(block_x(), border_blocks)); });
  }

  void border_point(std::vector<Value*> at) {
    const auto number = [&](int k) { return narrow(tiling_word(k)); };
    const int inner = kernel_.inner(), row = inner - 1;
    Value* height = row >= 0 ? narrow(rows_.extent(row)) : b_.getInt32(1);
    Value* width = narrow(rows_.extent(inner));
    Value *first_row = number(0), *last_row = number(1), *first = number(2), *last = number(3);
    Value* point =
        narrow(b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.stencil_threads)), thread_x()));
    rows_.if_then(b_.CreateICmpULT(point, number(5)), [&] {
      // Whole rows above and below, then what is left and right of the rows between.
      Value* whole = b_.CreateMul(b_.CreateSub(height, b_.CreateSub(last_row, first_row)), width);
      Value* side = b_.CreateICmpUGE(point, whole);
      Value* place = b_.CreateSelect(side, b_.CreateSub(point, whole), point);
      Value* across = b_.CreateSelect(side, b_.CreateSub(width, b_.CreateSub(last, first)), width);
      Value *down = b_.CreateUDiv(place, across), *right = b_.CreateURem(place, across);
      const auto beyond = [&](Value* v, Value* from, Value* to) {
        return b_.CreateSelect(b_.CreateICmpULT(v, from), v,
                               b_.CreateAdd(b_.CreateSub(v, from), to));
      };
      down =
          b_.CreateSelect(side, b_.CreateAdd(down, first_row), beyond(down, first_row, last_row));
      right = b_.CreateSelect(side, beyond(right, first, last), right);
      if (row >= 0) at[static_cast<size_t>(row)] = wide(down);
      rows_.emit_row(at);
      Value* element = b_.CreateAdd(b_.CreateMul(wide(down), wide(width)), wide(right));
      if (row > 0)
        element =
            b_.CreateAdd(element, b_.CreateMul(block_y(), b_.CreateMul(wide(height), wide(width))));
      rows_.emit_point(wide(right), nullptr, true,
                       [&](int o, Value* v, Value*, Value*) { store(o, element, v, false); });
    });
  }

  void tile(const passes::Patch& patch, const std::vector<Value*>& at, Value* block) {
    const auto number = [&](int k) { return narrow(tiling_word(k)); };
    const auto i32 = [&](int n) { return b_.getInt32(static_cast<uint32_t>(n)); };
    const int warps = gpu_tuning.stencil_threads / warp, columns = kernel_.tiling.columns;
    const int inner = kernel_.inner(), row = inner - 1;
    const int across = (warp - patch.halo_left() - patch.halo_right()) * columns;
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
      Value* lane = b_.CreateAnd(thread, i32(warp - 1));
      Value* column = b_.CreateAdd(
          first, b_.CreateMul(b_.CreateSub(lane, i32(patch.halo_left())), i32(columns)));
      Value* has_result = b_.CreateAnd(b_.CreateICmpSGE(lane, i32(patch.halo_left())),
                                       b_.CreateICmpSLT(lane, i32(warp - patch.halo_right())));
      const int rows = kernel_.tiling.rows;
      Value* top = b_.CreateAdd(number(0), b_.CreateMul(down, i32(rows)));
      top =
          b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, top, b_.CreateSub(number(1), i32(rows)));
      rows_.set_coordinates(at);
      Value* outer = i32(0);
      if (row > 0)
        outer = b_.CreateMul(narrow(block_y()),
                             narrow(b_.CreateMul(rows_.extent(row), rows_.extent(inner))));
      PatchEmitter(rows_, kernel_, patch).emit(top, column, has_result, outer);
    });
  }

  // ---- reductions: the trees of ir/reduction_tree.hpp

  Value* identity(int o) {
    const passes::Output& out = output(o);
    return from_memory(b_, identity_constant(b_.getContext(), out.reduction, out.type), out.type);
  }
  Value* combine(int o, Value* a, Value* c) {
    return emit_combine(b_, output(o).reduction, output(o).type, a, c);
  }

  // One warp reduces one tile. A thread keeps eight of the 256 lanes: linear, lanes 4t to 4t + 3
  // and the same 128 further on, each four one wide access; else lanes t, t + 32, ..., t + 224.
  void reduce_wide() {
    const int first_reduced = kernel_.kept;
    Value* length = product_of_extents(first_reduced, kernel_.domain.rank);
    Value* tiles = b_.CreateUDiv(b_.CreateAdd(length, i64(ir::wide_tile - 1)), i64(ir::wide_tile));
    lane_ = b_.CreateAnd(thread_x(), i64((kernel_.few_lanes ? kernel_.few_lanes : warp) - 1));
    if (kernel_.block_unroll) {
      reduce_tile_by_block(length, tiles);
      return;
    }
    if (kernel_.few_lanes) {
      reduce_few(length);
      return;
    }
    Value* items = b_.CreateMul(product_of_extents(0, kernel_.kept), tiles);
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.reduce_warps)),
                               b_.CreateLShr(thread_x(), 5));
    rows_.if_then(b_.CreateICmpSLT(item, items), [&] {
      const Tile tile = find_tile(item, tiles, length);
      start_sums(8);
      if (shape_.linear)
        add_linear(tile.begin, tile.end);
      else
        add_points(tile, lane_, 8, 1);
      store_totals(item);
    });
  }

  // One tile that has an element for each of a few threads at most. All threads of a warp fold,
  // those beyond the last tile too: a shuffle needs them.
  void reduce_few(Value* length) {
    Value* items = product_of_extents(0, kernel_.kept);
    const int64_t tiles_of_block = gpu_tuning.reduce_warps * warp / kernel_.few_lanes;
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(tiles_of_block)),
                               b_.CreateUDiv(thread_x(), i64(kernel_.few_lanes)));
    Value* there = b_.CreateICmpSLT(item, items);
    start_sums(1);
    rows_.if_then(b_.CreateAnd(there, b_.CreateICmpSLT(lane_, length)), [&] {
      Tile tile{lane_, nullptr, coordinates()};
      decode(item, 0, kernel_.kept, tile.at);
      if (is_flat()) rows_.emit_row(tile.at);
      add_point(tile, lane_, 0);
    });
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      Value* total = loaded_sum(o, 0);
      for (int distance = kernel_.few_lanes / 2; distance > 0; distance /= 2)
        total = combine(o, total, shuffle(b_, total, distance));
      rows_.if_then(b_.CreateAnd(there, b_.CreateICmpEQ(lane_, i64(0))),
                    [&] { store(o, item, total, false); });
    }
  }

  // What a wide reduction reads for one item: elements [begin, end) of the result at `at`.
  struct Tile {
    Value *begin, *end;
    std::vector<Value*> at;
  };
  Tile find_tile(Value* item, Value* tiles, Value* length) {
    Tile tile{b_.CreateMul(b_.CreateURem(item, tiles), i64(ir::wide_tile)), nullptr, coordinates()};
    tile.end = min(b_.CreateAdd(tile.begin, i64(ir::wide_tile)), length);
    decode(b_.CreateUDiv(item, tiles), 0, kernel_.kept, tile.at);
    return tile;
  }

  // By one warp, whose threads hold eight sums each.
  void store_totals(Value* item) {
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      Value* total = fold(o);
      rows_.if_then(b_.CreateICmpEQ(lane_, i64(0)), [&] { store(o, item, total, false); });
    }
  }

  // One block reduces one tile: a thread for each lane of the tree. What the threads have goes
  // through shared memory to the first warp, which folds it as if it had added everything itself.
  void reduce_tile_by_block(Value* length, Value* tiles) {
    Value* item = block_x();
    start_sums(1);
    add_points(find_tile(item, tiles, length), thread_x(), 1, kernel_.block_unroll);
    std::vector<llvm::Value*> shared;
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      llvm::Type* type = stored_type(output(o).type);
      shared.push_back(shared_array(type, ir::wide_lanes));
      b_.CreateStore(to_memory(b_, loaded_sum(o, 0), output(o).type),
                     b_.CreateGEP(type, shared.back(), thread_x()));
    }
    b_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {b_.getInt32(0)});
    rows_.if_then(b_.CreateICmpULT(thread_x(), i64(warp)), [&] {
      start_sums(8);
      for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
        llvm::Type* type = stored_type(output(o).type);
        for (int k = 0; k < 8; ++k) {
          Value* place = b_.CreateGEP(type, shared[static_cast<size_t>(o)],
                                      b_.CreateAdd(lane_, i64(k * warp)));
          b_.CreateStore(from_memory(b_, b_.CreateLoad(type, place), output(o).type),
                         sums_[static_cast<size_t>(o)][static_cast<size_t>(k)]);
        }
      }
      store_totals(item);
    });
  }

  llvm::Value* shared_array(llvm::Type* element, int64_t count) {
    constexpr unsigned shared_memory = 3;
    auto* type = llvm::ArrayType::get(element, static_cast<uint64_t>(count));
    return new llvm::GlobalVariable(*b_.GetInsertBlock()->getModule(), type, false,
                                    llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
                                    "shared", nullptr, llvm::GlobalValue::NotThreadLocal,
                                    shared_memory);
  }

  Value* loaded_sum(int o, int k) {
    return b_.CreateLoad(register_type(b_.getContext(), output(o).type),
                         sums_[static_cast<size_t>(o)][static_cast<size_t>(k)]);
  }

  // Sums live in stack slots that become registers.
  void start_sums(int count) {
    sums_.clear();
    Builder entry(&b_.GetInsertBlock()->getParent()->getEntryBlock(),
                  b_.GetInsertBlock()->getParent()->getEntryBlock().begin());
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      std::vector<Value*>& slots = sums_.emplace_back();
      for (int k = 0; k < count; ++k) {
        slots.push_back(entry.CreateAlloca(register_type(b_.getContext(), output(o).type)));
        b_.CreateStore(identity(o), slots.back());
      }
    }
  }

  void add_to(int o, int k, Value* value, Value* active) {
    Value* slot = sums_[static_cast<size_t>(o)][static_cast<size_t>(k)];
    Value* before = b_.CreateLoad(value->getType(), slot);
    Value* after = combine(o, before, value);
    b_.CreateStore(active ? b_.CreateSelect(active, after, before) : after, slot);
  }

  void add_linear(Value* begin, Value* end) {
    rows_.emit_row(coordinates());
    const auto lane = [&](Value* v, int c) {
      return b_.CreateExtractElement(v, static_cast<uint64_t>(c));
    };
    const auto step = [&](Value* base, bool whole) {
      for (int half = 0; half < 2; ++half) {
        Value* j = b_.CreateAdd(base, i64(half * 128));
        Value* mask = whole ? nullptr : rows_.lane_mask(j, end);
        rows_.emit_point(j, mask, !whole, [&](int o, Value* v, Value*, Value*) {
          for (int c = 0; c < 4; ++c)
            add_to(o, half * 4 + c, lane(v, c), mask ? lane(mask, c) : nullptr);
        });
      }
    };
    Value* mine = b_.CreateMul(lane_, i64(4));
    constexpr int64_t stretch = 4 * ir::wide_lanes;  // four steps in flight
    Value* whole = b_.CreateAdd(begin, b_.CreateAnd(b_.CreateSub(end, begin), i64(-stretch)));
    rows_.loop(begin, whole, stretch, [&](Value* from) {
      for (int s = 0; s < 4; ++s)
        step(b_.CreateAdd(b_.CreateAdd(from, i64(s * ir::wide_lanes)), mine), true);
    });
    rows_.loop(whole, end, ir::wide_lanes,
               [&](Value* from) { step(b_.CreateAdd(from, mine), false); });
  }

  // The points of `count` lanes: `first`, and every 32nd from there on; `unroll` of each at a time,
  // so that their loads are in flight together.
  void add_points(Tile tile, Value* first, int count, int unroll) {
    Value *begin = tile.begin, *end = tile.end;
    if (is_flat()) rows_.emit_row(tile.at);
    const auto lane = [&](Value* from, int k) {
      return b_.CreateAdd(b_.CreateAdd(from, i64(k * warp)), first);
    };
    const int64_t stretch = int64_t{unroll} * ir::wide_lanes;
    Value* whole = b_.CreateAdd(begin, b_.CreateAnd(b_.CreateSub(end, begin), i64(-stretch)));
    rows_.loop(begin, whole, stretch, [&](Value* from) {
      for (int u = 0; u < unroll; ++u)
        for (int k = 0; k < count; ++k)
          add_point(tile, lane(b_.CreateAdd(from, i64(u * ir::wide_lanes)), k), k);
    });
    rows_.loop(whole, end, ir::wide_lanes, [&](Value* from) {
      for (int k = 0; k < count; ++k)
        rows_.if_then(b_.CreateICmpSLT(lane(from, k), end),
                      [&] { add_point(tile, lane(from, k), k); });
    });
  }

  // Whether one axis is reduced: then all points of a tile are in one row.
  bool is_flat() const { return kernel_.domain.rank - kernel_.kept == 1; }

  // The element at a position of the tile, to sum k.
  void add_point(Tile& tile, Value* position, int k) {
    Value* j = position;
    if (!is_flat()) {
      decode(position, kernel_.kept, kernel_.domain.rank, tile.at);
      j = tile.at[static_cast<size_t>(kernel_.inner())];
      rows_.emit_row(tile.at);
    }
    rows_.emit_point(j, nullptr, true,
                     [&](int o, Value* v, Value*, Value*) { add_to(o, k, v, nullptr); });
  }

  Value* fold(int o) {
    std::vector<Value*> lanes;
    for (Value* slot : sums_[static_cast<size_t>(o)])
      lanes.push_back(b_.CreateLoad(register_type(b_.getContext(), output(o).type), slot));
    const auto halve = [&] {
      for (size_t k = 0; k < lanes.size() / 2; ++k)
        lanes[k] = combine(o, lanes[k], lanes[k + lanes.size() / 2]);
      lanes.resize(lanes.size() / 2);
    };
    if (!shape_.linear) {  // lanes 32 apart: 128, 64, 32 within the thread
      halve();
      halve();
      halve();
    } else {
      halve();  // 128 apart
    }
    for (int distance = warp / 2; distance > 0; distance /= 2)
      for (Value*& lane : lanes) lane = combine(o, lane, shuffle(b_, lane, distance));
    while (lanes.size() > 1) halve();  // linear: 2 apart, then neighbours
    return lanes[0];
  }

  void reduce_column() {
    const int inner = kernel_.inner();
    Value* columns = rows_.extent(inner);
    Value* length = product_of_extents(kernel_.kept, inner);
    Value* tiles =
        b_.CreateUDiv(b_.CreateAdd(length, i64(ir::column_tile - 1)), i64(ir::column_tile));
    Value* items = b_.CreateMul(product_of_extents(0, kernel_.kept), tiles);
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.tile_columns)), thread_x());
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(gpu_tuning.tile_rows)), thread_y());
    Value* step = b_.CreateMul(blocks_y(), i64(gpu_tuning.tile_rows));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(first, items, [&](Value* item) {
        auto at = coordinates();
        decode(b_.CreateUDiv(item, tiles), 0, kernel_.kept, at);
        Value* begin = b_.CreateMul(b_.CreateURem(item, tiles), i64(ir::column_tile));
        Value* end = min(b_.CreateAdd(begin, i64(ir::column_tile)), length);
        start_sums(1);
        rows_.loop(begin, end, 1, [&](Value* row) {
          decode(row, kernel_.kept, inner, at);
          rows_.emit_row(at);
          rows_.emit_point(j, nullptr, true,
                           [&](int o, Value* v, Value*, Value*) { add_to(o, 0, v, nullptr); });
        });
        Value* element = b_.CreateAdd(b_.CreateMul(item, columns), j);
        for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o)
          store(o, element,
                b_.CreateLoad(register_type(b_.getContext(), output(o).type),
                              sums_[static_cast<size_t>(o)][0]),
                false);
        return b_.CreateAdd(item, step);
      });
    });
  }

  void if_else(Value* condition, const std::function<void()>& yes,
               const std::function<void()>& no) {
    llvm::Function* function = b_.GetInsertBlock()->getParent();
    auto* first = llvm::BasicBlock::Create(b_.getContext(), "whole", function);
    auto* second = llvm::BasicBlock::Create(b_.getContext(), "part", function);
    auto* after = llvm::BasicBlock::Create(b_.getContext(), "end", function);
    b_.CreateCondBr(condition, first, second);
    b_.SetInsertPoint(first);
    yes();
    b_.CreateBr(after);
    b_.SetInsertPoint(second);
    no();
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  const Kernel& kernel_;
  const GpuShape shape_;
  Builder b_;
  RowEmitter rows_;
  Value* lane_ = nullptr;
  std::vector<std::vector<Value*>> sums_;
};

}  // namespace

llvm::Function* emit_gpu_kernel(llvm::Module& module, const Kernel& kernel) {
  auto& context = module.getContext();
  const passes::ArgumentLayout layout(kernel);
  // Few words are the parameter itself; many are in memory, and the parameter says where.
  const bool by_value = layout.words() <= most_parameter_words;
  auto* words =
      llvm::ArrayType::get(llvm::Type::getInt64Ty(context), static_cast<uint64_t>(layout.words()));
  auto* parameter = llvm::PointerType::get(context, by_value ? 0 : global_memory);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {parameter}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "kernel", module);
  function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (by_value) {
    function->addParamAttr(0, llvm::Attribute::getWithByValType(context, words));
    function->addParamAttr(0, llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
    function->addParamAttr(0, llvm::Attribute::get(context, "nvvm.grid_constant"));
  }
  const GpuShape shape = gpu_shape(kernel);
  const bool tiled = kernel.form != Form::reduce_wide && !shape.linear && !kernel.tiling.columns;
  function->addFnAttr("nvvm.maxntid",
                      tiled ? std::to_string(shape.columns()) + "," + std::to_string(shape.rows())
                            : std::to_string(kernel.tiling.columns ? gpu_tuning.stencil_threads
                                                                   : gpu_tuning.linear_threads));
  // The border may spill registers: it is few points, and must not keep warps of patches away.
  if (kernel.tiling.columns)
    function->addFnAttr("nvvm.maxnreg", std::to_string(gpu_tuning.stencil_registers));
  GpuKernel(function, kernel).emit();
  return function;
}

}  // namespace tutti::codegen
