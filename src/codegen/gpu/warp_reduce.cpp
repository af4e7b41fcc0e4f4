// One warp reduces one tile. A thread keeps eight of the 256 lanes. In order, these are lanes 4t to
// 4t + 3 and the same plus 128, four for each wide access; otherwise lanes t, t + 32, ..., t + 224.
#include "codegen/gpu/gpu_function.hpp"
#include "codegen/gpu/reduction.hpp"

namespace tutti::codegen {
namespace {

class GpuWarpReduce : GpuReduction {
 public:
  GpuWarpReduce(const GpuFunction& function, const compiler::Kernel& kernel,
                const schedule::WarpReduce& reduce)
      : GpuReduction(function, kernel, reduce.lanes), reduce_(reduce) {
    in_order_ = reduce.in_order();
  }

  void emit() {
    const ReductionTiles tiles = begin_wide(warp);
    Value* items = b_.CreateMul(rows_.product_of_extents(0, kernel_.kept), tiles.count());
    Value* item =
        b_.CreateAdd(b_.CreateMul(block_x(), i64(reduce_.warps)), b_.CreateLShr(thread_x(), 5));
    rows_.if_then(b_.CreateICmpSLT(item, items), [&] {
      const Tile tile = find_tile(item, tiles);
      start_sums(warp_sums);
      if (in_order_)
        add_linear(tile.begin, tile.end);
      else
        add_points(tile, lane_, warp_sums, 1);
      store_totals(item);
    });
    b_.CreateRetVoid();
  }

 private:
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

  const schedule::WarpReduce& reduce_;
};

}  // namespace
}  // namespace tutti::codegen

void tutti::schedule::WarpReduce::emit(const codegen::GpuFunction& function,
                                       const Kernel& kernel) const {
  codegen::GpuWarpReduce(function, kernel, *this).emit();
}
