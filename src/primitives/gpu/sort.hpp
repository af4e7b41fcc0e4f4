// Radix sort, a byte a pass: the digits of all passes are counted in one reading of the keys; then
// each pass reads its keys once, ranks them in tiles, and writes them to their places. A tile finds
// its places by looking back, digit by digit, over what the tiles before it have published.
// Stable: equal digits keep their order within a warp, a tile and the whole.
#pragma once
#include "primitives/gpu/device.hpp"

namespace tutti::gpu {

// The order of ir/sort_key.hpp.
template <class U>
U ordered(U bits, i64 kind, bool descending) {
  constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  if (kind == floating_key) {
    constexpr int mantissa = sizeof(U) == 2 ? 10 : sizeof(U) == 4 ? 23 : 52;
    constexpr U magnitude = static_cast<U>(~top);
    constexpr U infinity = static_cast<U>(magnitude & ~((u64{1} << mantissa) - 1));
    if ((bits & magnitude) > infinity) return static_cast<U>(~U{0});
    if ((bits & magnitude) == 0) bits = 0;
    bits = static_cast<U>(bits & top ? ~bits : bits | top);
  } else if (kind == signed_key) {
    bits = static_cast<U>(bits ^ top);
  }
  return static_cast<U>(descending ? ~bits : bits);
}

// ---- counting

template <class U>
struct CountShared {
  u32 counts[sizeof(U)][digits];
};

template <class U>
void sort_count(CountShared<U>& s, const SortArguments& a) {
  for (int i = thread(); i < static_cast<int>(sizeof(U)) * digits; i += block_threads)
    s.counts[i / digits][i % digits] = 0;
  barrier();
  for (i64 i = block() * block_threads + thread(); i < a.elements; i += blocks() * block_threads) {
    const U key = ordered(array<U>(a.keys)[i], a.kind, a.descending != 0);
#pragma unroll
    for (int byte = 0; byte < static_cast<int>(sizeof(U)); ++byte)
      atomic_add(&s.counts[byte][key >> (8 * byte) & 255], 1u);
  }
  barrier();
  for (int i = thread(); i < static_cast<int>(sizeof(U)) * digits; i += block_threads) {
    const u32 count = s.counts[i / digits][i % digits];
    if (count) atomic_add(array<u64>(a.counts) + i, u64{count});
  }
}

// Numbers before each thread's own, over the block.
template <class T>
struct PrefixShared {
  T totals[block_warps];
};
template <class T>
T block_prefix(PrefixShared<T>& s, T own) {
  T sum = own;
  for (int d = 1; d < warp_size; d *= 2) {
    const T left = shuffled_up(sum, d);
    if (lane() >= d) sum += left;
  }
  if (lane() == warp_size - 1) s.totals[warp()] = sum;
  barrier();
  T before = sum - own;
  for (int k = 0; k < warp(); ++k) before += s.totals[k];
  barrier();
  return before;
}

// Where each digit begins: one block for each byte of the key.
inline void sort_starts(PrefixShared<u64>& s, const SortArguments& a) {
  const Global<u64> counts = array<u64>(a.counts) + block() * digits;
  const u64 start = block_prefix(s, static_cast<u64>(counts[thread()]));
  counts[thread()] = start;
}

// ---- one pass

struct NoValue {};

template <class U, class V>
class SortPass {
 public:
  static constexpr bool has_values = sizeof(V) > 1;  // NoValue has one byte
  using Moved = U;
  union Exchange {
    U keys[sort_tile];
    V values[has_values ? sort_tile : 1];
  };
  struct Shared {
    u32 ticket;
    u32 counts[block_warps][digits];  // of a warp; later, where its keys of a digit go in the tile
    u32 starts[digits];               // where a digit begins in the tile
    i64 places[digits];               // ...and in the whole, less that
    PrefixShared<u32> prefix;
    Exchange exchange;
  };

  SortPass(Shared& shared, const SortArguments& a) : s(shared), a_(a) {}

  void run() {
    if (thread() == 0) s.ticket = atomic_add(array<u32>(a_.ticket), u32{1});
    for (int w = 0; w < block_warps; ++w) s.counts[w][thread()] = 0;
    barrier();
    tile_ = s.ticket;
    begin_ = tile_ * sort_tile;
    const i64 left = a_.elements - begin_;
    present_ = static_cast<int>(left < sort_tile ? left : sort_tile);
    U keys[items_a_thread];
    u32 ranks[items_a_thread];
    load(keys);
    rank(keys, ranks);
    barrier();
    place_digits();
    barrier();
    // From here on a rank is a place in the sorted tile.
#pragma unroll
    for (int k = 0; k < items_a_thread; ++k) {
      const u32 digit = digit_of(keys[k], item(k) < present_);
      ranks[k] += s.starts[digit] + s.counts[warp()][digit];
      s.exchange.keys[ranks[k]] = keys[k];
    }
    barrier();
    i64 targets[items_a_thread];
#pragma unroll
    for (int k = 0; k < items_a_thread; ++k) {
      const int place = k * block_threads + thread();
      if (place >= present_) continue;
      const U key = s.exchange.keys[place];
      targets[k] = s.places[digit_of(key, true)] + place;
      array<U>(a_.key_target)[targets[k]] = key;
    }
    if constexpr (has_values) move_values(ranks, targets);
  }

 private:
  // Warps hold stretches of the tile; a lane holds every 32nd of its stretch.
  int item(int k) const { return warp() * items_a_thread * warp_size + k * warp_size + lane(); }
  u32 digit_of(U key, bool present) const {
    if (!present) return digits - 1;  // behind all others of the last tile
    return static_cast<u32>(ordered(key, a_.kind, a_.descending != 0) >> (8 * a_.byte)) & 255u;
  }

  void load(U (&keys)[items_a_thread]) {
#pragma unroll
    for (int k = 0; k < items_a_thread; ++k)
      keys[k] = item(k) < present_ ? static_cast<U>(array<U>(a_.keys)[begin_ + item(k)]) : U{0};
  }

  // How many keys of the warp with the same digit come before; counts those of the warp.
  void rank(const U (&keys)[items_a_thread], u32 (&ranks)[items_a_thread]) {
    u32* counts = s.counts[warp()];
#pragma unroll
    for (int k = 0; k < items_a_thread; ++k) {
      const u32 digit = digit_of(keys[k], item(k) < present_);
      const u32 same = match(digit);
      const u32 before = count_ones(same & ((1u << lane()) - 1));
      ranks[k] = counts[digit] + before;
      warp_barrier();
      if (before == 0) counts[digit] += count_ones(same);
      warp_barrier();
    }
  }

  // Thread d takes digit d: where it begins in the tile and in the whole.
  void place_digits() {
    const int digit = thread();
    u32 count = 0;
    for (int w = 0; w < block_warps; ++w) {
      const u32 own = s.counts[w][digit];
      s.counts[w][digit] = count;
      count += own;
    }
    const Global<u64> states = array<u64>(a_.states) + digit;
    constexpr u64 own_count = u64{1} << 62, sum_so_far = u64{2} << 62, value = own_count - 1;
    store_relaxed(states + tile_ * digits, (tile_ == 0 ? sum_so_far : own_count) | count);
    s.starts[digit] = block_prefix(s.prefix, count);
    u64 before = 0;
    for (i64 t = tile_ - 1; t >= 0;) {
      const u64 state = load_relaxed(states + t * digits);
      if (state == 0) {
        pause();
        continue;
      }
      before += state & value;
      if (state & sum_so_far) break;
      --t;
    }
    if (tile_ > 0) store_relaxed(states + tile_ * digits, sum_so_far | (before + count));
    const u64 start = array<u64>(a_.counts)[a_.byte * digits + digit];
    s.places[digit] = static_cast<i64>(start + before) - s.starts[digit];
  }

  void move_values(const u32 (&ranks)[items_a_thread], const i64 (&targets)[items_a_thread]) {
    barrier();
#pragma unroll
    for (int k = 0; k < items_a_thread; ++k) {
      if (item(k) >= present_) continue;
      const i64 i = begin_ + item(k);
      s.exchange.values[ranks[k]] =
          a_.values ? static_cast<V>(array<V>(a_.values)[i]) : static_cast<V>(i);
    }
    barrier();
#pragma unroll
    for (int k = 0; k < items_a_thread; ++k) {
      const int place = k * block_threads + thread();
      if (place < present_) array<V>(a_.value_target)[targets[k]] = s.exchange.values[place];
    }
  }

  Shared& s;
  const SortArguments& a_;
  i64 tile_ = 0, begin_ = 0;
  int present_ = 0;
};

}  // namespace tutti::gpu
