// Segmented reduction: the wide tree of ir/reduction_tree.hpp for each segment.
//   staged   where segments are short: a block computes the elements of many segments in the order
//            of memory and leaves them in shared memory, where a few threads reduce each segment
//   grouped  where they are longer: a warp has up to 32 neighbouring segments, which `width` of its
//            threads each reduce from memory, one after the other
// Both leave what is too long for them to blocks of their own (long_segments.hpp).
// What decides is the number of instructions: staging took 1.6 of a warp for each element, grouping
// 0.6 (by ncu on an H200, lengths of a power law, 100 on average, long ones aside: 0.203 and 0.110
// ms).
//
// An Operator is that of a scan, and says whether it computes four elements faster at once
// (in_pieces()).
#pragma once
#include "primitives/gpu/long_segments.hpp"

namespace tutti::gpu {

template <class U, class Operator>
class StagedReduce {
  using Long = LongSegments<U, Operator, block_threads>;

 public:
  struct Shared {
    // A gap after every 32 elements: segments of 16 or 32 would meet in one bank.
    U elements[staged_elements + staged_elements / 32];
    i64 offsets[staged_segments + 1];
    U& operator[](int i) { return elements[i + (i >> 5)]; }
  };

  StagedReduce(Shared& shared, const Operator& source, const ReduceArguments& a)
      : staged(shared),
        source_(source),
        a_(a),
        offsets_{a.offsets, a.offset_count, a.wide_offsets != 0},
        long_(source, a),
        first_(block() * a.segments) {}

  void run() {
    if (block() >= a_.blocks) return long_.reduce_all(staged.elements);
    const i64 left = offsets_.count - 1 - first_;
    const int segments = static_cast<int>(left < a_.segments ? left : a_.segments);
    for (int k = thread(); k <= segments; k += block_threads)
      staged.offsets[k] = offsets_[first_ + k];
    barrier();
    if (long_.exist()) leave_long_ones(segments);
    const int width = static_cast<int>(a_.threads), at_a_time = block_threads / width;
    for (int done = 0; done < segments;) {
      // As many segments as there is room for, from the beginning of a piece. (All, or half of
      // them: finding out exactly is slower where lengths are equal, 0.150 against 0.131 ms.)
      const i64 begin = beginning(done);
      int count = segments - done;
      while (count > 0 && staged.offsets[done + count] - begin > staged_elements) count /= 2;
      if (count == 0) {
        ++done;
        continue;
      }
      stage(begin, static_cast<int>(staged.offsets[done + count] - begin));
      barrier();
      const int end = done + count;
      for (; done < end; done += at_a_time) reduce(begin, done + thread() / width, end, width);
      barrier();
      done = end;
    }
  }

 private:
  // Of the piece in which a segment begins.
  i64 beginning(int segment) const { return staged.offsets[segment] & -i64{piece_size}; }

  void leave_long_ones(int segments) {
    bool found = false;
    for (int from = 0; from < segments; from += block_threads) {
      const int k = from + thread();
      const bool is_long = k < segments && staged.offsets[k + 1] - beginning(k) > staged_elements;
      const i64 elements = is_long ? staged.offsets[k + 1] - staged.offsets[k] : 0;
      found |= long_.leave(is_long, first_ + k, elements);
    }
    long_.have_looked(found);
  }

  void stage(i64 begin, int count) {
    const int last = (count - 1) & -piece_size;
    if (Operator::in_pieces() && begin + last + piece_size <= a_.elements)
      return stage_pieces(begin, last);
#pragma unroll 4
    for (int i = thread(); i < count; i += block_threads) staged[i] = source_.element(begin + i);
  }
  // Four pieces in flight. Those beyond the last are the last once more.
  void stage_pieces(i64 begin, int last) {
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
  // whole warp. Elements are staged from `origin` on.
  void reduce(i64 origin, int segment, int stop, int width) {
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
    const U total = fold_lanes<Operator>(lanes, width);
    const Global<U> out = array<U>(a_.out) + first_;
    if (exists && fits && place == 0) out[segment] = begin < end ? total : Operator::nothing();
    for (u32 left = ballot(!fits && place == 0); left != 0; left &= left - 1) {
      const int from = lowest_one(left);
      const int longer_begin = static_cast<int>(shuffle(static_cast<u32>(begin), from));
      const int longer_end = static_cast<int>(shuffle(static_cast<u32>(end), from));
      const U longer =
          reduce_by_warp<Operator, U>(longer_begin, longer_end, [&](int i) { return staged[i]; });
      if (lane() == 0) out[segment + from / width] = longer;
    }
  }

  Shared& staged;
  const Operator& source_;
  const ReduceArguments& a_;
  const OffsetArray offsets_;
  const Long long_;
  const i64 first_;
};

template <class U, class Operator, int width>
class GroupedReduce {
  using Long = LongSegments<U, Operator, group_threads>;
  static constexpr int together = warp_size / width;  // segments that a warp has under way
  static constexpr int most = kept_lanes * width;     // elements of one

 public:
  struct Shared {
    U lanes[Long::shared_elements];
  };

  GroupedReduce(Shared& shared, const Operator& source, const ReduceArguments& a)
      : s(shared),
        source_(source),
        a_(a),
        offsets_{a.offsets, a.offset_count, a.wide_offsets != 0},
        long_(source, a) {}

  // Each lane knows where one segment lies, and keeps its result.
  void run() {
    if (block() >= a_.blocks) return long_.reduce_all(s.lanes);
    const i64 segments = offsets_.count - 1;
    const i64 first = (block() * group_warps + warp()) * a_.segments, mine = first + lane();
    const bool exists = lane() < a_.segments && mine < segments;
    const i64 begin = exists ? offsets_[mine] : 0, length = exists ? offsets_[mine + 1] - begin : 0;
    const bool is_long = length > most_of_warp;
    if (long_.exist()) long_.have_looked(long_.leave(is_long, mine, length));
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

  // The segment that lane `who` knows, by `width` threads, if it is not too long for them.
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
  const Long long_;
};

}  // namespace tutti::gpu
