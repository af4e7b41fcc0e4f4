#include "codegen/gpu_reduce.hpp"

#include <bit>

#include "codegen/branches.hpp"
#include "codegen/gpu_threads.hpp"
#include "codegen/gpu_warp.hpp"
#include "codegen/reduction_tiles.hpp"
#include "ir/reduction_tree.hpp"

namespace tutti::codegen {
namespace {

constexpr int warp = warp_threads;

class GpuReduction : GpuThreads {
 public:
  GpuReduction(llvm::Function* function, const passes::Kernel& kernel)
      : GpuThreads(function, kernel) {}

  void emit() {
    rows_.emit_entry();
    kernel_.form == passes::Form::reduce_wide ? reduce_wide() : reduce_column();
    b_.CreateRetVoid();
  }

 private:
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
    const ReductionTiles tiles(b_, rows_.product_of_extents(kernel_.kept, kernel_.domain.rank),
                               ir::wide_tile);
    lane_ = b_.CreateAnd(thread_x(), i64((kernel_.few_lanes ? kernel_.few_lanes : warp) - 1));
    if (kernel_.block_unroll) {
      reduce_tile_by_block(tiles);
      return;
    }
    if (kernel_.few_rows) {
      reduce_rectangle();
      return;
    }
    if (kernel_.few_lanes) {
      reduce_few(tiles.length());
      return;
    }
    Value* items = b_.CreateMul(rows_.product_of_extents(0, kernel_.kept), tiles.count());
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(gpu_tuning.reduce_warps)),
                               b_.CreateLShr(thread_x(), 5));
    rows_.if_then(b_.CreateICmpSLT(item, items), [&] {
      const Tile tile = find_tile(item, tiles);
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
    Value* items = rows_.product_of_extents(0, kernel_.kept);
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

  // One tile of a few rows, which has a thread for each column. Threads beyond the last tile
  // compute that one again: a shuffle needs them.
  void reduce_rectangle() {
    Value* items = rows_.product_of_extents(0, kernel_.kept);
    const int64_t tiles_of_block = gpu_tuning.reduce_warps * warp / kernel_.few_lanes;
    Value* item = b_.CreateAdd(b_.CreateMul(block_x(), i64(tiles_of_block)),
                               b_.CreateUDiv(thread_x(), i64(kernel_.few_lanes)));
    Value* there = b_.CreateICmpSLT(item, items);
    auto at = coordinates();
    decode(min(item, b_.CreateSub(items, i64(1))), 0, kernel_.kept, at);
    std::vector<Value*> totals = column_totals(at);
    for (int o = 0; o < static_cast<int>(totals.size()); ++o) {
      Value*& total = totals[static_cast<size_t>(o)];
      for (int distance = kernel_.few_lanes / 2; distance > 0; distance /= 2)
        total = combine(o, total, shuffle(b_, total, distance));
    }
    rows_.if_then(b_.CreateAnd(there, b_.CreateICmpEQ(lane_, i64(0))), [&] {
      for (int o = 0; o < static_cast<int>(totals.size()); ++o)
        store(o, item, totals[static_cast<size_t>(o)], false);
    });
  }

  // The tree over the rows of this thread's column, as many of them written out as their code may
  // take; the rest is a loop. It comes to the rows in the order in which their sums are wanted.
  std::vector<Value*> column_totals(const std::vector<Value*>& at) {
    int together = kernel_.few_rows;
    while (together > 2 &&
           kernel_.code.size() * static_cast<size_t>(together) > gpu_tuning.long_reduction)
      together /= 2;
    const int steps = kernel_.few_rows / together;
    if (steps == 1) return subtree(at, i64(0), 1);
    const int levels = std::countr_zero(static_cast<unsigned>(steps));
    const size_t outputs = kernel_.outputs.size();
    std::vector<Value*> first;  // by level, sums that wait for their other half; then the total
    for (int level = 0; level <= levels; ++level)
      for (size_t o = 0; o < outputs; ++o) first.push_back(identity(static_cast<int>(o)));
    std::vector<Value*> left = emit_steps(b_, steps, first, [&](Value* step, const auto& waiting) {
      Value* reversed = b_.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, step);
      std::vector<Value*> sums = subtree(at, b_.CreateLShr(reversed, i64(64 - levels)), steps);
      std::vector<Value*> next;
      for (int level = 0; level < levels; ++level) {
        const int64_t below = (int64_t{1} << level) - 1;
        Value* complete = b_.CreateICmpEQ(b_.CreateAnd(step, i64(below)), i64(below));
        for (size_t o = 0; o < outputs; ++o) {
          Value* held = waiting[static_cast<size_t>(level) * outputs + o];
          next.push_back(b_.CreateSelect(complete, sums[o], held));
          sums[o] = combine(static_cast<int>(o), held, sums[o]);
        }
      }
      next.insert(next.end(), sums.begin(), sums.end());
      return next;
    });
    return {left.end() - static_cast<ptrdiff_t>(outputs), left.end()};
  }

  // What `row` and every `distance`-th row behind it add up to.
  std::vector<Value*> subtree(const std::vector<Value*>& at, Value* row, int distance) {
    if (distance == kernel_.few_rows) return elements_in(at, row);
    std::vector<Value*> sums = subtree(at, row, 2 * distance);
    const std::vector<Value*> others = subtree(at, b_.CreateAdd(row, i64(distance)), 2 * distance);
    for (size_t o = 0; o < sums.size(); ++o)
      sums[o] = combine(static_cast<int>(o), sums[o], others[o]);
    return sums;
  }

  std::vector<Value*> elements_in(std::vector<Value*> at, Value* row) {
    at[static_cast<size_t>(kernel_.inner() - 1)] = row;
    at[static_cast<size_t>(kernel_.inner())] = lane_;
    rows_.emit_row(at);
    std::vector<Value*> values(kernel_.outputs.size());
    rows_.emit_point(lane_, nullptr, true,
                     [&](int o, Value* v, Value*, Value*) { values[static_cast<size_t>(o)] = v; });
    return values;
  }

  // What a wide reduction reads for one item: elements [begin, end) of the result at `at`.
  struct Tile {
    Value *begin, *end;
    std::vector<Value*> at;
  };
  Tile find_tile(Value* item, const ReductionTiles& tiles) {
    const auto [begin, end] = tiles.elements_of(item);
    Tile tile{begin, end, coordinates()};
    decode(tiles.result_of(item), 0, kernel_.kept, tile.at);
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
  void reduce_tile_by_block(const ReductionTiles& tiles) {
    Value* item = block_x();
    start_sums(1);
    add_points(find_tile(item, tiles), thread_x(), 1, kernel_.block_unroll);
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
    const ReductionTiles tiles(b_, rows_.product_of_extents(kernel_.kept, inner), ir::column_tile);
    Value* items = b_.CreateMul(rows_.product_of_extents(0, kernel_.kept), tiles.count());
    Value* j = b_.CreateAdd(b_.CreateMul(block_x(), i64(shape_.columns())), thread_x());
    Value* first = b_.CreateAdd(b_.CreateMul(block_y(), i64(shape_.rows())), thread_y());
    Value* step = b_.CreateMul(blocks_y(), i64(shape_.rows()));
    rows_.if_then(b_.CreateICmpSLT(j, columns), [&] {
      rows_.loop_with(first, items, [&](Value* item) {
        auto at = coordinates();
        decode(tiles.result_of(item), 0, kernel_.kept, at);
        const auto [begin, end] = tiles.elements_of(item);
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

  Value* lane_ = nullptr;
  std::vector<std::vector<Value*>> sums_;
};

}  // namespace

void emit_gpu_reduction(llvm::Function* function, const passes::Kernel& kernel) {
  GpuReduction(function, kernel).emit();
}

}  // namespace tutti::codegen
