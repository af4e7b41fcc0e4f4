// Scan in one pass over memory: the tree of ir/scan_tree.hpp, a tile a block, a group a thread, a
// chunk a warp. Blocks take tiles in order from a counter. A tile publishes its total, looks back
// over what the tiles before it have published until it meets a sum of all before, adds up from
// there from left to right, and publishes its own sum.
// An Operator provides for the element's unsigned representation U: combine(a, b), neutral(),
// nothing() (the result of no elements), and load(words, first, count, x), which computes 16
// elements and puts neutral ones after `count`.
#pragma once
#include "primitives/gpu/device.hpp"

namespace tutti::gpu {

template <class U>
struct FlaggedSum {
  bool head;  // a segment begins in it
  U value;
};

// What a tile has published.
enum TileState : u32 { nothing_yet = 0, own_total = 1, sum_so_far = 2, has_head = 4 };

template <class U>
struct TileWord {
  u32 state;
  U value;
};

// Value and state in one word if they fit; else the state is written after the value.
template <class U>
class TileStates {
 public:
  explicit TileStates(const ScanArguments& a) : states_(a.states), sums_(a.sums) {}

  void publish(i64 tile, u32 state, U value) const {
    if constexpr (sizeof(U) <= 4) {
      store_relaxed(array<u64>(states_) + tile, static_cast<u64>(state) << 32 | value);
    } else {
      array<U>(sums_)[2 * tile + (state & sum_so_far ? 1 : 0)] = value;
      store_release(array<u32>(states_) + tile, state);
    }
  }
  TileWord<U> look(i64 tile) const {
    if constexpr (sizeof(U) <= 4) {
      const u64 word = load_relaxed(array<u64>(states_) + tile);
      return {static_cast<u32>(word >> 32), static_cast<U>(word)};
    } else {
      const u32 state = load_acquire(array<u32>(states_) + tile);
      if (state == nothing_yet) return {state, 0};
      return {state, load_relaxed(array<U>(sums_) + 2 * tile + (state & sum_so_far ? 1 : 0))};
    }
  }

 private:
  i64 states_, sums_;
};

template <class U, class Operator, bool segmented>
class ScanTile {
 public:
  struct Shared {
    u32 ticket;
    FlaggedSum<U> chunks[block_warps];
    u32 heads[tile_size / 32];
    U window[block_threads];
    u32 ends[block_warps], missing[block_warps];
    U before;
    int votes[block_warps];
  };

  ScanTile(Shared& shared, const i64* words, const ScanArguments& a)
      : s(shared), words_(words), a_(a) {}

  void run() {
    if (thread() == 0) s.ticket = atomic_add(array<u32>(a_.ticket), u32{1});
    barrier();
    tile_ = s.ticket;
    begin_ = tile_ * tile_size;
    if (segmented) mark_heads();
    const i64 first = begin_ + i64{group_size} * thread();
    U x[group_size];
    Operator::load(words_, first, a_.elements - first, x);
    const u32 heads = segmented ? s.heads[thread() / 2] >> 16 * (thread() & 1) & 0xffffu : 0;
    scan_group(x, heads);
    const FlaggedSum<U> groups = scan_chunk({heads != 0, x[group_size - 1]});
    FlaggedSum<U> chunks = neutral(), total = neutral();
    for (int k = 0; k < block_warps; ++k) {
      if (k == warp()) chunks = total;
      total = join(total, s.chunks[k]);
    }
    const U before_tile = look_back(total);
    const U before_chunk =
        chunks.head ? chunks.value : Operator::combine(before_tile, chunks.value);
    const U before = groups.head ? groups.value : Operator::combine(before_chunk, groups.value);
    finish(x, heads, before, first);
  }

 protected:
  static FlaggedSum<U> neutral() { return {false, Operator::neutral()}; }
  static FlaggedSum<U> join(const FlaggedSum<U>& a, const FlaggedSum<U>& b) {
    return {a.head || b.head, b.head ? b.value : Operator::combine(a.value, b.value)};
  }

  // ---- heads: a bit for each element of the tile

  void mark_heads() {
    for (int i = thread(); i < tile_size / 32; i += block_threads) s.heads[i] = 0;
    barrier();
    const i64 end = begin_ + tile_size < a_.elements ? begin_ + tile_size : a_.elements;
    const auto mark = [&](i64 i) {
      const auto k = static_cast<u32>(i - begin_);
      atomic_or(&s.heads[k / 32], 1u << k % 32);
    };
    if (a_.offsets == 0) {
      const i64 first = (begin_ + a_.row - 1) / a_.row;
      for (i64 k = first + thread(); k * a_.row < end; k += block_threads) mark(k * a_.row);
    } else {
      const OffsetArray offsets{a_.offsets, a_.offset_count, a_.wide_offsets != 0};
      for (i64 k = first_offset(offsets) + thread(); k + 1 < offsets.count; k += block_threads) {
        const i64 offset = offsets[k];
        if (offset >= end) break;
        if (offset >= begin_) mark(offset);
      }
    }
    barrier();
  }

  // The first offset that is not before the tile, by all threads at once: 256 parts a round.
  i64 first_offset(const OffsetArray& offsets) {
    i64 low = 0, high = offsets.count;  // the answer lies in [low, high]
    while (low < high) {
      const i64 part = (high - low + block_threads - 1) / block_threads;
      const i64 probe = low + part * (thread() + 1) - 1;
      const bool before = probe < high && offsets[probe] < begin_;
      const u32 votes = ballot(before);
      if (lane() == 0) s.votes[warp()] = count_ones(votes);
      barrier();
      int parts = 0;
      for (int k = 0; k < block_warps; ++k) parts += s.votes[k];
      low += part * parts;
      const i64 stop = low + part - 1;  // the first probe that is not before, if it exists
      if (stop < high) high = stop;
      barrier();
    }
    return low;
  }

  // ---- within the tile

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

  // ---- between tiles

  // The sum of all before the tile. Thread i watches the tile i + 1 places before this one.
  U look_back(const FlaggedSum<U>& total) {
    const TileStates<U> states(a_);
    const u32 head = total.head ? has_head : 0u;
    if (tile_ == 0) {
      if (thread() == 0) states.publish(0, sum_so_far | head, total.value);
      return Operator::neutral();
    }
    if (thread() == 0) states.publish(tile_, own_total | head, total.value);
    const i64 watched = tile_ - 1 - thread();
    TileWord<U> word{nothing_yet, 0};
    int end = 0;
    while (true) {
      if (watched >= 0 && word.state < sum_so_far) word = states.look(watched);
      // What a segment began in needs nothing from before it.
      const u32 ends = ballot(word.state >= sum_so_far);
      const u32 missing = ballot(word.state == nothing_yet);
      if (lane() == 0) s.ends[warp()] = ends, s.missing[warp()] = missing;
      barrier();
      end = nearest_end();
      if (end >= 0) break;
      barrier();
      pause();
    }
    if (thread() <= end) s.window[thread()] = word.value;
    barrier();
    if (thread() == 0) {
      U sum = s.window[end];
#pragma unroll 8
      for (int k = end - 1; k >= 0; --k) sum = Operator::combine(sum, s.window[k]);
      s.before = sum;
      const U next = total.head ? total.value : Operator::combine(sum, total.value);
      states.publish(tile_, sum_so_far | head, next);
    }
    barrier();
    return s.before;
  }

  // The nearest tile that ends the search, if all between it and this one have totals; else -1.
  int nearest_end() {
    for (int k = 0; k < block_warps; ++k) {
      const u32 ends = s.ends[k], missing = s.missing[k];
      if (ends != 0) {
        const int at = lowest_one(ends);
        return missing & ((1u << at) - 1) ? -1 : k * warp_size + at;
      }
      if (missing != 0) return -1;
    }
    return -1;
  }

  // ---- results

  void finish(U (&x)[group_size], u32 heads, U before, i64 first) {
    const u32 passed = 0u - (heads & (0u - heads));  // at or after the first head of the group
    U out[group_size];
#pragma unroll
    for (int i = 0; i < group_size; ++i) {
      if (!a_.exclusive) {
        out[i] = passed >> i & 1 ? x[i] : Operator::combine(before, x[i]);
      } else if (heads >> i & 1) {
        out[i] = Operator::nothing();
      } else {
        const U previous = i == 0 ? before : x[i == 0 ? 0 : i - 1];
        const bool alone = i == 0 || (passed >> (i - 1) & 1);
        out[i] = alone ? previous : Operator::combine(before, previous);
      }
    }
    if (a_.exclusive && !segmented && first == 0) out[0] = Operator::nothing();
    const Global<U> target = array<U>(a_.out) + first;
    if (first + group_size <= a_.elements) {
      store_16(target, out);
    } else {
#pragma unroll
      for (int i = 0; i < group_size; ++i)
        if (first + i < a_.elements) target[i] = out[i];
    }
  }

  Shared& s;
  const i64* words_;
  const ScanArguments& a_;
  i64 tile_ = 0, begin_ = 0;
};

}  // namespace tutti::gpu
