// The values whose flags are true, in one pass: the flags are counted by a scan, the values of a
// tile meet in shared memory and leave it side by side. Blocks take tiles one after the other:
// while one warp looks back, the others fetch what the next tile needs. (Measured on an H200, with
// a block for each tile all warps of a multiprocessor waited for look-backs half of the time.)
// Tiles are taken in order, each by a block that runs: nobody waits for one that cannot start.
// Flags provides element(i) and piece(first, x), as the Operator of a scan does, for bytes 0 and 1;
// Values the same for what is packed.
#pragma once
#include "primitives/gpu/look_back.hpp"

namespace tutti::gpu {

struct Counts {
  static u32 combine(u32 a, u32 b) { return a + b; }
  static u32 neutral() { return 0; }
};

template <class V, class Flags, class Values>
class PackBlock {
  static constexpr int threads = scan_threads(sizeof(V));
  static constexpr int warps = threads / warp_size;
  static constexpr i64 elements = scan_block(sizeof(V));
  static constexpr i64 stride = warp_size * piece_size;
  static constexpr int bits = 8;  // enough for what a warp finds in one piece of each lane

 public:
  struct Shared {
    V values[elements];
    u32 warp_totals[warps];
    u32 before, total;
    int taken;
    LookBack<u32, Counts>::Shared look_back;
  };

  PackBlock(Shared& shared, const Flags& flags, const Values& values, const PackArguments& a)
      : s(shared), flags_(flags), values_(values), a_(a) {}

  void run() {
    if (thread() == 0) s.taken = take_tile();
    barrier();
    int tile = s.taken;
    fetch(tile);
    barrier();
    if (thread() == 0) s.taken = take_tile();
    while (begin_of(tile) < a_.elements) {
      gather_values(tile);
      const int next = s.taken;
      if (warp() == 0)
        find_sum(tile);
      else
        fetch(next);
      barrier();
      if (thread() == threads - 1) s.taken = take_tile();
      if (warp() == 0) fetch(next);
      write(tile, s.before, s.total);
      tile = next;
    }
  }

 private:
  static i64 begin_of(int tile) { return tile * elements; }
  int take_tile() const { return static_cast<int>(atomic_add(array<u32>(a_.taken), u32{1})); }

  // This thread's pieces of a tile.
  void fetch(int tile) {
    const i64 first = begin_of(tile) + warp() * warp_size * group_size + lane() * piece_size;
    if (first >= a_.elements) {
      found_ = 0;
      return;
    }
    found_ = load_flags(first);
    load_pieces(values_, first, stride, a_.elements, V{0}, fetched_);
  }

  // Those whose flags are true go to shared memory.
  void gather_values(int tile) {
    const u32 own = count_pieces(found_), upto = warp_sums(own), totals = shuffle(upto, 31);
    if (lane() == 31) s.warp_totals[warp()] = sum_of_bytes(totals);
    barrier();
    u32 start = 0, total = 0;
    for (int k = 0; k < warps; ++k) {
      if (k == warp()) start = total;
      total += s.warp_totals[k];
    }
    if (thread() == 0) {
      TileStates<u32>(a_.states).publish(tile, own_total, total);
      s.total = total;
    }
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      u32 place = start + byte_of(upto - own, k);
#pragma unroll
      for (int i = k * piece_size; i < (k + 1) * piece_size; ++i)
        if (found_ >> i & 1) s.values[place++] = fetched_[i];
      start += byte_of(totals, k);
    }
  }

  // By one warp.
  void find_sum(int tile) {
    LookBack<u32, Counts> look_back(s.look_back, a_.states);
    const u32 before = look_back.sum_before(tile);
    if (lane() != 0) return;
    look_back.publish(tile, sum_so_far, before + s.total);
    s.before = before;
  }

  static u32 byte_of(u32 counts, int k) { return counts >> bits * k & 255u; }
  static u32 sum_of_bytes(u32 counts) {
    return byte_of(counts, 0) + byte_of(counts, 1) + byte_of(counts, 2) + byte_of(counts, 3);
  }

  // A bit for each element of the thread's pieces.
  u32 load_flags(i64 first) const {
    u32 result = 0;
    if (first + (pieces - 1) * stride + piece_size <= a_.elements) {
#pragma unroll
      for (int k = 0; k < pieces; ++k) {
        u8 flags[piece_size];
        flags_.piece(first + k * stride, flags);
#pragma unroll
        for (int i = 0; i < piece_size; ++i)
          result |= static_cast<u32>(flags[i] & 1) << (k * piece_size + i);
      }
      return result;
    }
#pragma unroll 1
    for (int i = 0; i < group_size; ++i) {
      const i64 at = first + i / piece_size * stride + i % piece_size;
      if (at < a_.elements) result |= static_cast<u32>(flags_.element(at) & 1) << i;
    }
    return result;
  }
  // How many flags of each piece are true, a byte each.
  static u32 count_pieces(u32 flags) {
    u32 counts = 0;
#pragma unroll
    for (int k = 0; k < pieces; ++k)
      counts |= static_cast<u32>(count_ones(flags >> k * piece_size & 15u)) << k * bits;
    return counts;
  }
  static u32 warp_sums(u32 sum) {
    for (int d = 1; d < warp_size; d *= 2) {
      const u32 left = shuffle_up(sum, d);
      if (lane() >= d) sum += left;
    }
    return sum;
  }

  void write(int tile, i64 before, u32 total) {
    const Global<V> out = array<V>(a_.out) + before;
    const i64 room = a_.count - before;
    for (u32 k = static_cast<u32>(thread()); k < total && k < room; k += threads)
      out[k] = s.values[k];
    if (begin_of(tile + 1) < a_.elements) return;
    if (a_.found != 0) {
      if (thread() == 0) *array<u64>(a_.found) = static_cast<u64>(before) + total;
      return;
    }
    for (i64 k = total + thread(); k < room; k += threads) out[k] = V{0};
  }

  Shared& s;
  const Flags& flags_;
  const Values& values_;
  const PackArguments& a_;
  u32 found_ = 0;  // a bit for each of the fetched values
  V fetched_[group_size];
};

}  // namespace tutti::gpu
