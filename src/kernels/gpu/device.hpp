// The GPU intrinsics that the vector primitives use, for code that clang compiles to NVPTX bitcode
// without any CUDA header. The tests compile the same kernels for the host, where another header
// provides these functions and runs threads one by one (TUTTI_EMULATED_GPU).
#pragma once
#include "kernels/gpu/arguments.hpp"

#ifdef TUTTI_EMULATED_GPU
#include "vectors/emulated_gpu.hpp"
#else

namespace tutti::gpu {

template <class T>
using Global = __attribute__((address_space(1))) T*;

// The kernel's only block of shared memory.
#define TUTTI_SHARED(Type, name)                                                         \
  [[clang::loader_uninitialized]] static __attribute__((address_space(3))) Type name##_; \
  Type& name = *(Type*)&name##_

inline int thread() { return static_cast<int>(__nvvm_read_ptx_sreg_tid_x()); }
inline int lane() { return thread() & (warp_size - 1); }
inline int warp() { return thread() / warp_size; }
inline i64 block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
inline i64 blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }
inline void barrier() { __syncthreads(); }
inline void warp_barrier() { __nvvm_bar_warp_sync(all_lanes); }
inline void pause() {}
// Orders writes of this thread: a thread that sees a later one also sees all earlier ones.
inline void fence() { __nvvm_membar_gl(); }

inline u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(all_lanes, vote); }
// Returns the lanes with the same digit of eight bits, by a vote for each bit: three instructions
// for each. (match.any takes longer the more digits occur: a sort of random keys is 1.5 times
// slower.)
inline u32 match_digit(u32 digit) {
  u32 same = all_lanes;
#pragma unroll
  for (u32 bit = 1; bit < 256; bit *= 2) {
    u32 votes;
    asm volatile(
        "{ .reg .pred mine; .reg .b32 bit;"
        "  and.b32 bit, %1, %2;"
        "  setp.ne.u32 mine, bit, 0;"
        "  vote.sync.ballot.b32 %0, mine, 0xffffffff;"
        "  @!mine not.b32 %0, %0; }"
        : "=r"(votes)
        : "r"(digit), "n"(bit));
    same &= votes;
  }
  return same;
}
inline u32 shuffle(u32 value, int from) {
  return __nvvm_shfl_sync_idx_i32(all_lanes, value, from, 31);
}
inline u32 shuffle_up(u32 value, int distance) {
  return __nvvm_shfl_sync_up_i32(all_lanes, value, distance, 0);
}
inline u32 shuffle_down(u32 value, int distance) {
  return __nvvm_shfl_sync_down_i32(all_lanes, value, distance, 31);
}

// Words that blocks of the device exchange. The builtins of clang would synchronise with the whole
// system.
inline u32 load_relaxed(Global<u32> address) {
  u32 value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}
inline u64 load_relaxed(Global<u64> address) {
  u64 value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(address));
  return value;
}
inline void store_relaxed(Global<u32> address, u32 value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(address), "r"(value));
}
inline void store_relaxed(Global<u64> address, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(address), "l"(value));
}
template <class P, class T>
T atomic_add(P* address, T value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
template <class P, class T>
T atomic_or(P* address, T value) {
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}
template <class P, class T>
T atomic_min(P* address, T value) {
  return __atomic_fetch_min(address, value, __ATOMIC_RELAXED);
}
template <class P, class T>
T atomic_max(P* address, T value) {
  return __atomic_fetch_max(address, value, __ATOMIC_RELAXED);
}
// Replaces `expected` by `wanted`. Returns the previous value.
template <class P, class T>
T atomic_exchange_if(P* address, T expected, T wanted) {
  __atomic_compare_exchange_n(address, &expected, wanted, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}
inline int count_ones(u32 bits) { return __builtin_popcount(bits); }
// Returns the same number, but hides that from the compiler, which would otherwise keep values
// derived from it in registers instead of recomputing them.
inline u32 as_new(u32 x) {
  asm volatile("" : "+r"(x));
  return x;
}
inline int lowest_one(u32 bits) { return __builtin_ctz(bits); }
inline int highest_one(u32 bits) { return __builtin_clz(bits) ^ 31; }

// Access a piece with the widest possible instructions.
template <class U>
struct PieceOf {
  typedef U type __attribute__((ext_vector_type(piece_size)));
};
template <class U>
void load_piece(Global<U> address, U* x) {
  const typename PieceOf<U>::type piece = *(Global<typename PieceOf<U>::type>)address;
#pragma unroll
  for (int i = 0; i < piece_size; ++i) x[i] = piece[i];
}
template <class U>
void store_piece(Global<U> address, const U* x) {
  typename PieceOf<U>::type piece;
#pragma unroll
  for (int i = 0; i < piece_size; ++i) piece[i] = x[i];
  *(Global<typename PieceOf<U>::type>)address = piece;
}

}  // namespace tutti::gpu
#endif

namespace tutti::gpu {

template <class T>
Global<T> array(i64 address) {
  return (Global<T>)address;
}

// Loads elements from `first`, a multiple of four, on, with `stride` between pieces; `absent` from
// the end on. The source provides piece(first, x) and element(i).
template <class U, class Source>
void load_pieces(const Source& source, i64 first, i64 stride, i64 end, U absent,
                 U (&x)[group_size]) {
  if (first + (pieces - 1) * stride + piece_size <= end) {
#pragma unroll
    for (int k = 0; k < pieces; ++k) source.piece(first + k * stride, x + k * piece_size);
    return;
  }
#pragma unroll
  for (int i = 0; i < group_size; ++i) {
    const i64 at = first + i / piece_size * stride + i % piece_size;
    x[i] = at < end ? source.element(at) : absent;
  }
}
template <class U>
struct InMemory {
  Global<U> address;
  void piece(i64 first, U* x) const { load_piece(address + first, x); }
  U element(i64 i) const { return address[i]; }
  void store_piece(i64 first, const U* x) const { gpu::store_piece(address + first, x); }
  void store_element(i64 i, U x) const { address[i] = x; }
};
// Stores them likewise. The target provides store_piece(first, x) and store_element(i, x).
template <class U, class Target>
void store_pieces(const Target& target, i64 first, i64 stride, i64 end, const U (&x)[group_size]) {
  if (first + (pieces - 1) * stride + piece_size <= end) {
#pragma unroll
    for (int k = 0; k < pieces; ++k) target.store_piece(first + k * stride, x + k * piece_size);
    return;
  }
#pragma unroll
  for (int i = 0; i < group_size; ++i) {
    const i64 at = first + i / piece_size * stride + i % piece_size;
    if (at < end) target.store_element(at, x[i]);
  }
}

template <class U>
U shuffled(U value, int from) {
  if constexpr (sizeof(U) == 8) {
    const u32 low = shuffle(static_cast<u32>(value), from);
    const u32 high = shuffle(static_cast<u32>(value >> 32), from);
    return static_cast<U>(high) << 32 | low;
  } else {
    return static_cast<U>(shuffle(value, from));
  }
}
template <class U>
U shuffled_up(U value, int distance) {
  if constexpr (sizeof(U) == 8) {
    const u32 low = shuffle_up(static_cast<u32>(value), distance);
    const u32 high = shuffle_up(static_cast<u32>(value >> 32), distance);
    return static_cast<U>(high) << 32 | low;
  } else {
    return static_cast<U>(shuffle_up(value, distance));
  }
}
template <class U>
U shuffled_down(U value, int distance) {
  if constexpr (sizeof(U) == 8) {
    const u32 low = shuffle_down(static_cast<u32>(value), distance);
    const u32 high = shuffle_down(static_cast<u32>(value >> 32), distance);
    return static_cast<U>(high) << 32 | low;
  } else {
    return static_cast<U>(shuffle_down(value, distance));
  }
}

// Offsets of segments, int32 or int64.
struct OffsetArray {
  i64 address;
  i64 count;  // one more than there are segments
  bool wide;
  i64 operator[](i64 i) const { return wide ? array<i64>(address)[i] : array<i32>(address)[i]; }
};

}  // namespace tutti::gpu
