// Compresses the values of a range whose flags are set: the inner loop of pack.
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tutti::runtime {

// Space that compress() needs after the kept values, because it stores whole vectors.
constexpr size_t compress_slack = 16;

// Writes every value, and advances the position if its flag is set: no branch to predict.
template <class V>
size_t compress_from(size_t first, const uint8_t* flags, const V* values, size_t count, V* out,
                     size_t found) {
  for (size_t i = first; i < count; ++i) {
    out[found] = values[i];
    found += flags[i];
  }
  return found;
}

#if defined(__x86_64__)

// Do the same for values of four bytes, 16 at a time, and of eight bytes.
__attribute__((target("avx512f,avx512bw,avx512vl"))) inline std::pair<size_t, size_t>
compress_vectors(const uint8_t* flags, const uint32_t* values, size_t count, uint32_t* out) {
  size_t i = 0, found = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(flags + i));
    const __mmask16 kept = _mm_test_epi8_mask(bytes, bytes);
    _mm512_storeu_si512(out + found,
                        _mm512_maskz_compress_epi32(kept, _mm512_loadu_si512(values + i)));
    found += static_cast<size_t>(__builtin_popcount(kept));
  }
  return {i, found};
}
__attribute__((target("avx512f,avx512bw,avx512vl"))) inline std::pair<size_t, size_t>
compress_vectors(const uint8_t* flags, const uint64_t* values, size_t count, uint64_t* out) {
  size_t i = 0, found = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(flags + i));
    const auto kept = static_cast<__mmask8>(_mm_test_epi8_mask(bytes, bytes));
    _mm512_storeu_si512(out + found,
                        _mm512_maskz_compress_epi64(kept, _mm512_loadu_si512(values + i)));
    found += static_cast<size_t>(__builtin_popcount(kept));
  }
  return {i, found};
}

inline bool can_compress_vectors() {
  static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl");
  return can;
}

#endif

// Returns the number of kept values. Flags are 0 or 1.
template <class V>
size_t compress(const uint8_t* flags, const V* values, size_t count, V* out) {
  size_t first = 0, found = 0;
#if defined(__x86_64__)
  if constexpr (sizeof(V) >= 4)
    if (can_compress_vectors())
      std::tie(first, found) = compress_vectors(flags, values, count, out);
#endif
  return compress_from(first, flags, values, count, out, found);
}

}  // namespace tutti::runtime
