// Decoupled look-back: blocks that each have a range of tiles find the sum of all tiles before
// theirs, in one pass over memory. A tile publishes its total. A warp of the block looks back over
// the published values until it finds a prefix, adds up from there from left to right, and
// publishes prefixes in turn. It need not wait for prefixes: totals serve too, but more of them are
// needed. Blocks start in the order of their numbers, so those that one waits for are running or
// done.
#pragma once
#include "kernels/gpu/device.hpp"

namespace tutti::gpu {

// The published state of a tile. A tile with a head, where a segment begins, ends the search: the
// elements after its last head need nothing from before.
enum TileState : u32 { nothing_yet = 0, own_total = 1, sum_so_far = 2, has_head = 4 };

template <class U>
struct TileWord {
  u32 state;
  U value;
};

// State and value in one word, or the state and half of the value in each of two. Each state is
// published once, so two words with equal states belong together, and no store waits for another.
template <class U>
class TileStates {
 public:
  explicit TileStates(i64 address) : words_(array<u64>(address)) {}

  void publish(int tile, u32 state, U value) const {
    const u64 high = static_cast<u64>(state) << 32;
    if constexpr (sizeof(U) <= 4) {
      store_relaxed(words_ + tile, high | value);
    } else {
      store_relaxed(words_ + 2 * i64{tile}, high | (value & 0xffffffffu));
      store_relaxed(words_ + 2 * i64{tile} + 1, high | value >> 32);
    }
  }
  TileWord<U> look(int tile) const {
    if constexpr (sizeof(U) <= 4) {
      const u64 word = load_relaxed(words_ + tile);
      return {static_cast<u32>(word >> 32), static_cast<U>(word)};
    } else {
      const u64 low = load_relaxed(words_ + 2 * i64{tile}),
                high = load_relaxed(words_ + 2 * i64{tile} + 1);
      if (low >> 32 != high >> 32) return {nothing_yet, 0};
      return {static_cast<u32>(low >> 32), high << 32 | (low & 0xffffffffu)};
    }
  }

 private:
  Global<u64> words_;
};

template <class U, class Operator>
class LookBack {
 public:
  static constexpr int reach = 1024;  // more tiles than are in flight on any device
  struct Shared {
    U window[reach];  // values of tiles, the nearest first
  };

  LookBack(Shared& shared, i64 states) : s(shared), states_(states) {}

  void publish(int tile, u32 state, U value) const { states_.publish(tile, state, value); }

  // Returns the sum of all tiles before this one. Call it on all lanes of one warp; lane 0 gets the
  // sum.
  U sum_before(int tile) {
    if (tile == 0) return Operator::neutral();
    int end = -1;
    for (int known = 0; end < 0; known += warp_size)
      end = collect(tile - 1 - known, known, known + warp_size == reach);
    warp_barrier();
    U sum = s.window[end];
    if (lane() == 0) {
#pragma unroll 16
      for (int k = end - 1; k >= 0; --k) sum = Operator::combine(sum, s.window[k]);
    }
    return sum;
  }

 private:
  // Fills the window from `known` on with the values of `nearest` and the tiles before it, one for
  // each lane. Returns the index of the value that ends the search, or -1 if there is none; with
  // must_end it waits for one. (Several looks of a lane at a time were measured slower.)
  int collect(int nearest, int known, bool must_end) {
    const int tile = nearest - lane();
    TileWord<U> word{nothing_yet, 0};
    while (true) {
      if (tile < 0)
        word = {sum_so_far, Operator::neutral()};
      else if (word.state < sum_so_far)
        word = states_.look(tile);
      const u32 ends = ballot(word.state >= sum_so_far),
                missing = ballot(word.state == nothing_yet);
      const u32 nearer = ends == 0 ? all_lanes : (ends & (0u - ends)) - 1;
      if ((missing & nearer) == 0 && (ends != 0 || !must_end)) {
        s.window[known + lane()] = word.value;
        return ends == 0 ? -1 : known + lowest_one(ends);
      }
      pause();
    }
  }

  Shared& s;
  const TileStates<U> states_;
};

}  // namespace tutti::gpu
