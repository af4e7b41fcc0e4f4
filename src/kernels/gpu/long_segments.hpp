// Segments that are too long for the thread or warp that reduces their neighbours. The segment map
// lists their tiles, which the first blocks of the grid reduce. The block that finishes the last
// tile of a segment reduces the results of its tiles.
#pragma once
#include "kernels/gpu/segment_map.hpp"

namespace tutti::gpu {

// Folds the lanes of a thread, which are `width` apart, and then those of neighbouring threads.
template <class Operator, class U, int count>
U fold_lanes(U (&lanes)[count], int width) {
#pragma unroll
  for (int half = count / 2; half > 0; half /= 2)
#pragma unroll
    for (int k = 0; k < half; ++k) lanes[k] = Operator::combine(lanes[k], lanes[k + half]);
  U total = lanes[0];
  for (int distance = width / 2; distance > 0; distance /= 2)
    total = Operator::combine(total, shuffled_down(total, distance));
  return total;
}

// Reduces up to a tile on a warp: lane l keeps the lanes l, l + 32, ... of the tree. Returns the
// result on lane 0.
template <class Operator, class U, class Index, class Element>
U reduce_by_warp(Index begin, Index end, Element element) {
  constexpr int count = wide_lanes / warp_size;
  U lanes[count];
#pragma unroll
  for (int k = 0; k < count; ++k) lanes[k] = Operator::neutral();
  Index from = begin;
  for (; from + wide_lanes <= end; from += wide_lanes) {
#pragma unroll
    for (int k = 0; k < count; ++k)
      lanes[k] = Operator::combine(lanes[k], element(from + k * warp_size + lane()));
  }
#pragma unroll
  for (int k = 0; k < count; ++k) {
    const Index i = from + k * warp_size + lane();
    if (i < end) lanes[k] = Operator::combine(lanes[k], element(i));
  }
  return fold_lanes<Operator>(lanes, warp_size);
}

template <class U, class Operator, int threads>
class LongSegments {
  static constexpr int lanes_a_thread = wide_lanes / threads, warps = threads / warp_size;
  static constexpr int in_flight = lanes_a_thread == 1 ? 8 : 16;  // elements of a thread
  static constexpr int at_once = in_flight / lanes_a_thread;

 public:
  static constexpr int shared_elements = threads;

  LongSegments(const Operator& source, const ReduceArguments& a)
      : source_(source), a_(a), offsets_{a.offsets, a.offset_count, a.wide_offsets != 0} {}

  // `lanes` has room for shared_elements elements in shared memory.
  void reduce_all(U* lanes) const {
    const i64 tiles = static_cast<i64>(*array<u64>(a_.long_count));
    for (i64 t = block(); t < tiles; t += a_.long_blocks) {
      const LongTile tile = array<LongTile>(a_.long_tiles)[t];
      const i64 begin = offsets_[tile.segment], end = offsets_[tile.segment + 1];
      const i64 from = begin + (t - tile.first) * wide_tile;
      lanes[thread()] = reduce_lanes(from, from + wide_tile < end ? from + wide_tile : end);
      barrier();
      if (warp() == 0) finish(lanes, tile, t, long_tiles_of(end - begin));
      barrier();
    }
  }

 private:
  // Reduces this thread's lanes of a tile: thread(), thread() + threads, ...
  U reduce_lanes(i64 begin, i64 end) const {
    U lanes[lanes_a_thread];
#pragma unroll
    for (int k = 0; k < lanes_a_thread; ++k) lanes[k] = Operator::neutral();
    i64 i = begin + thread();
    for (; i - thread() + at_once * wide_lanes <= end; i += at_once * wide_lanes) {
      U x[at_once][lanes_a_thread];
#pragma unroll
      for (int j = 0; j < at_once; ++j)
#pragma unroll
        for (int k = 0; k < lanes_a_thread; ++k)
          x[j][k] = source_.element(i + j * wide_lanes + k * threads);
#pragma unroll
      for (int j = 0; j < at_once; ++j)
#pragma unroll
        for (int k = 0; k < lanes_a_thread; ++k) lanes[k] = Operator::combine(lanes[k], x[j][k]);
    }
    for (; i - thread() < end; i += wide_lanes)
#pragma unroll
      for (int k = 0; k < lanes_a_thread; ++k)
        if (i + k * threads < end)
          lanes[k] = Operator::combine(lanes[k], source_.element(i + k * threads));
    return fold_lanes<Operator>(lanes, 1);
  }

  // Computes the result of tile t on one warp, and that of its segment if it is the last tile.
  void finish(const U* shared, const LongTile& tile, i64 t, i64 tiles) const {
    U lanes[warps];
#pragma unroll
    for (int k = 0; k < warps; ++k) lanes[k] = shared[k * warp_size + lane()];
    U total = fold_lanes<Operator>(lanes, warp_size);
    if (tiles > 1) {
      u32 before = 0;
      if (lane() == 0) {
        store_relaxed(array<u64>(a_.totals) + t, static_cast<u64>(total));
        fence();
        before = atomic_add(array<u32>(a_.finished) + tile.first, u32{1});
      }
      if (shuffle(before, 0) != static_cast<u32>(tiles - 1)) return;
      fence();
      total = reduce_totals(array<u64>(a_.totals) + tile.first, tiles);
    }
    if (lane() == 0) array<U>(a_.out)[tile.segment] = total;
  }

  // Call it on a warp. Each round stores its results at the front.
  U reduce_totals(Global<u64> totals, i64 count) const {
    while (true) {
      U total = Operator::neutral();
      for (i64 t = 0; t < long_tiles_of(count); ++t) {
        const i64 begin = t * wide_tile, end = begin + wide_tile;
        total = reduce_by_warp<Operator, U>(begin, end < count ? end : count, [&](i64 i) {
          return static_cast<U>(load_relaxed(totals + i));
        });
        if (lane() == 0) store_relaxed(totals + t, static_cast<u64>(total));
        fence();
        warp_barrier();
      }
      if (count <= wide_tile) return total;
      count = long_tiles_of(count);
    }
  }

  const Operator& source_;
  const ReduceArguments& a_;
  const OffsetArray offsets_;
};

}  // namespace tutti::gpu
