#include "runtime/cpu/product.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/convert.hpp"
#include "core/settings.hpp"
#include "ir/scalar_ops.hpp"
#include "runtime/cpu/threads.hpp"

namespace tutti::runtime {
namespace {

// ---- OpenBLAS, found at run time

struct Blas {
  using Gemm32 = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                          float, float*, int);
  using Gemm64 = void (*)(int, int, int, int, int, int, double, const double*, int, const double*,
                          int, double, double*, int);
  using Gemv32 = void (*)(int, int, int, int, float, const float*, int, const float*, int, float,
                          float*, int);
  using Gemv64 = void (*)(int, int, int, int, double, const double*, int, const double*, int,
                          double, double*, int);
  Gemm32 sgemm = nullptr;
  Gemm64 dgemm = nullptr;
  Gemv32 sgemv = nullptr;
  Gemv64 dgemv = nullptr;
  void (*set_threads)(int) = nullptr;
  const char* name = "none";

  Blas() {
    // Debian's OpenBLAS knows CPUs by their model numbers and takes newer ones for very old ones:
    // its SGEMM is five times slower then. It can be told, but only before it is loaded.
    const bool told = std::getenv("OPENBLAS_CORETYPE") != nullptr;
    if (!told && __builtin_cpu_supports("avx512vl"))
      setenv("OPENBLAS_CORETYPE", "SkylakeX", 0);
    else if (!told && __builtin_cpu_supports("avx2"))
      setenv("OPENBLAS_CORETYPE", "Haswell", 0);
    load();
    if (!told) unsetenv("OPENBLAS_CORETYPE");
  }

  void load() {
    for (const char* file : {"libopenblas.so.0", "libopenblas.so"}) {
      void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (!library) continue;
      sgemm = reinterpret_cast<Gemm32>(dlsym(library, "cblas_sgemm"));
      dgemm = reinterpret_cast<Gemm64>(dlsym(library, "cblas_dgemm"));
      sgemv = reinterpret_cast<Gemv32>(dlsym(library, "cblas_sgemv"));
      dgemv = reinterpret_cast<Gemv64>(dlsym(library, "cblas_dgemv"));
      set_threads = reinterpret_cast<void (*)(int)>(dlsym(library, "openblas_set_num_threads"));
      name = file;
      return;
    }
  }
  bool complete() const { return sgemm && dgemm && sgemv && dgemv && set_threads; }
};

const Blas& blas() {
  static const Blas instance;
  return instance;
}

constexpr int row_major = 101, no_transpose = 111, transpose = 112;

template <class T, class Gemm, class Gemv>
void call_blas(const passes::ProductStep& s, Gemm gemm, Gemv gemv, const T* a, const T* b, T* c) {
  const int m = static_cast<int>(s.rows), n = static_cast<int>(s.columns),
            k = static_cast<int>(s.inner);
  const int lda = s.a_transposed ? m : k, ldb = s.b_transposed ? k : n;
  if (n == 1) {
    gemv(row_major, s.a_transposed ? transpose : no_transpose, s.a_transposed ? k : m,
         s.a_transposed ? m : k, T{1}, a, lda, b, 1, T{0}, c, 1);
  } else if (m == 1) {
    gemv(row_major, s.b_transposed ? no_transpose : transpose, s.b_transposed ? n : k,
         s.b_transposed ? k : n, T{1}, b, ldb, a, 1, T{0}, c, 1);
  } else {
    gemm(row_major, s.a_transposed ? transpose : no_transpose,
         s.b_transposed ? transpose : no_transpose, m, n, k, T{1}, a, lda, b, ldb, T{0}, c, n);
  }
}

bool use_blas(const passes::ProductStep& s) {
  if (live_settings().reproducible || !blas().complete()) return false;
  if (s.type != ElementType::f32 && s.type != ElementType::f64) return false;
  return s.rows <= INT32_MAX && s.columns <= INT32_MAX && s.inner <= INT32_MAX;
}

// ---- our own, with one order of operations everywhere (ir/interpreter.cpp says which)

constexpr int64_t block_inner = 256;  // the length of a chain of fma
constexpr int64_t block_columns =
    64;  // a panel of b: 256 x 64 elements, packed, in the second-level cache
constexpr int64_t block_rows = 4;  // rows of c that share each load of b

template <class T>
inline __attribute__((always_inline)) T multiply_add(T a, T b, T c) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fma(a, b, c);
  else
    return ir::arithmetic(Op::fma, a, b, c);
}

// rows x block_columns results for one block of the inner extent: sums[r][j] = fma chain over k.
template <class T>
inline __attribute__((always_inline)) void block(const T* const* a_rows, int64_t a_step,
                                                 const T* panel, int64_t depth, int64_t rows,
                                                 T* sums) {
  for (int64_t i = 0; i < rows * block_columns; ++i) sums[i] = T{};
  for (int64_t k = 0; k < depth; ++k) {
    const T* b = panel + k * block_columns;
    for (int64_t r = 0; r < rows; ++r) {
      const T x = a_rows[r][k * a_step];
      T* sum = sums + r * block_columns;
      for (int64_t j = 0; j < block_columns; ++j) sum[j] = multiply_add(x, b[j], sum[j]);
    }
  }
}

// The same loops compiled for three generations of vector units; the loader picks one.
// (The thread sanitizer is not ready yet when the loader asks.)
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_THREAD__)
#define TUTTI_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TUTTI_CLONES
#endif
#define TUTTI_BLOCK(type, name)                                                                \
  TUTTI_CLONES void name(const type* const* a, int64_t step, const type* panel, int64_t depth, \
                         int64_t rows, type* sums) {                                           \
    block<type>(a, step, panel, depth, rows, sums);                                            \
  }
TUTTI_BLOCK(float, block_f32)
TUTTI_BLOCK(double, block_f64)
#undef TUTTI_BLOCK

template <class T>
void run_block(const T* const* a, int64_t step, const T* panel, int64_t depth, int64_t rows,
               T* sums) {
  if constexpr (std::is_same_v<T, float>)
    block_f32(a, step, panel, depth, rows, sums);
  else if constexpr (std::is_same_v<T, double>)
    block_f64(a, step, panel, depth, rows, sums);
  else
    block<T>(a, step, panel, depth, rows, sums);
}

template <class T>
void multiply(const passes::ProductStep& s, const T* a, const T* b, T* c) {
  const int64_t a_row = s.a_transposed ? 1 : s.inner, a_step = s.a_transposed ? s.rows : 1;
  const int64_t b_row = s.b_transposed ? 1 : s.columns, b_step = s.b_transposed ? s.inner : 1;
  const int64_t panels = (s.columns + block_columns - 1) / block_columns;
  parallel_for(panels, [&](int64_t p) {
    const int64_t first = p * block_columns, width = std::min(block_columns, s.columns - first);
    std::vector<T> panel(static_cast<size_t>(block_inner * block_columns)),
        sums(static_cast<size_t>(block_rows * block_columns));
    for (int64_t r = 0; r < s.rows; ++r) std::fill_n(c + r * s.columns + first, width, T{});
    for (int64_t from = 0; from < s.inner; from += block_inner) {
      const int64_t depth = std::min(block_inner, s.inner - from);
      for (int64_t k = 0; k < depth; ++k)
        for (int64_t j = 0; j < block_columns; ++j)
          panel[static_cast<size_t>(k * block_columns + j)] =
              j < width ? b[(from + k) * b_row + (first + j) * b_step] : T{};
      for (int64_t row = 0; row < s.rows; row += block_rows) {
        const int64_t rows = std::min(block_rows, s.rows - row);
        const T* a_rows[block_rows];
        for (int64_t r = 0; r < rows; ++r) a_rows[r] = a + (row + r) * a_row + from * a_step;
        run_block<T>(a_rows, a_step, panel.data(), depth, rows, sums.data());
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t j = 0; j < width; ++j) {
            T& target = c[(row + r) * s.columns + first + j];
            target = ir::arithmetic(Op::add, target,
                                    sums[static_cast<size_t>(r * block_columns + j)], T{});
          }
      }
    }
  });
}

}  // namespace

void multiply_matrices(const passes::ProductStep& step, const void* a, const void* b, void* c) {
  if (use_blas(step)) {
    blas().set_threads(cpu_threads());
    if (step.type == ElementType::f32)
      call_blas(step, blas().sgemm, blas().sgemv, static_cast<const float*>(a),
                static_cast<const float*>(b), static_cast<float*>(c));
    else
      call_blas(step, blas().dgemm, blas().dgemv, static_cast<const double*>(a),
                static_cast<const double*>(b), static_cast<double*>(c));
    return;
  }
  visit_type(step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, half>)
      multiply<T>(step, static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(c));
  });
}

const char* blas_name() { return blas().complete() ? blas().name : "none"; }

}  // namespace tutti::runtime
