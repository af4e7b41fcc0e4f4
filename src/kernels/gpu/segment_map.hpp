// Information on the offsets of segments for reductions, computed once. It has the segments that
// begin in each window of elements, so that blocks have equal work whatever the lengths. It also
// has the tiles of segments that are too long for the thread or warp that reduces their neighbours.
#pragma once
#include "kernels/gpu/entry.hpp"

namespace tutti::gpu {

inline i64 long_tiles_of(i64 elements) { return (elements + wide_tile - 1) / wide_tile; }

class SegmentMapper {
 public:
  explicit SegmentMapper(const SegmentMapArguments& a)
      : a_(a),
        offsets_{a.offsets, a.offset_count, a.wide_offsets != 0},
        windows_((a.elements + a.window - 1) / a.window) {}

  // One thread for each segment; warps stay converged.
  void run() const {
    const i64 segments = offsets_.count - 1;
    for (i64 first = block() * block_threads + warp() * warp_size; first < segments;
         first += blocks() * block_threads) {
      const i64 segment = first + lane();
      const bool exists = segment < segments;
      const i64 begin = exists ? offsets_[segment] : 0, end = exists ? offsets_[segment + 1] : 0;
      if (exists) note_windows(segment, begin, end, segment + 1 == segments);
      list_long_ones(end - begin > longest_staged, segment, end - begin);
    }
    barrier();
    if (thread() == 0) note_count();
  }

 private:
  Global<u64> listed() const { return array<u64>(a_.state); }
  Global<u64> finished_blocks() const { return array<u64>(a_.state) + 1; }
  Global<SegmentWindow> window(i64 i) const { return array<SegmentWindow>(a_.windows) + i; }
  // Empty segments after the last element belong to the last window.
  i64 window_of(i64 element) const {
    const i64 window = element / a_.window;
    return window < windows_ ? window : windows_ - 1;
  }

  void note_windows(i64 segment, i64 begin, i64 end, bool is_last) const {
    const i64 mine = window_of(begin);
    i64 before = segment == 0 ? -1 : window_of(offsets_[segment - 1]);
    for (; before < mine; ++before) {
      window(before + 1)->segment = segment;
      window(before + 1)->begin = begin;
    }
    if (is_last)
      for (i64 after = mine + 1; after <= windows_; ++after) window(after)->segment = segment + 1;
    // If there are long segments, a long one is the last that begins in its window.
    if (is_last || window_of(end) > mine)
      window(mine)->end = end - begin > longest_staged ? begin : end;
  }

  void list_long_ones(bool is_long, i64 segment, i64 elements) const {
    for (u32 left = ballot(is_long); left != 0; left &= left - 1) {
      const int who = lowest_one(left);
      const i64 its_segment = static_cast<i64>(shuffled(static_cast<u64>(segment), who));
      const i64 tiles = long_tiles_of(static_cast<i64>(shuffled(static_cast<u64>(elements), who)));
      u64 first = 0;
      if (lane() == 0) first = atomic_add(listed(), static_cast<u64>(tiles));
      first = shuffled(first, 0);
      for (i64 k = lane(); k < tiles; k += warp_size)
        array<LongTile>(a_.long_tiles)[static_cast<i64>(first) + k] = {its_segment,
                                                                       static_cast<i64>(first)};
    }
  }

  // The block that finishes last stores the count.
  void note_count() const {
    fence();
    if (atomic_add(finished_blocks(), u64{1}) + 1 == static_cast<u64>(blocks()))
      *array<u64>(a_.long_count) = load_relaxed(listed());
  }

  const SegmentMapArguments& a_;
  const OffsetArray offsets_;
  const i64 windows_;
};

#ifndef TUTTI_EMULATED_GPU

extern "C" void map_segments(const i64*, const i64* a) {
  SegmentMapper(as<SegmentMapArguments>(a)).run();
}

#endif

}  // namespace tutti::gpu
