// Radix sort, one pass for each byte. The digits of all passes are counted in one reading of the
// keys. Then each pass reads its keys once, ranks them in tiles, and scatters them. A tile finds
// its destinations by looking back, digit by digit, over the published counts of the tiles before
// it. Stable: equal digits keep their order within a warp, a tile and the whole vector. Blocks
// start in the order of their numbers, so those that one waits for are running or done.
#pragma once
#include "kernels/gpu/entry.hpp"

namespace tutti::gpu {

// Implements the order of numerics/sort_key.hpp. An Order provides ordered(key) and last_key() for
// one of its kinds.
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

// Returns a key that comes last.
template <class U>
U last_key(i64 kind, bool descending) {
  if (kind == floating_key) return static_cast<U>(~U{0});
  constexpr U top = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  const U last = static_cast<U>(descending ? U{0} : ~U{0});
  return static_cast<U>(kind == signed_key ? last ^ top : last);
}

// ---- counting

template <class U>
struct CountShared {
  // Lanes that are not neighbours share a counter, which reduces conflicts.
  static constexpr int copies = 4;
  u32 counts[sizeof(U)][digits][copies];
};

template <class U, class Order>
void sort_count(CountShared<U>& s, const SortArguments& a) {
  constexpr int bytes = sizeof(U), copies = CountShared<U>::copies;
  for (int i = thread(); i < bytes * digits * copies; i += block_threads)
    (&s.counts[0][0][0])[i] = 0;
  barrier();
  constexpr i64 stride = block_threads * piece_size, tile = pieces * stride;
  for (i64 begin = block() * tile; begin < a.elements; begin += blocks() * tile) {
    const i64 first = begin + thread() * piece_size;
    U keys[group_size];
    load_pieces(InMemory<U>{array<U>(a.keys)}, first, stride, a.elements, U{0}, keys);
#pragma unroll
    for (int i = 0; i < group_size; ++i) {
      if (first + i / piece_size * stride + i % piece_size >= a.elements) continue;
      const U key = Order::ordered(keys[i]);
#pragma unroll
      for (int byte = 0; byte < bytes; ++byte)
        atomic_add(&s.counts[byte][key >> (8 * byte) & 255][lane() % copies], 1u);
    }
  }
  barrier();
  for (int i = thread(); i < bytes * digits; i += block_threads) {
    u32 count = 0;
    for (int k = 0; k < copies; ++k) count += s.counts[i / digits][i % digits][k];
    if (count) atomic_add(array<u64>(a.counts) + i, u64{count});
  }
}

// Computes the sum of the numbers of all threads before this one in the block.
template <class T>
struct PrefixShared {
  T totals[most_warps];
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

// Computes the start of each digit: one block for each byte of the key.
inline void sort_starts(PrefixShared<u64>& s, const SortArguments& a) {
  const Global<u64> counts = array<u64>(a.counts) + block() * digits;
  const u64 start = block_prefix(s, static_cast<u64>(counts[thread()]));
  counts[thread()] = start;
}

// ---- one pass

struct NoValue {};

// Word holds indices of the whole vector: 32 bits up to most_narrow_elements, else 64.
template <class U, class V, class Order, class Word>
class SortPass {
  static constexpr bool has_values = sizeof(V) > 1;  // NoValue has one byte
  static constexpr int widest = sizeof(U) > sizeof(V) ? sizeof(U) : sizeof(V);
  static constexpr int items = sort_items(widest);
  static constexpr int tile_size = sort_tile(widest);
  static constexpr int warps = sort_threads / warp_size;
  static constexpr int exchanged = tile_size + tile_size / 32;
  static constexpr int looks = 4;  // at earlier tiles, in flight

 public:
  struct Shared {
    union {
      u32 counts[warps][digits];  // of a warp; later, the start of its keys of a digit in the tile
      U keys[exchanged];
      V values[has_values ? exchanged : 1];
    };
    Word starts[digits];  // the start of a digit in the vector, minus its start in the tile
    PrefixShared<u32> prefix;
  };

  SortPass(Shared& shared, const SortArguments& a) : s(shared), a_(a), begin_(block() * tile_size) {
    const i64 left = a_.elements - begin_;
    present_ = static_cast<u32>(left < tile_size ? left : tile_size);
  }

  void run() {
    for (int i = thread(); i < warps * digits; i += sort_threads) (&s.counts[0][0])[i] = 0;
    U keys[items];
    u32 ranks[items];
    load(keys);
    barrier();
    rank(keys, ranks);
    barrier();
    const DigitOfTile own = place_digits();
    barrier();
    // From here on a rank is the position of a key of the sorted tile in shared memory.
#pragma unroll
    for (int k = 0; k < items; ++k) {
      ranks[k] = spread((ranks[k] & 0xffffu) + s.counts[warp()][ranks[k] >> 16]);
    }
    barrier();
#pragma unroll
    for (int k = 0; k < items; ++k) s.keys[ranks[k]] = keys[k];
    if (thread() < digits) look_back(own);
    barrier();
    // One test for all keys lets the accesses of a whole tile overlap.
    if (present_ == tile_size)
      write<true>(ranks);
    else
      write<false>(ranks);
  }

 private:
  struct DigitOfTile {
    u32 start, count;
  };

  // Warps hold ranges of the tile; a lane holds every 32nd element of its range.
  static u32 place_of(int k) { return static_cast<u32>(k * sort_threads + thread()); }
  static u32 item(int k) {
    return static_cast<u32>(warp() * items * warp_size + k * warp_size + lane());
  }
  // Returns the position of an element of the sorted tile in shared memory: with gaps, because
  // equally frequent digits would all begin in one bank.
  static constexpr u32 spread(u32 place) { return place + place / 32; }
  static u32 spread_place(int k) { return k * spread(sort_threads) + spread(thread()); }
  u32 digit_of(U key) const {
    return static_cast<u32>(Order::ordered(key) >> (8 * a_.byte)) & 255u;
  }
  Global<Word> state(i64 tile, int digit) const {
    return array<Word>(a_.states) + tile * digits + digit;
  }

  void load(U (&keys)[items]) {
    const Global<U> from = array<U>(a_.keys) + begin_;
    if (present_ == tile_size) {
#pragma unroll
      for (int k = 0; k < items; ++k) keys[k] = from[item(k)];
      return;
    }
    const U absent = Order::template last_key<U>();
#pragma unroll
    for (int k = 0; k < items; ++k)
      keys[k] = item(k) < present_ ? static_cast<U>(from[item(k)]) : absent;
  }

  // Computes the number of earlier keys of the warp with the same digit, combined with the digit
  // shifted by 16, and counts the digits of the warp. The last lane of each digit counts for all.
  void rank(const U (&keys)[items], u32 (&ranks)[items]) {
    u32* counts = s.counts[warp()];
    const u32 lanes_before = (1u << lane()) - 1, lanes_after = ~lanes_before << 1;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const u32 digit = digit_of(keys[k]);
      const u32 same = match_digit(digit);
      const auto before = static_cast<u32>(count_ones(same & lanes_before));
      u32 counted = 0;
      if ((same & lanes_after) == 0) counted = atomic_add(&counts[digit], before + 1);
      ranks[k] = as_new((shuffle(counted, highest_one(same)) + before) | digit << 16);
    }
  }

  // Thread d computes the number of digit d and its start in the tile.
  DigitOfTile place_digits() {
    const bool mine = thread() < digits;
    u32 count = 0;
    if (mine) {
#pragma unroll
      for (int w = 0; w < warps; ++w) count += s.counts[w][thread()];
      store_relaxed(state(block(), thread()), (block() == 0 ? sum_so_far : own_count) | count);
    }
    const u32 start = block_prefix(s.prefix, count);
    if (mine) {
      u32 place = start;
#pragma unroll
      for (int w = 0; w < warps; ++w) {
        const u32 own = s.counts[w][thread()];
        s.counts[w][thread()] = place;
        place += own;
      }
    }
    return {start, count};
  }

  // Thread d finds the start of its digit in the whole vector.
  static constexpr Word own_count = Word{1} << (8 * sizeof(Word) - 2), sum_so_far = 2 * own_count;
  void look_back(const DigitOfTile& own) {
    const int digit = thread();
    Word before = 0;
    bool found = block() == 0;
    for (i64 tile = block() - 1; !found;) {
      Word states[looks];
#pragma unroll
      for (int k = 0; k < looks; ++k)
        states[k] = load_relaxed(state(tile >= k ? tile - k : 0, digit));
      bool missing = false;
#pragma unroll
      for (int k = 0; k < looks; ++k) {
        missing |= states[k] == 0;
        if (found || missing) continue;
        before += states[k] & (own_count - 1);
        found = (states[k] & sum_so_far) != 0;
        --tile;
      }
      if (missing) pause();
    }
    if (block() > 0) store_relaxed(state(block(), digit), sum_so_far | (before + own.count));
    const auto start = static_cast<Word>(array<u64>(a_.counts)[a_.byte * digits + digit]);
    s.starts[digit] = start + before - own.start;
  }

  template <bool whole>
  void write(const u32 (&ranks)[items]) {
    Word targets[items];
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const U key = s.keys[spread_place(k)];
      targets[k] = s.starts[digit_of(key)] + place_of(k);
      if (whole || place_of(k) < present_) array<U>(a_.key_target)[targets[k]] = key;
    }
    if constexpr (has_values) move_values<whole>(ranks, targets);
  }

  template <bool whole>
  void move_values(const u32 (&ranks)[items], const Word (&targets)[items]) {
    const Global<V> from = array<V>(a_.values) + begin_;
    barrier();
    if (a_.values == 0) {
#pragma unroll
      for (int k = 0; k < items; ++k) s.values[ranks[k]] = static_cast<V>(begin_ + item(k));
    } else {
#pragma unroll
      for (int k = 0; k < items; ++k)
        s.values[ranks[k]] = whole || item(k) < present_ ? static_cast<V>(from[item(k)]) : V{0};
    }
    barrier();
#pragma unroll
    for (int k = 0; k < items; ++k) {
      if (whole || place_of(k) < present_)
        array<V>(a_.value_target)[targets[k]] = s.values[spread_place(k)];
    }
  }

  Shared& s;
  const SortArguments& a_;
  const i64 begin_;
  u32 present_;
};

#ifndef TUTTI_EMULATED_GPU

extern "C" i64 tutti_key_kind();
extern "C" bool tutti_descending();
struct FusedOrder {
  template <class U>
  static U ordered(U key) {
    return tutti::gpu::ordered(key, tutti_key_kind(), tutti_descending());
  }
  template <class U>
  static U last_key() {
    return tutti::gpu::last_key<U>(tutti_key_kind(), tutti_descending());
  }
};

#define TUTTI_SORT_PASS(name, U, V, Word)          \
  extern "C" void name(const i64*, const i64* a) { \
    using Pass = SortPass<U, V, FusedOrder, Word>; \
    TUTTI_SHARED(Pass::Shared, shared);            \
    Pass(shared, as<SortArguments>(a)).run();      \
  }
#define TUTTI_SORT(U)                                        \
  extern "C" void sort_count_##U(const i64*, const i64* a) { \
    TUTTI_SHARED(CountShared<U>, shared);                    \
    sort_count<U, FusedOrder>(shared, as<SortArguments>(a)); \
  }                                                          \
  TUTTI_SORT_PASS(sort_pass_##U, U, NoValue, u32)            \
  TUTTI_SORT_PASS(sort_pass_##U##_u32, U, u32, u32)          \
  TUTTI_SORT_PASS(sort_pass_##U##_u64, U, u64, u32)          \
  TUTTI_SORT_PASS(sort_many_##U, U, NoValue, u64)            \
  TUTTI_SORT_PASS(sort_many_##U##_u32, U, u32, u64)          \
  TUTTI_SORT_PASS(sort_many_##U##_u64, U, u64, u64)
TUTTI_FOR_EACH_SIZE(TUTTI_SORT)
extern "C" void sort_starts(const i64*, const i64* a) {
  TUTTI_SHARED(PrefixShared<u64>, shared);
  sort_starts(shared, as<SortArguments>(a));
}

#endif

}  // namespace tutti::gpu
