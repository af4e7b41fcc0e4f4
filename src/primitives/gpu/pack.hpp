// The values whose flags are true, in one pass: the flags are counted by a scan, the values of a
// block meet in shared memory and leave it side by side.
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
    u32 before;
    LookBack<u32, Counts>::Shared look_back;
  };

  PackBlock(Shared& shared, const Flags& flags, const Values& values, const PackArguments& a)
      : s(shared), flags_(flags), values_(values), a_(a) {}

  void run() {
    const i64 first = block() * elements + warp() * warp_size * group_size + lane() * piece_size;
    V values[group_size];
    const u32 flags = load_flags(first);
    load_pieces(values_, first, stride, a_.elements, V{0}, values);
    const u32 own = count_pieces(flags), upto = warp_sums(own), totals = shuffle(upto, 31);
    if (lane() == 31) s.warp_totals[warp()] = sum_of_bytes(totals);
    barrier();
    u32 start = 0, total = 0;
    for (int k = 0; k < warps; ++k) {
      if (k == warp()) start = total;
      total += s.warp_totals[k];
    }
    LookBack<u32, Counts> look_back(s.look_back, a_.states);
    const int tile = static_cast<int>(block());
    if (thread() == 0) look_back.publish(tile, own_total, total);
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      u32 place = start + byte_of(upto - own, k);
#pragma unroll
      for (int i = k * piece_size; i < (k + 1) * piece_size; ++i)
        if (flags >> i & 1) s.values[place++] = values[i];
      start += byte_of(totals, k);
    }
    if (warp() == 0) {
      const u32 before = look_back.sum_before(tile);
      if (lane() == 0) {
        look_back.publish(tile, sum_so_far, before + total);
        s.before = before;
      }
    }
    barrier();
    write(s.before, total);
  }

 private:
  static u32 byte_of(u32 counts, int k) { return counts >> bits * k & 255u; }
  static u32 sum_of_bytes(u32 counts) {
    return byte_of(counts, 0) + byte_of(counts, 1) + byte_of(counts, 2) + byte_of(counts, 3);
  }

  // A bit for each element of the thread's pieces.
  u32 load_flags(i64 first) const {
    u8 flags[group_size];
    load_pieces(flags_, first, stride, a_.elements, u8{0}, flags);
    u32 result = 0;
#pragma unroll
    for (int i = 0; i < group_size; ++i) result |= static_cast<u32>(flags[i] & 1) << i;
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

  void write(i64 before, u32 total) {
    const Global<V> out = array<V>(a_.out) + before;
    const i64 room = a_.count - before;
    for (u32 k = static_cast<u32>(thread()); k < total && k < room; k += threads)
      out[k] = s.values[k];
    if ((block() + 1) * elements < a_.elements) return;
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
};

}  // namespace tutti::gpu
