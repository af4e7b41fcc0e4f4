// Segmented reduction: the wide tree of numerics/reduction_tree.hpp for each segment.
//   staged   for short segments: a block has the segments that begin in a window of elements. It
//            computes their elements in the order of memory into shared memory, where a few threads
//            reduce each segment, and whole warps those that are too long for them
//   grouped  for longer ones: a warp has up to 32 neighbouring segments, each of which `width` of
//            its threads reduce from memory, one after the other
// Both leave segments that are too long for them to separate blocks (long_segments.hpp).
// The number of instructions decides: grouping takes fewer for each element
// (docs/decisions/0021-segment-windows.md).
//
// An Operator is that of a scan. Its in_pieces() says whether it computes four elements at once
// faster.
#pragma once
#include "kernels/gpu/entry.hpp"
#include "kernels/gpu/long_segments.hpp"

namespace tutti::gpu {

template <class U, class Operator>
class StagedReduce {
  using Long = LongSegments<U, Operator, block_threads>;

 public:
  // A segment that is too long for a few threads.
  struct Listed {
    int segment;  // among those of the block
    int begin, end;
  };
  struct Shared {
    // A gap after every 32 elements: otherwise segments of 16 or 32 would conflict in one bank.
    U elements[staged_elements + staged_elements / 32];
    Listed listed[staged_elements / kept_lanes];
    int listed_count;
    U& operator[](int i) { return elements[i + (i >> 5)]; }
  };

  StagedReduce(Shared& shared, const Operator& source, const ReduceArguments& a)
      : staged(shared),
        source_(source),
        a_(a),
        offsets_{a.offsets, a.offset_count, a.wide_offsets != 0} {}

  void run() {
    if (block() < a_.long_blocks) return Long(source_, a_).reduce_all(staged.elements);
    if (thread() == 0) staged.listed_count = 0;
    const Part part = part_of(block() - a_.long_blocks);
    if (part.segments == 0) return;
    const int width = static_cast<int>(a_.threads), at_a_time = block_threads / width;
    int segment = thread() / width;
    Range range = range_of(part, segment);  // prefetched
    stage(part.begin, static_cast<int>(part.end - part.begin));
    barrier();
    for (int done = 0; done < part.segments; done += at_a_time) {
      const Range next = range_of(part, segment + at_a_time);
      reduce(part, segment, range, width);
      segment += at_a_time;
      range = next;
    }
    barrier();
    for (int k = warp(); k < staged.listed_count; k += block_warps) {
      const Listed& longer = staged.listed[k];
      const U total =
          reduce_by_warp<Operator, U>(longer.begin, longer.end, [&](int i) { return staged[i]; });
      if (lane() == 0) array<U>(a_.out)[part.first + longer.segment] = total;
    }
  }

 private:
  // The segments of a block, and the elements that are staged for them, from the beginning of a
  // piece on.
  struct Part {
    i64 first;
    int segments;
    i64 begin, end;
  };
  // The staged elements of a segment.
  struct Range {
    int begin, end;
  };

  Part part_of(i64 number) const {
    if (a_.windows == 0) return {0, static_cast<int>(offsets_.count - 1), 0, a_.elements};
    const Global<SegmentWindow> window = array<SegmentWindow>(a_.windows) + number;
    return {window->segment, static_cast<int>((window + 1)->segment - window->segment),
            window->begin & -i64{piece_size}, window->end};
  }
  Range range_of(const Part& part, int segment) const {
    if (segment >= part.segments) return {0, 0};
    return {static_cast<int>(offsets_[part.first + segment] - part.begin),
            static_cast<int>(offsets_[part.first + segment + 1] - part.begin)};
  }

  void stage(i64 begin, int count) {
    const int last = (count - 1) & -piece_size;
    if (Operator::in_pieces() && begin + last + piece_size <= a_.elements)
      return stage_pieces(begin, last);
#pragma unroll 4
    for (int i = thread(); i < count; i += block_threads) staged[i] = source_.element(begin + i);
  }
  // Keeps as many pieces in flight as a small window has for each thread. Pieces beyond the last
  // load the last one again.
  void stage_pieces(i64 begin, int last) {
    constexpr int stride = block_threads * piece_size, together = small_window / stride;
    U x[together * piece_size];
    for (int first = thread() * piece_size; first <= last; first += together * stride) {
#pragma unroll
      for (int k = 0; k < together; ++k) {
        const int at = first + k * stride;
        source_.piece(begin + (at < last ? at : last), x + k * piece_size);
      }
#pragma unroll
      for (int i = 0; i < together * piece_size; ++i) {
        const int at = first + i / piece_size * stride;
        if (at <= last) (&staged[at])[i % piece_size] = x[i];
      }
    }
  }

  // Reduces the segment of each `width` threads; segments that are too long for them are listed.
  void reduce(const Part& part, int segment, const Range& range, int width) {
    const int place = thread() & (width - 1), length = range.end - range.begin;
    const bool fits = length <= kept_lanes * width;
    U lanes[kept_lanes];
#pragma unroll
    for (int k = 0; k < kept_lanes; ++k) {
      const int i = range.begin + k * width + place;
      lanes[k] = fits && i < range.end ? staged[i] : Operator::neutral();
    }
    const U total = fold_lanes<Operator>(lanes, width);
    if (place != 0 || segment >= part.segments) return;
    if (fits)
      array<U>(a_.out)[part.first + segment] = length > 0 ? total : Operator::nothing();
    else if (length <= longest_staged)
      staged.listed[atomic_add(&staged.listed_count, 1)] = {segment, range.begin, range.end};
  }

  Shared& staged;
  const Operator& source_;
  const ReduceArguments& a_;
  const OffsetArray offsets_;
};

template <class U, class Operator, int width>
class GroupedReduce {
  using Long = LongSegments<U, Operator, group_threads>;
  static constexpr int together = warp_size / width;  // segments that a warp reduces at a time
  static constexpr int most = kept_lanes * width;     // elements of such a segment

 public:
  struct Shared {
    U lanes[Long::shared_elements];
  };

  GroupedReduce(Shared& shared, const Operator& source, const ReduceArguments& a)
      : s(shared),
        source_(source),
        a_(a),
        offsets_{a.offsets, a.offset_count, a.wide_offsets != 0} {}

  // Each lane holds the range of one segment and its result.
  void run() {
    if (block() < a_.long_blocks) return Long(source_, a_).reduce_all(s.lanes);
    const i64 segments = offsets_.count - 1;
    const i64 first = ((block() - a_.long_blocks) * group_warps + warp()) * a_.segments,
              mine = first + lane();
    const bool exists = lane() < a_.segments && mine < segments;
    const i64 begin = exists ? offsets_[mine] : 0, length = exists ? offsets_[mine + 1] - begin : 0;
    const bool is_long = length > longest_staged;
    const int count = is_long ? 0 : static_cast<int>(length);
    U result = Operator::nothing();
    for (int done = 0; done < a_.segments; done += together) {
      const U total = reduce_group(begin, count, done + lane() / width);
      const U its = shuffled(total, (lane() - done) * width & (warp_size - 1));
      if (lane() / together == done / together && count > 0) result = its;
    }
    for (u32 left = ballot(count > most); left != 0; left &= left - 1) {
      const int who = lowest_one(left);
      const i64 from = begin_of(begin, who);
      const U total =
          reduce_by_warp<Operator, U>(from, from + shuffle(static_cast<u32>(count), who),
                                      [&](i64 i) { return source_.element(i); });
      const U its = shuffled(total, 0);
      if (lane() == who) result = its;
    }
    if (exists && !is_long) array<U>(a_.out)[mine] = result;
  }

 private:
  static i64 begin_of(i64 begin, int who) {
    return static_cast<i64>(shuffled(static_cast<u64>(begin), who));
  }

  // Reduces the segment of lane `who` on `width` threads, if it is not too long for them.
  U reduce_group(i64 begin, int count, int who) {
    const int place = lane() & (width - 1);
    const i64 from = begin_of(begin, who) + place;
    int left = static_cast<int>(shuffle(static_cast<u32>(count), who));
    left = left > most ? 0 : left - place;
    U lanes[kept_lanes];
#pragma unroll
    for (int k = 0; k < kept_lanes; ++k)
      lanes[k] = k * width < left ? source_.element(from + k * width) : Operator::neutral();
    return fold_lanes<Operator>(lanes, width);
  }

  Shared& s;
  const Operator& source_;
  const ReduceArguments& a_;
  const OffsetArray offsets_;
};

#ifndef TUTTI_EMULATED_GPU

#define TUTTI_REDUCE_SEGMENTS(name, U, Block)                  \
  extern "C" void name##_##U(const i64* words, const i64* a) { \
    TUTTI_SHARED(Block::Shared, shared);                       \
    Block(shared, {words}, as<ReduceArguments>(a)).run();      \
  }
#define TUTTI_REDUCE(U)                               \
  using Staged_##U = StagedReduce<U, Fused<U>>;       \
  using By8_##U = GroupedReduce<U, Fused<U>, 8>;      \
  using By16_##U = GroupedReduce<U, Fused<U>, 16>;    \
  using By32_##U = GroupedReduce<U, Fused<U>, 32>;    \
  TUTTI_REDUCE_SEGMENTS(reduce_staged, U, Staged_##U) \
  TUTTI_REDUCE_SEGMENTS(reduce_by_8, U, By8_##U)      \
  TUTTI_REDUCE_SEGMENTS(reduce_by_16, U, By16_##U)    \
  TUTTI_REDUCE_SEGMENTS(reduce_by_32, U, By32_##U)
TUTTI_FOR_EACH_SIZE(TUTTI_REDUCE)

#endif

}  // namespace tutti::gpu
