// Scan in one pass over memory: the tree of ir/scan_tree.hpp. A block has a stretch of tiles, a
// thread a group, a warp a chunk.
// An Operator provides for the element's unsigned representation U: combine(a, b), neutral() and
// nothing() (the result of no elements); and its objects, the elements: element(i), and
// piece(first, x), which computes four, the first at a multiple of four.
#pragma once
#include "primitives/gpu/look_back.hpp"

namespace tutti::gpu {

template <class U>
struct FlaggedSum {
  bool head;  // a segment begins in it
  U value;
};

// Turns the elements of a warp from pieces, as they lie in memory, to groups, and back.
template <class U>
class GroupExchange {
 public:
  static constexpr i64 stride = warp_size * piece_size;

  void to_groups(U (&x)[group_size]) {
    turn(
        x, [](int k) { return k * warp_size + lane(); }, [](int k) { return lane() * pieces + k; });
  }
  void to_pieces(U (&x)[group_size]) {
    turn(
        x, [](int k) { return lane() * pieces + k; }, [](int k) { return k * warp_size + lane(); });
  }

 private:
  struct alignas(piece_size * sizeof(U) < 16 ? piece_size * sizeof(U) : 16) Piece {
    U x[piece_size];
  };

  // Spreads what the lanes access at a time over the banks of shared memory.
  static int place(int piece) { return piece ^ (piece * static_cast<int>(sizeof(U)) / 32 & 3); }

  template <class From, class To>
  void turn(U (&x)[group_size], From from, To to) {
    warp_barrier();
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      Piece piece;
#pragma unroll
      for (int i = 0; i < piece_size; ++i) piece.x[i] = x[k * piece_size + i];
      pieces_[place(from(k))] = piece;
    }
    warp_barrier();
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      const Piece piece = pieces_[place(to(k))];
#pragma unroll
      for (int i = 0; i < piece_size; ++i) x[k * piece_size + i] = piece.x[i];
    }
  }

  Piece pieces_[warp_size * pieces];
};

template <class U, class Operator, bool segmented>
class ScanBlock {
  static constexpr int threads = scan_threads(sizeof(U));
  static constexpr int warps = threads / warp_size;
  static constexpr i64 elements = scan_block(sizeof(U));
  static constexpr int tiles = elements / tile_size;
  static constexpr int tile_chunks = warps / tiles;

 public:
  struct Shared {
    GroupExchange<U> exchange[warps];
    typename LookBack<U, Operator>::Shared look_back;
    FlaggedSum<U> chunks[warps];
    FlaggedSum<U> totals[tiles];
    U before[tiles];
    u32 heads[segmented ? elements / 32 : 1];
    int votes[warps];
  };

  ScanBlock(Shared& shared, const Operator& source, const ScanArguments& a)
      : s(shared), source_(source), a_(a), begin_(block() * elements) {}

  void run() {
    GroupExchange<U>& exchange = s.exchange[warp()];
    const i64 first = begin_ + warp() * warp_size * group_size + lane() * piece_size;
    U x[group_size];
    load_pieces(source_, first, exchange.stride, a_.elements, Operator::neutral(), x);
    exchange.to_groups(x);
    if (segmented) mark_heads();
    const u32 heads = segmented ? s.heads[thread() / 2] >> 16 * (thread() & 1) & 0xffffu : 0;
    scan_group(x, heads);
    const FlaggedSum<U> groups = scan_chunk({heads != 0, x[group_size - 1]});
    if (warp() == 0) find_sums();
    const FlaggedSum<U> chunks = chunks_before(warp());
    barrier();
    const U before_chunk = after(s.before[warp() / tile_chunks], chunks);
    finish(x, heads, after(before_chunk, groups));
    exchange.to_pieces(x);
    store_pieces(array<U>(a_.out), first, exchange.stride, a_.elements, x);
  }

 private:
  static FlaggedSum<U> neutral() { return {false, Operator::neutral()}; }
  static FlaggedSum<U> join(const FlaggedSum<U>& a, const FlaggedSum<U>& b) {
    return {a.head || b.head, after(a.value, b)};
  }
  static U after(U before, const FlaggedSum<U>& b) {
    return b.head ? b.value : Operator::combine(before, b.value);
  }

  // ---- heads: a bit for each element of the block

  void mark_heads() {
    for (int i = thread(); i < elements / 32; i += threads) s.heads[i] = 0;
    barrier();
    const i64 end = begin_ + elements < a_.elements ? begin_ + elements : a_.elements;
    const auto mark = [&](i64 i) {
      const auto k = static_cast<u32>(i - begin_);
      atomic_or(&s.heads[k / 32], 1u << k % 32);
    };
    if (a_.offsets == 0) {
      const i64 first = (begin_ + a_.row - 1) / a_.row;
      for (i64 k = first + thread(); k * a_.row < end; k += threads) mark(k * a_.row);
    } else {
      const OffsetArray offsets{a_.offsets, a_.offset_count, a_.wide_offsets != 0};
      for (i64 k = first_offset(offsets) + thread(); k + 1 < offsets.count; k += threads) {
        const i64 offset = offsets[k];
        if (offset >= end) break;
        if (offset >= begin_) mark(offset);
      }
    }
    barrier();
  }

  // The first offset that is not before the block, by all threads at once.
  i64 first_offset(const OffsetArray& offsets) {
    i64 low = 0, high = offsets.count;  // the answer lies in [low, high]
    while (low < high) {
      const i64 part = (high - low + threads - 1) / threads;
      const i64 probe = low + part * (thread() + 1) - 1;
      const bool before = probe < high && offsets[probe] < begin_;
      const u32 votes = ballot(before);
      if (lane() == 0) s.votes[warp()] = count_ones(votes);
      barrier();
      int parts = 0;
      for (int k = 0; k < warps; ++k) parts += s.votes[k];
      low += part * parts;
      const i64 stop = low + part - 1;  // the first probe that is not before, if it exists
      if (stop < high) high = stop;
      barrier();
    }
    return low;
  }

  // ---- within the block

  void scan_group(U (&x)[group_size], u32 heads) {
#pragma unroll
    for (int d = 1; d < group_size; d *= 2) {
#pragma unroll
      for (int i = group_size - 1; i >= d; --i) {
        const U sum = Operator::combine(x[i - d], x[i]);
        x[i] = heads >> i & 1 ? x[i] : sum;
      }
      heads |= heads << d;
    }
  }

  // Gives what comes before this thread's group within the chunk; leaves the chunk's total.
  FlaggedSum<U> scan_chunk(FlaggedSum<U> total) {
    for (int d = 1; d < warp_size; d *= 2) {
      const FlaggedSum<U> left{segmented && shuffle_up(total.head, d) != 0,
                               shuffled_up(total.value, d)};
      if (lane() >= d) total = join(left, total);
    }
    FlaggedSum<U> before{segmented && shuffle_up(total.head, 1) != 0, shuffled_up(total.value, 1)};
    if (lane() == 0) before = neutral();
    if (lane() == warp_size - 1) s.chunks[warp()] = total;
    barrier();
    return before;
  }

  // The chunks before one within its tile.
  FlaggedSum<U> chunks_before(int chunk) {
    FlaggedSum<U> sum = neutral();
    for (int k = chunk / tile_chunks * tile_chunks; k < chunk; ++k) sum = join(sum, s.chunks[k]);
    return sum;
  }

  // What comes before each tile of the block, by one warp.
  void find_sums() {
    LookBack<U, Operator> look_back(s.look_back, a_.states);
    const int first_tile = static_cast<int>(block()) * tiles;
    if (lane() < tiles) {
      const int last_chunk = (lane() + 1) * tile_chunks - 1;
      const FlaggedSum<U> total = join(chunks_before(last_chunk), s.chunks[last_chunk]);
      s.totals[lane()] = total;
      look_back.publish(first_tile + lane(), own_total | head_state(total), total.value);
    }
    U sum = look_back.sum_before(first_tile);
    if (lane() == 0) {
      for (int k = 0; k < tiles; ++k) {
        s.before[k] = sum;
        sum = after(sum, s.totals[k]);
      }
    }
    warp_barrier();
    if (lane() < tiles) {
      const FlaggedSum<U> total = s.totals[lane()];
      look_back.publish(first_tile + lane(), sum_so_far | head_state(total),
                        after(s.before[lane()], total));
    }
  }
  static u32 head_state(const FlaggedSum<U>& total) { return total.head ? has_head : 0u; }

  // The results of a group, in the place of its own sums.
  void finish(U (&x)[group_size], u32 heads, U before) {
    const u32 passed = 0u - (heads & (0u - heads));  // at or after the first head of the group
#pragma unroll
    for (int i = group_size - 1; i >= 0; --i) {
      if (!a_.exclusive) {
        x[i] = passed >> i & 1 ? x[i] : Operator::combine(before, x[i]);
      } else if (heads >> i & 1) {
        x[i] = Operator::nothing();
      } else {
        const U previous = i == 0 ? before : x[i == 0 ? 0 : i - 1];
        const bool alone = i == 0 || (passed >> (i - 1) & 1);
        x[i] = alone ? previous : Operator::combine(before, previous);
      }
    }
    if (a_.exclusive && !segmented && begin_ == 0 && thread() == 0) x[0] = Operator::nothing();
  }

  Shared& s;
  const Operator& source_;
  const ScanArguments& a_;
  const i64 begin_;
};

}  // namespace tutti::gpu
