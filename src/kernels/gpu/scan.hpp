// Scan in one pass over memory: the tree of numerics/scan_tree.hpp. A block has a range of tiles, a
// warp a chunk, a thread a group. An Operator provides for the element's unsigned representation U:
// combine(a, b), neutral() and nothing() (the result of no elements). Its objects provide the
// elements: element(i), and piece(first, x), which computes four, the first at a multiple of four.
// consume_piece(first, x) and consume_element(i, x) receive the results, if consumes() is true.
#pragma once
#include "kernels/gpu/entry.hpp"
#include "kernels/gpu/look_back.hpp"

namespace tutti::gpu {

template <class U>
struct FlaggedSum {
  bool head;  // whether a segment begins in it
  U value;
};

// The elements of a warp in shared memory, to be converted from pieces, which are the order of
// memory, to groups, and back.
template <class U>
class GroupExchange {
 public:
  static constexpr i64 stride = warp_size * piece_size;

  void put_pieces(const U (&x)[group_size]) {
    put(x, [](int k) { return k * warp_size + lane(); });
  }
  void put_groups(const U (&x)[group_size]) {
    put(x, [](int k) { return lane() * pieces + k; });
  }
  void take_pieces(U (&x)[group_size]) {
    take(x, [](int k) { return k * warp_size + lane(); });
  }
  void take_groups(U (&x)[group_size]) {
    take(x, [](int k) { return lane() * pieces + k; });
  }
  // Returns the lane whose group contains this lane's piece k.
  static int owner(int k) { return (k * warp_size + lane()) / pieces; }

 private:
  struct alignas(piece_size * sizeof(U) < 16 ? piece_size * sizeof(U) : 16) Piece {
    U x[piece_size];
  };

  // Distributes simultaneous accesses of the lanes over the banks of shared memory.
  static int spread(int piece) { return piece ^ (piece * static_cast<int>(sizeof(U)) / 32 & 3); }

  template <class Place>
  void put(const U (&x)[group_size], Place place) {
    warp_barrier();
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      Piece piece;
#pragma unroll
      for (int i = 0; i < piece_size; ++i) piece.x[i] = x[k * piece_size + i];
      pieces_[spread(place(k))] = piece;
    }
    warp_barrier();
  }
  template <class Place>
  void take(U (&x)[group_size], Place place) {
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      const Piece piece = pieces_[spread(place(k))];
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
    const i64 first = begin_ + warp() * warp_size * group_size + lane() * piece_size;
    u32 open;  // the results of the group that need the prefix of the group
    const FlaggedSum<U> groups = scan_groups(first, open);
    if (warp() == 0) find_sums();
    const FlaggedSum<U> chunks = chunks_before(warp());
    barrier();
    const U before = after(after(s.before[warp() / tile_chunks], chunks), groups);
    finish(first, before, open);
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

  // Finds the first offset that is not before the block, with all threads.
  i64 first_offset(const OffsetArray& offsets) {
    i64 low = 0, high = offsets.count;  // the result is in [low, high]
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

  // Stores the partial results of each group in the exchange, because registers are few. Returns
  // the prefix of the thread's group within its chunk.
  FlaggedSum<U> scan_groups(i64 first, u32& open) {
    GroupExchange<U>& exchange = s.exchange[warp()];
    U x[group_size];
    load_pieces(source_, first, exchange.stride, a_.elements, Operator::neutral(), x);
    exchange.put_pieces(x);
    if (segmented) mark_heads();
    exchange.take_groups(x);
    const u32 heads = segmented ? s.heads[thread() / 2] >> 16 * (thread() & 1) & 0xffffu : 0;
    scan_group(x, heads);
    const FlaggedSum<U> groups = scan_chunk({heads != 0, x[group_size - 1]});
    open = (heads & (0u - heads)) - 1;  // the elements before the first head
    if (a_.exclusive) {
#pragma unroll
      for (int i = group_size - 1; i > 0; --i)
        x[i] = heads >> i & 1 ? Operator::nothing() : x[i - 1];
      x[0] = heads & 1 ? Operator::nothing() : Operator::neutral();
    }
    exchange.put_groups(x);
    return groups;
  }

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

  // Returns the prefix of this thread's group within the chunk, and stores the chunk's total.
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

  // Returns the sum of the chunks before one within its tile.
  FlaggedSum<U> chunks_before(int chunk) {
    FlaggedSum<U> sum = neutral();
    for (int k = chunk / tile_chunks * tile_chunks; k < chunk; ++k) sum = join(sum, s.chunks[k]);
    return sum;
  }

  // Finds the prefix of each tile of the block, on one warp.
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
    warp_barrier();  // the totals of all lanes are complete
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

  // Completes the results piece by piece, with the prefix from the thread that owns the group.
  void finish(i64 first, U before, u32 open) {
    GroupExchange<U>& exchange = s.exchange[warp()];
    U x[group_size];
    exchange.take_pieces(x);
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      const int owner = exchange.owner(k);
      const U sum = shuffled(before, owner);
      const u32 needed = segmented ? shuffle(open, owner) >> lane() % pieces * piece_size : 15u;
#pragma unroll
      for (int i = 0; i < piece_size; ++i) {
        U& result = x[k * piece_size + i];
        result = needed >> i & 1 ? Operator::combine(sum, result) : result;
      }
    }
    if (a_.exclusive && !segmented && first == 0) x[0] = Operator::nothing();
    if (a_.out != 0)
      store_pieces(InMemory<U>{array<U>(a_.out)}, first, exchange.stride, a_.elements, x);
    if (Operator::consumes())
      store_pieces(Consumer{source_}, first, exchange.stride, a_.elements, x);
  }

  struct Consumer {
    const Operator& source;
    void store_piece(i64 first, const U* x) const { source.consume_piece(first, x); }
    void store_element(i64 i, U x) const { source.consume_element(i, x); }
  };

  Shared& s;
  const Operator& source_;
  const ScanArguments& a_;
  const i64 begin_;
};

#ifndef TUTTI_EMULATED_GPU

#define TUTTI_SCAN(U)                                                  \
  extern "C" void scan_##U(const i64* words, const i64* a) {           \
    using Block = ScanBlock<U, Fused<U>, false>;                       \
    TUTTI_SHARED(Block::Shared, shared);                               \
    Block(shared, {words}, as<ScanArguments>(a)).run();                \
  }                                                                    \
  extern "C" void segmented_scan_##U(const i64* words, const i64* a) { \
    using Block = ScanBlock<U, Fused<U>, true>;                        \
    TUTTI_SHARED(Block::Shared, shared);                               \
    Block(shared, {words}, as<ScanArguments>(a)).run();                \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_SCAN)

#endif

}  // namespace tutti::gpu
