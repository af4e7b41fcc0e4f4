// What the vector primitives need of a GPU, for code that clang compiles to NVPTX bitcode without
// any CUDA header. The tests compile the same kernels for the host, where another header provides
// these functions and runs threads one by one (TUTTI_EMULATED_GPU).
#pragma once
#include "primitives/gpu/arguments.hpp"

#ifdef TUTTI_EMULATED_GPU
#include "vectors/emulated_gpu.hpp"
#else

namespace tutti::gpu {

template <class T>
using Global = __attribute__((address_space(1))) T*;

// The kernel's one block of shared memory.
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

inline u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(all_lanes, vote); }
inline u32 match(u32 value) { return __nvvm_match_any_sync_i32(all_lanes, value); }
inline u32 shuffle_up(u32 value, int distance) {
  return __nvvm_shfl_sync_up_i32(all_lanes, value, distance, 0);
}
inline u32 shuffle_down(u32 value, int distance) {
  return __nvvm_shfl_sync_down_i32(all_lanes, value, distance, 31);
}

// Words that blocks tell each other about their progress.
template <class T>
T load_relaxed(Global<T> address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}
template <class T>
void store_relaxed(Global<T> address, T value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
template <class T>
T load_acquire(Global<T> address) {
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
template <class T>
void store_release(Global<T> address, T value) {
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
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
// Replaces `expected` by `wanted`; gives what was there.
template <class P, class T>
T atomic_exchange_if(P* address, T expected, T wanted) {
  __atomic_compare_exchange_n(address, &expected, wanted, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return expected;
}
inline int count_ones(u32 bits) { return __builtin_popcount(bits); }
inline int lowest_one(u32 bits) { return __builtin_ctz(bits); }

// Up to 16 bytes in one access.
template <class U, int count>
struct WideOf {
  typedef U type __attribute__((ext_vector_type(count)));
};
template <class U>
void store_16(Global<U> address, const U (&x)[16]) {
  constexpr int count = 16 / sizeof(U);
  using Wide = typename WideOf<U, count>::type;
#pragma unroll
  for (int k = 0; k < 16 / count; ++k) {
    Wide wide;
#pragma unroll
    for (int i = 0; i < count; ++i) wide[i] = x[k * count + i];
    ((Global<Wide>)address)[k] = wide;
  }
}

}  // namespace tutti::gpu
#endif

namespace tutti::gpu {

template <class T>
Global<T> array(i64 address) {
  return (Global<T>)address;
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
