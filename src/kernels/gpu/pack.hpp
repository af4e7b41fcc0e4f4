// Packs the values whose flags are true, in one pass: the flags of a tile are counted, its values
// are compacted in shared memory and stored from there, coalesced. Flags provides element(i) and
// piece(first, x), like the Operator of a scan, for bytes 0 and 1; Values provides the same for the
// packed values.
//
// A tile cannot be written before all earlier ones have been counted, and the slowest of some
// hundred reads from memory takes long. So a block takes tile after tile, and writes one when it
// has counted the next: by then it rarely has to wait. (H200, 10^8 ints, half of them packed: 0.166
// ms, 0.232 with a block for each tile, 0.140 if positions were known.)
#pragma once
#include "kernels/gpu/count_look_back.hpp"
#include "kernels/gpu/entry.hpp"

namespace tutti::gpu {

template <class V, class Flags, class Values>
class PackBlock {
  static constexpr int threads = pack_threads(sizeof(V));
  static constexpr int warps = threads / warp_size;
  static constexpr i64 elements = pack_tile(sizeof(V));
  static constexpr i64 stride = warp_size * piece_size;
  static constexpr int bits = 8;  // enough to count a warp's flags in one piece of each lane

 public:
  struct Shared {
    V values[2][elements];
    u32 warp_totals[warps];
    u32 before;
    int next;
  };

  PackBlock(Shared& shared, const Flags& flags, const Values& values, const PackArguments& a)
      : s(shared),
        flags_(flags),
        values_(values),
        a_(a),
        look_back_(a.states, static_cast<int>((a.elements + elements - 1) / elements)) {}

  void run() {
    const int tiles = look_back_.tiles();
    Tile previous{-1, 0, 1};
    int tile = first_tile();
    V values[group_size];
    if (tile < tiles) load_values(tile, values);
    while (tile < tiles) {
      const u32 flags = load_flags(tile), own = count_pieces(flags), upto = warp_sums(own),
                totals = shuffle(upto, 31);
      if (lane() == 31) s.warp_totals[warp()] = sum_of_bytes(totals);
      if (thread() == 0) s.next = look_back_.take_tile();
      barrier();
      const int next = s.next;
      u32 start = 0, total = 0;
      for (int k = 0; k < warps; ++k) {
        if (k == warp()) start = total;
        total += s.warp_totals[k];
      }
      if (thread() == 0) look_back_.publish(tile, total);
      const Tile current{tile, total, 1 - previous.buffer};
      gather(values, flags, upto - own, totals, s.values[current.buffer] + start);
      if (next < tiles) load_values(next, values);
      write(previous);
      previous = current;
      tile = next;
    }
    barrier();
    write(previous);
  }

 private:
  struct Tile {
    int number;
    u32 total;
    int buffer;  // of its values in shared memory
  };

  int first_tile() {
    if (thread() == 0) s.next = look_back_.take_tile();
    barrier();
    const int tile = s.next;
    barrier();
    return tile;
  }

  static i64 first_of(int tile) {
    return tile * elements + warp() * warp_size * group_size + lane() * piece_size;
  }
  // Values in memory are loaded while the previous tile is written. Flags are not loaded early:
  // they are computed, so the thread would have to wait for their inputs.
  void load_values(int tile, V (&values)[group_size]) const {
    load_pieces(values_, first_of(tile), stride, a_.elements, V{0}, values);
  }
  // Returns a bit for each element of the thread's pieces.
  u32 load_flags(int tile) const {
    u8 flags[group_size];
    load_pieces(flags_, first_of(tile), stride, a_.elements, u8{0}, flags);
    u32 result = 0;
#pragma unroll
    for (int i = 0; i < group_size; ++i) result |= static_cast<u32>(flags[i] & 1) << i;
    return result;
  }

  static u32 byte_of(u32 counts, int k) { return counts >> bits * k & 255u; }
  static u32 sum_of_bytes(u32 counts) {
    return byte_of(counts, 0) + byte_of(counts, 1) + byte_of(counts, 2) + byte_of(counts, 3);
  }
  // Returns the number of true flags of each piece, a byte each.
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

  // Compacts the values of a warp, from `target` on; `before` and `totals` are counts of its
  // pieces.
  static void gather(const V (&values)[group_size], u32 flags, u32 before, u32 totals, V* target) {
#pragma unroll
    for (int k = 0; k < pieces; ++k) {
      V* place = target + byte_of(before, k);
#pragma unroll
      for (int i = k * piece_size; i < (k + 1) * piece_size; ++i)
        if (flags >> i & 1) *place++ = values[i];
      target += byte_of(totals, k);
    }
  }

  // Writes the compacted values of a tile, if there is one. Call it on all threads.
  void write(const Tile& tile) {
    if (warp() == 0 && tile.number >= 0) {
      const u32 before = look_back_.sum_before(tile.number);
      if (lane() == 0) {
        look_back_.publish_sum(tile.number, before + tile.total);
        s.before = before;
      }
    }
    barrier();
    if (tile.number < 0) return;
    const i64 before = s.before, room = a_.count - before;
    const Global<V> out = array<V>(a_.out) + before;
    const V* values = s.values[tile.buffer];
    for (u32 k = static_cast<u32>(thread()); k < tile.total && k < room; k += threads)
      out[k] = values[k];
    if (tile.number + 1 < look_back_.tiles()) return;
    if (a_.found != 0) {
      if (thread() == 0) *array<u64>(a_.found) = static_cast<u64>(before) + tile.total;
      return;
    }
    for (i64 k = tile.total + thread(); k < room; k += threads) out[k] = V{0};
  }

  Shared& s;
  const Flags& flags_;
  const Values& values_;
  const PackArguments& a_;
  const CountLookBack look_back_;
};

#ifndef TUTTI_EMULATED_GPU

// The packed values: computed, or in memory.
template <class V>
struct FusedValues;
#define TUTTI_VALUES(V)                                                               \
  extern "C" V tutti_value_##V(const i64* words, i64 i);                              \
  extern "C" void tutti_value_piece_##V(const i64* words, i64 first, V* x);           \
  template <>                                                                         \
  struct FusedValues<V> {                                                             \
    const i64* words;                                                                 \
    InMemory<V> memory;                                                               \
    V element(i64 i) const {                                                          \
      return tutti_computes_values() ? tutti_value_##V(words, i) : memory.element(i); \
    }                                                                                 \
    void piece(i64 first, V* x) const {                                               \
      if (tutti_computes_values())                                                    \
        tutti_value_piece_##V(words, first, x);                                       \
      else                                                                            \
        memory.piece(first, x);                                                       \
    }                                                                                 \
  };
TUTTI_FOR_EACH_SIZE(TUTTI_VALUES)

#define TUTTI_PACK(V)                                                 \
  extern "C" void pack_##V(const i64* words, const i64* a) {          \
    using Block = PackBlock<V, Fused<u8>, FusedValues<V>>;            \
    TUTTI_SHARED(Block::Shared, shared);                              \
    const auto& arguments = as<PackArguments>(a);                     \
    const FusedValues<V> values{words, {array<V>(arguments.values)}}; \
    Block(shared, {words}, values, arguments).run();                  \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_PACK)

#endif

}  // namespace tutti::gpu
