#include "runtime/cpu/primitives/fourier_stages.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>

#include "core/settings/settings.hpp"
#include "numerics/fourier.hpp"

#define TUTTI_INLINE [[gnu::always_inline]] inline

namespace tutti::runtime {
namespace {

// A vector of numbers, as wide as the vector units of a machine.
template <class T, int bytes>
using Lanes [[gnu::vector_size(bytes)]] = T;

// A complex number, or a vector of them.
template <class T>
struct Value {
  T re, im;
};
template <class T>
TUTTI_INLINE Value<T> operator+(const Value<T>& a, const Value<T>& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T>
TUTTI_INLINE Value<T> operator-(const Value<T>& a, const Value<T>& b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T>
TUTTI_INLINE Value<T> operator*(const Value<T>& a, const Value<T>& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
TUTTI_INLINE Value<T> scaled(const T& a, const Value<T>& b) {
  return {a * b.re, a * b.im};
}
// Return a - i b and a + i b.
template <class T>
TUTTI_INLINE Value<T> minus_i(const Value<T>& a, const Value<T>& b) {
  return {a.re + b.im, a.im - b.re};
}
template <class T>
TUTTI_INLINE Value<T> plus_i(const Value<T>& a, const Value<T>& b) {
  return {a.re - b.im, a.im + b.re};
}

// The cosines and sines of 2 pi m / radix.
template <class T, int radix>
struct Circle {
  std::array<T, radix> cosine, sine;
  Circle() {
    for (int m = 0; m < radix; ++m) {
      const ir::Root root = ir::root_of_unity(m, radix);
      cosine[static_cast<size_t>(m)] = static_cast<T>(root.real);
      sine[static_cast<size_t>(m)] = static_cast<T>(-root.imag);
    }
  }
};
template <class T, int radix>
const Circle<T, radix> circle;

template <class V, class T>
TUTTI_INLINE Value<V> everywhere(T re, T im) {
  return {V{} + re, V{} + im};
}
template <class V, class T>
TUTTI_INLINE Value<V> load(const ComplexIn<T>& from, int64_t i) {
  Value<V> value;
  std::memcpy(&value.re, from.re + i, sizeof(V));
  std::memcpy(&value.im, from.im + i, sizeof(V));
  return value;
}
template <class V, class T>
TUTTI_INLINE void store(const ComplexOut<T>& to, int64_t i, const Value<V>& value) {
  std::memcpy(to.re + i, &value.re, sizeof(V));
  std::memcpy(to.im + i, &value.im, sizeof(V));
}

template <int radix, class V, class T>
TUTTI_INLINE void butterfly(std::array<Value<V>, radix>& x, const Circle<T, radix>& w) {
  if constexpr (radix == 2) {
    x = {x[0] + x[1], x[0] - x[1]};
  } else if constexpr (radix == 4) {
    const Value<V> a = x[0] + x[2], b = x[1] + x[3], c = x[0] - x[2], d = x[1] - x[3];
    x = {a + b, minus_i(c, d), a - b, plus_i(c, d)};
  } else {
    constexpr size_t half = radix / 2;
    std::array<Value<V>, half + 1> sum, difference;
    for (size_t j = 1; j <= half; ++j) {
      sum[j] = x[j] + x[radix - j];
      difference[j] = x[j] - x[radix - j];
    }
    const Value<V> first = x[0];
    for (size_t j = 1; j <= half; ++j) x[0] = x[0] + sum[j];
    for (size_t k = 1; k <= half; ++k) {
      Value<V> m = first + scaled(V{} + w.cosine[k], sum[1]),
               v = scaled(V{} + w.sine[k], difference[1]);
      for (size_t j = 2; j <= half; ++j) {
        m = m + scaled(V{} + w.cosine[j * k % radix], sum[j]);
        v = v + scaled(V{} + w.sine[j * k % radix], difference[j]);
      }
      x[k] = minus_i(m, v);
      x[radix - k] = plus_i(m, v);
    }
  }
}

// The factors of a run, if they are the same for all of its elements.
template <int radix, Factors kind, class V, class T>
struct Fixed {
  std::array<Value<V>, radix> factor;
  TUTTI_INLINE Fixed(const StageRun<T>& run, const ComplexIn<T>& factors) {
    if constexpr (kind == Factors::of_runs)
      for (int64_t k = 1; k < radix; ++k)
        factor[static_cast<size_t>(k)] = everywhere<V>(factors.re[(k - 1) * run.factor_step],
                                                       factors.im[(k - 1) * run.factor_step]);
  }
};

// Computes as many neighbouring butterflies as V has lanes.
template <int radix, Factors kind, class V, class T>
TUTTI_INLINE void butterflies(const StageRun<T>& run, const ComplexIn<T>& in,
                              const ComplexOut<T>& out, const ComplexIn<T>& factors,
                              const Fixed<radix, kind, V, T>& fixed, int64_t i) {
  std::array<Value<V>, radix> x;
  for (int64_t j = 0; j < radix; ++j) x[static_cast<size_t>(j)] = load<V>(in, j * run.in_step + i);
  butterfly<radix>(x, circle<T, radix>);
  for (int64_t k = 0; k < radix; ++k) {
    Value<V> value = x[static_cast<size_t>(k)];
    if constexpr (kind == Factors::of_runs)
      if (k > 0) value = value * fixed.factor[static_cast<size_t>(k)];
    if constexpr (kind == Factors::of_elements)
      if (k > 0) value = value * load<V>(factors, (k - 1) * run.factor_step + i);
    if constexpr (kind == Factors::scale) value = scaled(V{} + run.scale, value);
    store(out, k * run.out_step + i, value);
  }
}

// Computes a run. The last vector overlaps the one before it: inputs are never overwritten.
template <int radix, Factors kind, class V, class T>
TUTTI_INLINE void run_by(const StageRun<T>& run, const ComplexIn<T>& in, const ComplexOut<T>& out,
                         const ComplexIn<T>& factors) {
  constexpr size_t bytes = sizeof(V), element_bytes = sizeof(T);
  constexpr int64_t lanes = bytes / element_bytes;
  const Fixed<radix, kind, V, T> fixed(run, factors);
  int64_t i = 0;
  for (; i + lanes <= run.count; i += lanes)
    butterflies<radix, kind, V>(run, in, out, factors, fixed, i);
  if (i < run.count) butterflies<radix, kind, V>(run, in, out, factors, fixed, run.count - lanes);
}

template <int radix, Factors kind, class V, class T>
TUTTI_INLINE void all_runs(const StageRun<T>& run) {
  for (int64_t o = 0; o < run.outer.count; ++o)
    for (int64_t m = 0; m < run.middle.count; ++m)
      run_by<radix, kind, V>(run, run.in.at(o * run.outer.in + m * run.middle.in),
                             run.out.at(o * run.outer.out + m * run.middle.out),
                             run.factors.at(o * run.outer.factors + m * run.middle.factors));
}

template <int radix, class V, class T>
TUTTI_INLINE void all_kinds(const StageRun<T>& run) {
  switch (run.kind) {
    case Factors::none:
      return all_runs<radix, Factors::none, V>(run);
    case Factors::of_elements:
      return all_runs<radix, Factors::of_elements, V>(run);
    case Factors::of_runs:
      return all_runs<radix, Factors::of_runs, V>(run);
    case Factors::scale:
      return all_runs<radix, Factors::scale, V>(run);
  }
}

// A stage by vectors of a type, whose lanes a run fills at least once.
template <class V, class T>
TUTTI_INLINE void run_with(const StageRun<T>& run) {
  switch (run.radix) {
    case 2:
      return all_kinds<2, V>(run);
    case 3:
      return all_kinds<3, V>(run);
    case 4:
      return all_kinds<4, V>(run);
    case 5:
      return all_kinds<5, V>(run);
    default:
      return all_kinds<7, V>(run);
  }
}

template <class T>
void run_narrow(const StageRun<T>& run) {
  using V = Lanes<T, 16>;
  if (run.count >= static_cast<int64_t>(sizeof(V) / sizeof(T)))
    run_with<V>(run);
  else
    run_with<T>(run);
}

#if defined(__x86_64__)
template <class T>
[[gnu::target("arch=x86-64-v3")]] void run_v3(const StageRun<T>& run) {
  run_with<Lanes<T, 32>>(run);
}
template <class T>
[[gnu::target("arch=x86-64-v4")]] void run_v4(const StageRun<T>& run) {
  run_with<Lanes<T, 64>>(run);
}

// Returns the bytes of the vectors of this machine, or of TUTTI_SIMD_BITS if that is less.
int vector_bytes() {
  static const int bytes = [] {
    const int most = simd_bits() > 0 ? simd_bits() / 8 : 64;
    if (most >= 64 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
      return 64;
    return most >= 32 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
                   __builtin_cpu_supports("fma")
               ? 32
               : 16;
  }();
  return bytes;
}
#endif

template <class T>
void run_widest(const StageRun<T>& run) {
#if defined(__x86_64__)
  const int64_t bytes = run.count * static_cast<int64_t>(sizeof(T));
  if (bytes >= 64 && vector_bytes() == 64) return run_v4(run);
  if (bytes >= 32 && vector_bytes() >= 32) return run_v3(run);
#endif
  run_narrow(run);
}

// ---- transposition

template <class T>
void transpose_plain(const T* in, int64_t in_pitch, T* out, int64_t out_pitch, int64_t rows,
                     int64_t columns) {
  constexpr int64_t side = 8;  // of squares whose rows stay in the cache
  for (int64_t square = 0; square < columns; square += side)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = square; c < std::min(columns, square + side); ++c)
        out[c * out_pitch + r] = in[r * in_pitch + c];
}

#if defined(__x86_64__)
#define TUTTI_V3 [[gnu::target("arch=x86-64-v3")]]

TUTTI_V3 inline __m256d pairs_low(__m256 a, __m256 b) {
  return _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
}
TUTTI_V3 inline __m256d pairs_high(__m256 a, __m256 b) {
  return _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
}

// Transposes a square of 8 by 8 numbers: pairs of numbers, pairs of pairs, then halves.
TUTTI_V3 inline void transpose_square(const float* in, int64_t in_pitch, float* out,
                                      int64_t out_pitch) {
  __m256 rows[8];
  __m256d pairs[8], fours[8];
  for (int r = 0; r < 8; ++r) rows[r] = _mm256_loadu_ps(in + r * in_pitch);
  for (int r = 0; r < 8; r += 2) {
    pairs[r] = pairs_low(rows[r], rows[r + 1]);
    pairs[r + 1] = pairs_high(rows[r], rows[r + 1]);
  }
  for (int r = 0; r < 8; r += 4)
    for (int c = 0; c < 2; ++c) {
      fours[r + 2 * c] = _mm256_unpacklo_pd(pairs[r + c], pairs[r + c + 2]);
      fours[r + 2 * c + 1] = _mm256_unpackhi_pd(pairs[r + c], pairs[r + c + 2]);
    }
  for (int c = 0; c < 4; ++c) {
    const __m256d low = _mm256_permute2f128_pd(fours[c], fours[c + 4], 0x20),
                  high = _mm256_permute2f128_pd(fours[c], fours[c + 4], 0x31);
    _mm256_storeu_ps(out + c * out_pitch, _mm256_castpd_ps(low));
    _mm256_storeu_ps(out + (c + 4) * out_pitch, _mm256_castpd_ps(high));
  }
}
// Does the same for 4 by 4 numbers.
TUTTI_V3 inline void transpose_square(const double* in, int64_t in_pitch, double* out,
                                      int64_t out_pitch) {
  __m256d rows[4], pairs[4];
  for (int r = 0; r < 4; ++r) rows[r] = _mm256_loadu_pd(in + r * in_pitch);
  for (int r = 0; r < 4; r += 2) {
    pairs[r] = _mm256_unpacklo_pd(rows[r], rows[r + 1]);
    pairs[r + 1] = _mm256_unpackhi_pd(rows[r], rows[r + 1]);
  }
  for (int c = 0; c < 2; ++c) {
    _mm256_storeu_pd(out + c * out_pitch, _mm256_permute2f128_pd(pairs[c], pairs[c + 2], 0x20));
    _mm256_storeu_pd(out + (c + 2) * out_pitch,
                     _mm256_permute2f128_pd(pairs[c], pairs[c + 2], 0x31));
  }
}

template <class T>
TUTTI_V3 void transpose_v3(const T* in, int64_t in_pitch, T* out, int64_t out_pitch, int64_t rows,
                           int64_t columns) {
  constexpr int64_t side = 32 / sizeof(T);
  const int64_t whole_rows = rows - rows % side, whole_columns = columns - columns % side;
  for (int64_t c = 0; c < whole_columns; c += side)
    for (int64_t r = 0; r < whole_rows; r += side)
      transpose_square(in + r * in_pitch + c, in_pitch, out + c * out_pitch + r, out_pitch);
  transpose_plain(in + whole_columns, in_pitch, out + whole_columns * out_pitch, out_pitch,
                  whole_rows, columns - whole_columns);
  transpose_plain(in + whole_rows * in_pitch, in_pitch, out + whole_rows, out_pitch,
                  rows - whole_rows, columns);
}
#undef TUTTI_V3
#endif

template <class T>
void transpose_widest(const T* in, int64_t in_pitch, T* out, int64_t out_pitch, int64_t rows,
                      int64_t columns) {
#if defined(__x86_64__)
  if (vector_bytes() >= 32) return transpose_v3(in, in_pitch, out, out_pitch, rows, columns);
#endif
  transpose_plain(in, in_pitch, out, out_pitch, rows, columns);
}

}  // namespace

void run_stage(const StageRun<float>& run) { run_widest(run); }
void run_stage(const StageRun<double>& run) { run_widest(run); }
void transpose_rows(const float* in, int64_t in_pitch, float* out, int64_t out_pitch, int64_t rows,
                    int64_t columns) {
  transpose_widest(in, in_pitch, out, out_pitch, rows, columns);
}
void transpose_rows(const double* in, int64_t in_pitch, double* out, int64_t out_pitch,
                    int64_t rows, int64_t columns) {
  transpose_widest(in, in_pitch, out, out_pitch, rows, columns);
}

}  // namespace tutti::runtime
