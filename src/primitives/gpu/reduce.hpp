// Segmented reduction: the wide tree of ir/reduction_tree.hpp for each segment. Three kernels, each
// leaving what is too long for it to the next:
//   short   a few threads a segment, up to eight elements each
//   middle  a warp a segment, up to a tile
//   long    a warp a tile; then a warp for each segment reduces the results of its tiles
// The number of segments left over is known on the device only: the later kernels are launched with
// as many warps as fill the device, and walk the lists.
// An Operator provides combine(a, b), neutral(), nothing() and element(words, i).
#pragma once
#include "primitives/gpu/device.hpp"

namespace tutti::gpu {

constexpr int lanes_a_thread = 8;  // of the tree's 256, for a warp
template <class U, class Operator>
class SegmentReduce {
 public:
  SegmentReduce(const i64* words, const ReduceArguments& a)
      : words_(words), a_(a), offsets_{a.offsets, a.offset_count, a.wide_offsets != 0} {}

  void run_short() {
    const int width = static_cast<int>(a_.threads);
    const i64 segment = (block() * block_threads + thread()) / width;
    const int place = thread() & (width - 1);
    const bool exists = segment + 1 < offsets_.count;
    const i64 begin = exists ? offsets_[segment] : 0, end = exists ? offsets_[segment + 1] : 0;
    const bool fits = end - begin <= i64{lanes_a_thread} * width;
    if (exists && !fits && place == 0)
      array<i64>(a_.middle_list)[atomic_add(array<u64>(a_.middle_count), u64{1})] = segment;
    U lanes[lanes_a_thread];
    clear(lanes);
    if (fits) {
#pragma unroll
      for (int k = 0; k < lanes_a_thread; ++k) {
        const i64 i = begin + k * width + place;
        if (i < end) lanes[k] = Operator::combine(lanes[k], Operator::element(words_, i));
      }
    }
    const U total = fold(lanes, width);
    if (exists && fits && place == 0)
      array<U>(a_.out)[segment] = begin < end ? total : Operator::nothing();
  }

  void run_middle() {
    const i64 count = a_.all_middle ? offsets_.count - 1
                                    : static_cast<i64>(load_relaxed(array<u64>(a_.middle_count)));
    for (i64 k = first_warp(); k < count; k += all_warps()) {
      const i64 segment = a_.all_middle ? k : array<i64>(a_.middle_list)[k];
      const i64 begin = offsets_[segment], end = offsets_[segment + 1];
      if (end - begin > wide_tile) {
        leave_to_long(segment, end - begin);
        continue;
      }
      const U total = reduce_tile(begin, end, [&](i64 i) { return Operator::element(words_, i); });
      if (lane() == 0) array<U>(a_.out)[segment] = begin < end ? total : Operator::nothing();
    }
  }

  void run_tiles() {
    const u64 packed = load_relaxed(array<u64>(a_.long_count));
    const i64 segments = static_cast<i64>(packed >> 40);
    const i64 tiles = static_cast<i64>(packed & ((u64{1} << 40) - 1));
    for (i64 t = first_warp(); t < tiles; t += all_warps()) {
      i64 low = 0, high = segments;  // the last segment whose first tile is not after t
      while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        (array<i64>(a_.long_list)[2 * middle + 1] <= t ? low : high) = middle;
      }
      const i64 segment = array<i64>(a_.long_list)[2 * low];
      const i64 begin = offsets_[segment] + (t - array<i64>(a_.long_list)[2 * low + 1]) * wide_tile;
      const i64 stop = offsets_[segment + 1];
      const i64 end = begin + wide_tile < stop ? begin + wide_tile : stop;
      const U total = reduce_tile(begin, end, [&](i64 i) { return Operator::element(words_, i); });
      if (lane() == 0) array<U>(a_.totals)[t] = total;
    }
  }

  void run_totals() {
    const i64 segments = static_cast<i64>(load_relaxed(array<u64>(a_.long_count)) >> 40);
    for (i64 k = first_warp(); k < segments; k += all_warps()) {
      const i64 segment = array<i64>(a_.long_list)[2 * k];
      const Global<U> totals = array<U>(a_.totals) + array<i64>(a_.long_list)[2 * k + 1];
      i64 count = tiles_of(offsets_[segment + 1] - offsets_[segment]);
      while (count > 1) {  // each round leaves its results at the front
        for (i64 t = 0; t < tiles_of(count); ++t) {
          const i64 begin = t * wide_tile, end = begin + wide_tile;
          const U total = reduce_tile(begin, end < count ? end : count,
                                      [&](i64 i) { return load_relaxed(totals + i); });
          if (lane() == 0) store_relaxed(totals + t, total);
          warp_barrier();
        }
        count = tiles_of(count);
      }
      if (lane() == 0) array<U>(a_.out)[segment] = load_relaxed(totals);
    }
  }

 private:
  static i64 tiles_of(i64 count) { return (count + wide_tile - 1) / wide_tile; }
  static i64 first_warp() { return block() * block_warps + warp(); }
  static i64 all_warps() { return blocks() * block_warps; }

  static void clear(U (&lanes)[lanes_a_thread]) {
#pragma unroll
    for (int k = 0; k < lanes_a_thread; ++k) lanes[k] = Operator::neutral();
  }

  void leave_to_long(i64 segment, i64 elements) {
    if (lane() != 0) return;
    const u64 wanted = u64{1} << 40 | static_cast<u64>(tiles_of(elements));
    const u64 before = atomic_add(array<u64>(a_.long_count), wanted);
    const Global<i64> entry = array<i64>(a_.long_list) + 2 * (before >> 40);
    entry[0] = segment;
    entry[1] = static_cast<i64>(before & ((u64{1} << 40) - 1));
  }

  // A warp, up to a tile: lane l of the warp keeps the lanes l, l + 32, ... of the tree.
  template <class Element>
  static U reduce_tile(i64 begin, i64 end, Element element) {
    U lanes[lanes_a_thread];
    clear(lanes);
    i64 from = begin;
    for (; from + wide_lanes <= end; from += wide_lanes) {
#pragma unroll
      for (int k = 0; k < lanes_a_thread; ++k)
        lanes[k] = Operator::combine(lanes[k], element(from + k * warp_size + lane()));
    }
#pragma unroll
    for (int k = 0; k < lanes_a_thread; ++k) {
      const i64 i = from + k * warp_size + lane();
      if (i < end) lanes[k] = Operator::combine(lanes[k], element(i));
    }
    return fold(lanes, warp_size);
  }

  // The lanes that a thread keeps are `width` apart; then those of neighbouring threads.
  static U fold(U (&lanes)[lanes_a_thread], int width) {
#pragma unroll
    for (int half = lanes_a_thread / 2; half > 0; half /= 2)
#pragma unroll
      for (int k = 0; k < half; ++k) lanes[k] = Operator::combine(lanes[k], lanes[k + half]);
    U total = lanes[0];
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      const U other = shuffled_down(total, distance);
      if (distance < width) total = Operator::combine(total, other);
    }
    return total;
  }

  const i64* words_;
  const ReduceArguments& a_;
  const OffsetArray offsets_;
};

}  // namespace tutti::gpu
