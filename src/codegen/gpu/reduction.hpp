// The base of reductions on GPUs, by the trees of numerics/reduction_tree.hpp: sums in registers,
// elements added to them, the fold of a warp.
#pragma once
#include "codegen/emit/reduction_tiles.hpp"
#include "codegen/gpu/threads.hpp"
#include "numerics/reduction_tree.hpp"

namespace tutti::codegen {

class GpuReduction : protected GpuThreads {
 protected:
  static constexpr int warp = warp_threads;
  static constexpr int warp_sums = 8;  // of a thread, if a warp has all lanes of the tree
  static_assert(warp * warp_sums == ir::wide_lanes);

  using GpuThreads::GpuThreads;

  // Returns the tiles of a wide reduction, each computed by `threads` threads.
  ReductionTiles begin_wide(int threads) {
    const ReductionTiles tiles(b_, rows_.product_of_extents(kernel_.kept, kernel_.domain.rank),
                               ir::wide_tile);
    lane_ = b_.CreateAnd(thread_x(), i64(threads - 1));
    return tiles;
  }

  Value* identity(int o) {
    const compiler::Output& out = output(o);
    return from_memory(b_, identity_constant(b_.getContext(), out.reduction, out.type), out.type);
  }
  Value* combine(int o, Value* a, Value* c) {
    return emit_combine(b_, output(o).reduction, output(o).type, a, c);
  }

  // The elements of an item of a wide reduction: [begin, end) of the result at `at`.
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

  // Folds and stores the totals of one warp, whose threads hold eight sums each.
  void store_totals(Value* item) {
    for (int o = 0; o < static_cast<int>(kernel_.outputs.size()); ++o) {
      Value* total = fold(o);
      rows_.if_then(b_.CreateICmpEQ(lane_, i64(0)), [&] { store(o, item, total, false); });
    }
  }

  Value* loaded_sum(int o, int k) {
    return b_.CreateLoad(register_type(b_.getContext(), output(o).type),
                         sums_[static_cast<size_t>(o)][static_cast<size_t>(k)]);
  }

  void set_sum(int o, int k, Value* value) {
    b_.CreateStore(value, sums_[static_cast<size_t>(o)][static_cast<size_t>(k)]);
  }

  // Allocates sums in stack slots that become registers.
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

  // Adds the points of `count` lanes: `first`, and every 32nd from there on. `unroll` of each are
  // added at a time, so that their loads are in flight together.
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

  // Returns whether only one axis is reduced: then all points of a tile are in one row.
  bool is_flat() const { return kernel_.domain.rank - kernel_.kept == 1; }

  // Adds the element at a position of the tile to sum k.
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
    if (!in_order_) {  // lanes 32 apart: 128, 64, 32 within the thread
      halve();
      halve();
      halve();
    } else {
      halve();  // 128 apart
    }
    for (int distance = warp / 2; distance > 0; distance /= 2)
      for (Value*& lane : lanes) lane = combine(o, lane, isa_.shuffle(b_, lane, distance));
    while (lanes.size() > 1) halve();  // in order: 2 apart, then neighbours
    return lanes[0];
  }

  Value* lane_ = nullptr;  // the number of the thread among those of its result
  // Whether a thread's sums are lanes 4t to 4t + 3 and the same plus 128; otherwise lanes t, t +
  // 32, ..., t + 224.
  bool in_order_ = false;

 private:
  std::vector<std::vector<Value*>> sums_;
};

}  // namespace tutti::codegen
