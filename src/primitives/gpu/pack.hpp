// The values whose flags are true, in one pass: the flags are counted by a scan, the values of a
// tile meet in shared memory and leave it side by side.
// Flags provides load(words, first, count, x), as the Operator of a scan does, for bytes 0 and 1.
#pragma once
#include "primitives/gpu/scan.hpp"

namespace tutti::gpu {

template <class Flags>
struct CountFlags {
  static u32 combine(u32 a, u32 b) { return a + b; }
  static u32 neutral() { return 0; }
};

template <class V, class Flags>
class PackTile : ScanTile<u32, CountFlags<Flags>, false> {
  using Base = ScanTile<u32, CountFlags<Flags>, false>;
  using Base::s;
  using Base::tile_;

 public:
  struct Shared {
    typename Base::Shared scan;
    V values[tile_size];
  };

  PackTile(Shared& shared, const i64* words, const PackArguments& a)
      : Base(shared.scan, words, a.scan), shared_(shared), words_(words), a_(a) {}

  void run() {
    if (thread() == 0) s.ticket = atomic_add(array<u32>(a_.scan.ticket), u32{1});
    barrier();
    tile_ = s.ticket;
    const i64 first = tile_ * tile_size + i64{group_size} * thread();
    u8 flags[group_size];
    Flags::load(words_, first, a_.scan.elements - first, flags);
    u32 own = 0;
#pragma unroll
    for (int i = 0; i < group_size; ++i) own += flags[i];
    const u32 groups = this->scan_chunk({false, own}).value;
    u32 chunks = 0, total = 0;
    for (int k = 0; k < block_warps; ++k) {
      if (k == warp()) chunks = total;
      total += s.chunks[k].value;
    }
    u32 place = chunks + groups;
#pragma unroll
    for (int i = 0; i < group_size; ++i)
      if (flags[i]) shared_.values[place++] = array<V>(a_.values)[first + i];
    const i64 before = this->look_back({false, total});
    barrier();
    for (u32 k = static_cast<u32>(thread()); k < total; k += block_threads)
      if (before + k < a_.count) array<V>(a_.scan.out)[before + k] = shared_.values[k];
    const bool last = (tile_ + 1) * tile_size >= a_.scan.elements;
    for (i64 k = before + total + thread(); last && k < a_.count; k += block_threads)
      array<V>(a_.scan.out)[k] = V{0};
  }

 private:
  Shared& shared_;
  const i64* words_;
  const PackArguments& a_;
};

}  // namespace tutti::gpu
