// Decoupled look-back for counts: each tile finds the sum of the counts of all tiles before it, in
// one pass over memory. Counts may be added in any order, so a tile also adds its count to that of
// its group of 32 tiles. A warp then sees 1024 tiles in one look: the tiles before in its own
// group, and the 32 groups before that, back to a group whose prefix is known. Looking back 32
// tiles at a time, as floating-point sums must, takes ten looks with four hundred blocks in flight.
// Tiles are handed out in order, so the tiles that a block waits for belong to running blocks.
#pragma once
#include "kernels/gpu/device.hpp"

namespace tutti::gpu {

class CountLookBack {
 public:
  // `states` are zeros: a word for the tiles handed out, two for each group, half of one for each
  // tile.
  CountLookBack(i64 states, int tiles)
      : tiles_(tiles),
        taken_(array<u32>(states)),
        groups_(array<u64>(states) + 1),
        counts_(array<u32>(states + 8 + 16 * count_groups(tiles))) {}

  // Returns the next tile, or at least the number of tiles if there are none left. Call it on one
  // thread.
  int take_tile() const { return static_cast<int>(atomic_add(taken_, 1u)); }

  // Publishes the count of a tile. Call it on one thread.
  void publish(int tile, u32 count) const {
    store_relaxed(counts_ + tile, count + 1);
    atomic_add(arrivals(tile / warp_size), one_arrival | count);
  }

  // Returns the sum of the counts before a tile, on all lanes of the warp that calls it.
  u32 sum_before(int tile) const {
    const int group = tile / warp_size, place = tile % warp_size;
    Look own{lane() < place ? missing : final_sum, 0}, earlier{missing, 0};
    while (true) {
      if (own.state == missing) own = look_at_tile(group * warp_size + lane());
      if (earlier.state != final_sum) earlier = look_at_group(group - 1 - lane());
      const u32 ends = ballot(earlier.state == final_sum), last = ends & (0u - ends);
      const u32 absent = ballot(earlier.state == missing) & (last - 1);
      if (ballot(own.state == missing) == 0 && ends != 0 && absent == 0)
        return warp_sum(own.count + ((1u << lane()) <= last ? earlier.count : 0));
      pause();
    }
  }

  // Call it on one thread, with the sum of all tiles up to this one.
  void publish_sum(int tile, u32 sum) const {
    if (tile % warp_size == warp_size - 1)
      store_relaxed(arrivals(tile / warp_size) + 1, sum_is_known | sum);
  }

  int tiles() const { return tiles_; }

 private:
  static constexpr u64 one_arrival = u64{1} << 32, sum_is_known = u64{1} << 32;
  enum State : u32 { missing, own_sum, final_sum };
  struct Look {
    State state;
    u32 count;
  };

  Global<u64> arrivals(int group) const { return groups_ + 2 * group; }

  Look look_at_tile(int tile) const {
    const u32 word = load_relaxed(counts_ + tile);
    return word == 0 ? Look{missing, 0} : Look{final_sum, word - 1};
  }
  Look look_at_group(int group) const {
    if (group < 0) return {final_sum, 0};
    const u64 sum = load_relaxed(arrivals(group) + 1), arrived = load_relaxed(arrivals(group));
    if (sum != 0) return {final_sum, static_cast<u32>(sum)};
    return {arrived / one_arrival == warp_size ? own_sum : missing, static_cast<u32>(arrived)};
  }
  static u32 warp_sum(u32 x) {
    for (int d = warp_size / 2; d > 0; d /= 2) x += shuffle(x, lane() ^ d);
    return x;
  }

  const int tiles_;
  const Global<u32> taken_;
  const Global<u64> groups_;  // arrivals and counts so far; the sum of all tiles up to its end
  const Global<u32> counts_;  // the count plus one
};

}  // namespace tutti::gpu
