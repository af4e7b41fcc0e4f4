// Segmented reduction: the wide tree of ir/reduction_tree.hpp for each segment.
//   few    where segments are short: a block computes the elements of many segments in the order of
//          memory and leaves them in shared memory, where a few threads reduce each segment.
//          (Blocks that were cut by elements, for lengths that differ much, were slower: 0.28
//          against 0.23 ms for 10^8 floats in segments with lengths of a power law.)
//   warps  a warp a segment
// Both leave what is too long for them in a list to the long kernels: a block a tile, then a warp
// for each segment that reduces the results of its tiles. How many there are is known on the device
// only: those kernels are launched with as many blocks as there can be or fill it, and walk the
// list.
//
// An Operator is that of a scan, and says whether it computes four elements faster at once
// (in_pieces()).
#pragma once
#include "primitives/gpu/device.hpp"

namespace tutti::gpu {

constexpr int lanes_a_thread = 8;  // of the tree's 256, for a warp

template <class U, class Operator>
class SegmentReduce {
 public:
  struct Staged {
    // A gap after every 32 elements: segments of 16 or 32 would meet in one bank.
    U elements[staged_elements + staged_elements / 32];
    i64 offsets[staged_segments + 1];
    U& operator[](int i) { return elements[i + (i >> 5)]; }
  };

  SegmentReduce(const Operator& source, const ReduceArguments& a)
      : source_(source), a_(a), offsets_{a.offsets, a.offset_count, a.wide_offsets != 0} {}

  void run_few(Staged& staged) {
    const i64 first = block() * a_.segments, left = offsets_.count - 1 - first;
    const int segments = static_cast<int>(left < a_.segments ? left : a_.segments);
    for (int k = thread(); k <= segments; k += block_threads)
      staged.offsets[k] = offsets_[first + k];
    barrier();
    const int width = static_cast<int>(a_.threads), at_a_time = block_threads / width;
    for (int done = 0; done < segments;) {
      // As many segments as there is room for, from the beginning of a piece. (All, or half of
      // them: finding out exactly is slower where lengths are equal, 0.150 against 0.131 ms.)
      const i64 begin = staged.offsets[done] & -i64{piece_size};
      int count = segments - done;
      while (count > 0 && staged.offsets[done + count] - begin > staged_elements) count /= 2;
      if (count == 0) {
        if (warp() == 0) leave_to_long(first + done);
        ++done;
        continue;
      }
      stage(staged, begin, static_cast<int>(staged.offsets[done + count] - begin));
      barrier();
      const int end = done + count;
      for (; done < end; done += at_a_time)
        reduce_few(staged, begin, done + thread() / width, end, first, width);
      barrier();
      done = end;
    }
  }

  void run_warps() {
    for (i64 segment = first_warp(); segment + 1 < offsets_.count; segment += all_warps()) {
      const i64 begin = offsets_[segment], end = offsets_[segment + 1];
      if (end - begin > wide_tile) {
        leave_to_long(segment);
        continue;
      }
      const U total = reduce_tile(begin, end, [&](i64 i) { return source_.element(i); });
      if (lane() == 0) array<U>(a_.out)[segment] = begin < end ? total : Operator::nothing();
    }
  }

  struct Lanes {
    U lanes[wide_lanes];
  };

  void run_tiles(Lanes& shared) {
    const u64 packed = load_relaxed(array<u64>(a_.long_count));
    const i64 segments = static_cast<i64>(packed >> 40);
    const i64 tiles = static_cast<i64>(packed & ((u64{1} << 40) - 1));
    for (i64 t = block(); t < tiles; t += blocks()) {
      i64 low = 0, high = segments;  // the last segment whose first tile is not after t
      while (high - low > 1) {
        const i64 middle = low + (high - low) / 2;
        (array<i64>(a_.long_list)[2 * middle + 1] <= t ? low : high) = middle;
      }
      const i64 segment = array<i64>(a_.long_list)[2 * low];
      const i64 begin = offsets_[segment] + (t - array<i64>(a_.long_list)[2 * low + 1]) * wide_tile;
      const i64 stop = offsets_[segment + 1];
      const i64 end = begin + wide_tile < stop ? begin + wide_tile : stop;
      shared.lanes[thread()] = reduce_lane(begin, end);
      barrier();
      if (warp() == 0) {
        U lanes[lanes_a_thread];
#pragma unroll
        for (int k = 0; k < lanes_a_thread; ++k) lanes[k] = shared.lanes[k * warp_size + lane()];
        const U total = fold(lanes, warp_size);
        if (lane() == 0) array<U>(a_.totals)[t] = total;
      }
      barrier();
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
                                      [&](i64 i) { return static_cast<U>(totals[i]); });
          if (lane() == 0) totals[t] = total;
          warp_barrier();
        }
        count = tiles_of(count);
      }
      if (lane() == 0) array<U>(a_.out)[segment] = totals[0];
    }
  }

 private:
  static i64 tiles_of(i64 count) { return (count + wide_tile - 1) / wide_tile; }
  static i64 first_warp() { return block() * block_warps + warp(); }
  static i64 all_warps() { return blocks() * block_warps; }

  void stage(Staged& staged, i64 begin, int count) {
    const int last = (count - 1) & -piece_size;
    if (Operator::in_pieces() && begin + last + piece_size <= a_.elements)
      return stage_pieces(staged, begin, last);
#pragma unroll 4
    for (int i = thread(); i < count; i += block_threads) staged[i] = source_.element(begin + i);
  }
  // Four pieces in flight. Those beyond the last are the last once more.
  void stage_pieces(Staged& staged, i64 begin, int last) {
    constexpr int stride = block_threads * piece_size;
    U x[group_size];
    for (int first = thread() * piece_size; first <= last; first += pieces * stride) {
#pragma unroll
      for (int k = 0; k < pieces; ++k) {
        const int at = first + k * stride;
        source_.piece(begin + (at < last ? at : last), x + k * piece_size);
      }
#pragma unroll
      for (int i = 0; i < group_size; ++i) {
        const int at = first + i / piece_size * stride;
        if (at <= last) (&staged[at])[i % piece_size] = x[i];
      }
    }
  }

  // The segment of each `width` threads, if it is before `stop`; what is too long for them, by the
  // whole warp. Elements are staged from `origin` on; segment 0 is `first` of all.
  void reduce_few(Staged& staged, i64 origin, int segment, int stop, i64 first, int width) {
    const int place = thread() & (width - 1);
    const bool exists = segment < stop;
    const int begin = exists ? static_cast<int>(staged.offsets[segment] - origin) : 0;
    const int end = exists ? static_cast<int>(staged.offsets[segment + 1] - origin) : 0;
    const bool fits = end - begin <= kept_lanes * width;
    U lanes[kept_lanes];
#pragma unroll
    for (int k = 0; k < kept_lanes; ++k) {
      const int i = begin + k * width + place;
      lanes[k] = fits && i < end ? staged[i] : Operator::neutral();
    }
    const U total = fold(lanes, width);
    const Global<U> out = array<U>(a_.out) + first;
    if (exists && fits && place == 0) out[segment] = begin < end ? total : Operator::nothing();
    for (u32 left = ballot(!fits && place == 0); left != 0; left &= left - 1) {
      const int from = lowest_one(left);
      const int longer_begin = static_cast<int>(shuffle(static_cast<u32>(begin), from));
      const int longer_end = static_cast<int>(shuffle(static_cast<u32>(end), from));
      const U longer = reduce_tile(longer_begin, longer_end, [&](int i) { return staged[i]; });
      if (lane() == 0) out[segment + from / width] = longer;
    }
  }

  void leave_to_long(i64 segment) {
    if (lane() != 0) return;
    const i64 elements = offsets_[segment + 1] - offsets_[segment];
    const u64 wanted = u64{1} << 40 | static_cast<u64>(tiles_of(elements));
    const u64 before = atomic_add(array<u64>(a_.long_count), wanted);
    const Global<i64> entry = array<i64>(a_.long_list) + 2 * (before >> 40);
    entry[0] = segment;
    entry[1] = static_cast<i64>(before & ((u64{1} << 40) - 1));
  }

  // This thread's lane of a tile, by a block.
  U reduce_lane(i64 begin, i64 end) {
    static_assert(wide_lanes == block_threads);
    constexpr int at_once = 8;
    U total = Operator::neutral();
    i64 i = begin + thread();
    for (; i + (at_once - 1) * wide_lanes < end; i += at_once * wide_lanes) {
      U x[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) x[k] = source_.element(i + k * wide_lanes);
#pragma unroll
      for (int k = 0; k < at_once; ++k) total = Operator::combine(total, x[k]);
    }
    for (; i < end; i += wide_lanes) total = Operator::combine(total, source_.element(i));
    return total;
  }

  // A warp, up to a tile: lane l of the warp keeps the lanes l, l + 32, ... of the tree.
  template <class Index, class Element>
  static U reduce_tile(Index begin, Index end, Element element) {
    U lanes[lanes_a_thread];
#pragma unroll
    for (int k = 0; k < lanes_a_thread; ++k) lanes[k] = Operator::neutral();
    Index from = begin;
    for (; from + wide_lanes <= end; from += wide_lanes) {
#pragma unroll
      for (int k = 0; k < lanes_a_thread; ++k)
        lanes[k] = Operator::combine(lanes[k], element(from + k * warp_size + lane()));
    }
#pragma unroll
    for (int k = 0; k < lanes_a_thread; ++k) {
      const Index i = from + k * warp_size + lane();
      if (i < end) lanes[k] = Operator::combine(lanes[k], element(i));
    }
    return fold(lanes, warp_size);
  }

  // The lanes that a thread keeps are `width` apart; then those of neighbouring threads.
  template <int count>
  static U fold(U (&lanes)[count], int width) {
#pragma unroll
    for (int half = count / 2; half > 0; half /= 2)
#pragma unroll
      for (int k = 0; k < half; ++k) lanes[k] = Operator::combine(lanes[k], lanes[k + half]);
    U total = lanes[0];
    for (int distance = width / 2; distance > 0; distance /= 2)
      total = Operator::combine(total, shuffled_down(total, distance));
    return total;
  }

  const Operator& source_;
  const ReduceArguments& a_;
  const OffsetArray offsets_;
};

}  // namespace tutti::gpu
