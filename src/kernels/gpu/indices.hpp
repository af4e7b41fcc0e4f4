// Primitives with one element for each thread: gathers, scatters, searches in sorted vectors,
// checks.
#pragma once
#include "kernels/gpu/sort.hpp"

namespace tutti::gpu {

// Calls body(i) for all i below count, on all threads of the grid.
template <class F>
void for_each(i64 count, F body) {
  for (i64 i = block() * block_threads + thread(); i < count; i += blocks() * block_threads)
    body(i);
}

inline void fill(const FillArguments& a) {
  for_each(a.words, [&](i64 i) { array<u32>(a.out)[i] = static_cast<u32>(a.value); });
}

// Copies words if both arrays begin at multiples of four bytes, as all arrays but wrapped ones do.
inline void copy(const CopyArguments& a) {
  const i64 words = (a.from | a.out) % 4 == 0 ? a.bytes / 4 : 0;
  for_each(words, [&](i64 i) { array<u32>(a.out)[i] = array<u32>(a.from)[i]; });
  for_each(a.bytes - 4 * words,
           [&](i64 i) { array<u8>(a.out)[4 * words + i] = array<u8>(a.from)[4 * words + i]; });
}

inline void narrow(const NarrowArguments& a) {
  for_each(a.count, [&](i64 i) {
    const u64 value = array<u64>(a.from)[i];
    if (a.wide_out)
      array<u64>(a.out)[i] = value;
    else
      array<i32>(a.out)[i] = static_cast<i32>(value);
  });
}

template <class V>
void gather(const GatherArguments& a) {
  for_each(a.count, [&](i64 i) {
    const i64 at = a.wide_indices ? array<i64>(a.indices)[i] : array<i32>(a.indices)[i];
    array<V>(a.out)[i] = array<V>(a.from)[at];
  });
}

// Interleaves the elements of several arrays.
template <class U, int parts>
void join(const JoinArguments& a) {
  for_each(a.count, [&](i64 i) {
#pragma unroll
    for (int p = 0; p < parts; ++p) array<U>(a.out)[i * parts + p] = array<U>(a.from[p])[i];
  });
}

// ---- segments

// Finds the last segment that begins at or before each element.
inline void element_segments(const SegmentArguments& a) {
  const OffsetArray offsets{a.offsets, a.offset_count, a.wide_offsets != 0};
  for_each(a.elements, [&](i64 i) {
    i64 low = 0, high = offsets.count - 1;
    while (high - low > 1) {
      const i64 middle = low + (high - low) / 2;
      (offsets[middle] <= i ? low : high) = middle;
    }
    array<i32>(a.out)[i] = static_cast<i32>(low);
  });
}

// Does the same as ir::Offsets::first_wrong().
inline void check_offsets(const SegmentArguments& a) {
  const OffsetArray offsets{a.offsets, a.offset_count, a.wide_offsets != 0};
  const Global<i64> first_wrong = array<i64>(a.out), longest = first_wrong + 1;
  i64 least = 0;
  for_each(a.offset_count, [&](i64 i) {
    const i64 offset = offsets[i], length = i == 0 ? 0 : offset - offsets[i - 1];
    if (-length < least) least = -length;
    const bool wrong = (i == 0 && offset != 0) || length < 0 || offset > a.elements ||
                       (i == a.offset_count - 1 && offset != a.elements);
    if (wrong) atomic_min(first_wrong, i);
  });
  if (least < *longest) atomic_min(longest, least);
}

// ---- search

template <class U, class Order>
void search_sorted(const SearchArguments& a) {
  for_each(a.count, [&](i64 q) {
    const U wanted = Order::ordered(static_cast<U>(array<U>(a.queries)[q]));
    i64 low = 0, high = a.elements;
    while (low < high) {
      const i64 middle = low + (high - low) / 2;
      const U key = Order::ordered(static_cast<U>(array<U>(a.sorted)[middle]));
      if (a.right_side ? key <= wanted : key < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    if (a.wide_out)
      array<i64>(a.out)[q] = low;
    else
      array<i32>(a.out)[q] = static_cast<i32>(low);
  });
}

// ---- sections

template <class U, class Elements>
void write_section(const Elements& values, const SectionArguments& a) {
  for_each(a.count, [&](i64 i) {
    i64 at = a.first, rest = i;
    for (i64 axis = a.rank - 1; axis > 0; --axis) {
      at += rest % a.extents[axis] * a.strides[axis];
      rest /= a.extents[axis];
    }
    array<U>(a.out)[at + rest * a.strides[0]] = values.element(i);
  });
}

// ---- scatter

inline i64 place_of(const ScatterArguments& a, i64 i) {
  i64 position = 0;
  for (int axis = 0; axis < a.rank; ++axis) {
    const i64 at = a.wide_indices ? array<i64>(a.indices[axis])[i] : array<i32>(a.indices[axis])[i];
    if (at < 0 || at >= a.extents[axis]) return -1;
    position = position * a.extents[axis] + at;
  }
  return position;
}

// Selects one value for each index: first the numbers of the values compete, then the winner is
// stored. The greatest number wins; 0 means that there is no value.
inline void scatter_compete(const ScatterArguments& a) {
  for_each(a.count, [&](i64 i) {
    const i64 at = place_of(a, i);
    if (at >= 0) atomic_max(array<i64>(a.winners) + at, a.first ? a.count - i : i + 1);
  });
}
template <class V>
void scatter_winners(const ScatterArguments& a) {
  for_each(a.targets, [&](i64 at) {
    const i64 winner = array<i64>(a.winners)[at];
    if (winner > 0)
      array<V>(a.out)[at] = array<V>(a.values)[a.first ? a.count - winner : winner - 1];
  });
}

// Combines values in any order: for operations that yield the same bits in every order.
template <class U, class Operator>
void scatter_combine(const ScatterArguments& a) {
  for_each(a.count, [&](i64 i) {
    const i64 at = place_of(a, i);
    if (at < 0) return;
    const U value = array<U>(a.values)[i];
    const Global<U> target = array<U>(a.out) + at;
    U known = load_relaxed(target);
    while (true) {
      const U wanted = Operator::combine(known, value);
      if (wanted == known) return;
      const U found = atomic_exchange_if(target, known, wanted);
      if (found == known) return;
      known = found;
    }
  });
}

template <class U>
void scatter_add(const ScatterArguments& a) {
  for_each(a.count, [&](i64 i) {
    const i64 at = place_of(a, i);
    if (at >= 0) atomic_add(array<U>(a.out) + at, static_cast<U>(array<U>(a.values)[i]));
  });
}

inline void scatter_keys(const ScatterArguments& a) {
  for_each(a.count, [&](i64 i) {
    const i64 at = place_of(a, i);
    array<u64>(a.keys)[i] = static_cast<u64>(at < 0 ? a.targets : at);
  });
}

// Combines values sorted by their indices in order, each run of equal indices on the thread that
// finds its beginning.
template <class U, class Operator>
void scatter_runs(const ScatterArguments& a) {
  const Global<u64> keys = array<u64>(a.keys);
  for_each(a.count, [&](i64 i) {
    const u64 at = keys[i];
    if (static_cast<i64>(at) >= a.targets || (i > 0 && keys[i - 1] == at)) return;
    U sum = array<U>(a.out)[at];
    for (i64 k = i; k < a.count && keys[k] == at; ++k)
      sum = Operator::combine(sum, array<U>(a.values)[k]);
    array<U>(a.out)[at] = sum;
  });
}

#ifndef TUTTI_EMULATED_GPU

#define TUTTI_INDICES(U)                                                                      \
  extern "C" void search_sorted_##U(const i64*, const i64* a) {                               \
    search_sorted<U, FusedOrder>(as<SearchArguments>(a));                                     \
  }                                                                                           \
  extern "C" void gather_##U(const i64*, const i64* a) { gather<U>(as<GatherArguments>(a)); } \
  extern "C" void scatter_winners_##U(const i64*, const i64* a) {                             \
    scatter_winners<U>(as<ScatterArguments>(a));                                              \
  }                                                                                           \
  extern "C" void scatter_runs_##U(const i64*, const i64* a) {                                \
    scatter_runs<U, Fused<U>>(as<ScatterArguments>(a));                                       \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_INDICES)

#define TUTTI_WRITE_SECTION(U)                                        \
  extern "C" void write_section_##U(const i64* words, const i64* a) { \
    write_section<U>(Fused<U>{words}, as<SectionArguments>(a));       \
  }
TUTTI_FOR_EACH_SIZE(TUTTI_WRITE_SECTION)

#define TUTTI_JOIN(name, U, parts) \
  extern "C" void name(const i64*, const i64* a) { join<U, parts>(as<JoinArguments>(a)); }
TUTTI_JOIN(join_2_u32, u32, 2)
TUTTI_JOIN(join_4_u32, u32, 4)
TUTTI_JOIN(join_2_u64, u64, 2)

extern "C" {
void scatter_combine_u32(const i64*, const i64* a) {
  scatter_combine<u32, Fused<u32>>(as<ScatterArguments>(a));
}
void scatter_combine_u64(const i64*, const i64* a) {
  scatter_combine<u64, Fused<u64>>(as<ScatterArguments>(a));
}
void scatter_add_u32(const i64*, const i64* a) { scatter_add<u32>(as<ScatterArguments>(a)); }
void scatter_add_u64(const i64*, const i64* a) { scatter_add<u64>(as<ScatterArguments>(a)); }
void scatter_compete(const i64*, const i64* a) { scatter_compete(as<ScatterArguments>(a)); }
void scatter_keys(const i64*, const i64* a) { scatter_keys(as<ScatterArguments>(a)); }
void copy(const i64*, const i64* a) { copy(as<CopyArguments>(a)); }
void narrow(const i64*, const i64* a) { narrow(as<NarrowArguments>(a)); }
void fill(const i64*, const i64* a) { fill(as<FillArguments>(a)); }
void element_segments(const i64*, const i64* a) { element_segments(as<SegmentArguments>(a)); }
void check_offsets(const i64*, const i64* a) { check_offsets(as<SegmentArguments>(a)); }
}

#endif

}  // namespace tutti::gpu
