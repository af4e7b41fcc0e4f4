#include "runtime/cpu/blas.hpp"

#include <climits>

#include "core/settings/settings.hpp"
#include "runtime/cpu/openblas.hpp"
#include "runtime/cpu/threads.hpp"

namespace tutti::runtime {
namespace {

constexpr int row_major = 101, no_transpose = 111, transpose = 112;

struct Blas {
  using Gemm32 = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                          float, float*, int);
  using Gemm64 = void (*)(int, int, int, int, int, int, double, const double*, int, const double*,
                          int, double, double*, int);
  using Gemv32 = void (*)(int, int, int, int, float, const float*, int, const float*, int, float,
                          float*, int);
  using Gemv64 = void (*)(int, int, int, int, double, const double*, int, const double*, int,
                          double, double*, int);
  Gemm32 sgemm = openblas_function<Gemm32>("cblas_sgemm");
  Gemm64 dgemm = openblas_function<Gemm64>("cblas_dgemm");
  Gemv32 sgemv = openblas_function<Gemv32>("cblas_sgemv");
  Gemv64 dgemv = openblas_function<Gemv64>("cblas_dgemv");
  bool complete() const { return sgemm && dgemm && sgemv && dgemv; }
};

const Blas& blas() {
  static const Blas instance;
  return instance;
}

// A part of the result.
struct Part {
  int64_t row, rows, column, columns;
};

template <class T, class Gemm, class Gemv>
void multiply_part(const compiler::ProductStep& s, const Part& part, Gemm gemm, Gemv gemv,
                   const T* a, const T* b, T* c) {
  const int m = static_cast<int>(part.rows), n = static_cast<int>(part.columns),
            k = static_cast<int>(s.inner);
  const int lda = static_cast<int>(s.a_transposed ? s.rows : s.inner),
            ldb = static_cast<int>(s.b_transposed ? s.inner : s.columns);
  a += s.a_transposed ? part.row : part.row * lda;
  b += s.b_transposed ? part.column * ldb : part.column;
  c += part.row * s.columns + part.column;
  if (s.columns == 1) {
    gemv(row_major, s.a_transposed ? transpose : no_transpose, s.a_transposed ? k : m,
         s.a_transposed ? m : k, T{1}, a, lda, b, 1, T{0}, c, 1);
  } else if (s.rows == 1) {
    gemv(row_major, s.b_transposed ? no_transpose : transpose, s.b_transposed ? n : k,
         s.b_transposed ? k : n, T{1}, b, ldb, a, 1, T{0}, c, 1);
  } else {
    gemm(row_major, s.a_transposed ? transpose : no_transpose,
         s.b_transposed ? transpose : no_transpose, m, n, k, T{1}, a, lda, b, ldb, T{0}, c,
         static_cast<int>(s.columns));
  }
}

// A grid of parts that minimises the rows and columns that a part reads of both matrices.
struct Grid {
  int64_t down = 1, across = 1;
};
Grid grid_for(const compiler::ProductStep& s, int parts) {
  const auto read = [&](int64_t down, int64_t across) {
    return s.rows / down + s.columns / across;
  };
  Grid best;
  int64_t least = LLONG_MAX;
  for (int64_t down = 1; down <= parts; ++down) {
    const int64_t across = parts / down;
    if (down * across < parts || down > s.rows || across > s.columns) continue;
    if (read(down, across) < least) {
      least = read(down, across);
      best = {down, across};
    }
  }
  return best;
}

// Parts consist of whole tiles of OpenBLAS.
constexpr int64_t tile = 16;
int64_t boundary(int64_t extent, int64_t part, int64_t parts) {
  if (part == parts) return extent;
  const int64_t at = extent * part / parts;
  return extent >= 4 * tile * parts ? at / tile * tile : at;
}

template <class T, class Gemm, class Gemv>
void multiply(const compiler::ProductStep& s, int threads, Gemm gemm, Gemv gemv, const void* a,
              const void* b, void* c) {
  const Grid grid = grid_for(s, threads);
  const auto run = [&](int64_t index) {
    const int64_t i = index / grid.across, j = index % grid.across;
    const int64_t row = boundary(s.rows, i, grid.down),
                  column = boundary(s.columns, j, grid.across);
    const Part part{row, boundary(s.rows, i + 1, grid.down) - row, column,
                    boundary(s.columns, j + 1, grid.across) - column};
    if (part.rows > 0 && part.columns > 0)
      multiply_part<T>(s, part, gemm, gemv, static_cast<const T*>(a), static_cast<const T*>(b),
                       static_cast<T*>(c));
  };
  grid.down* grid.across == 1 ? run(0) : parallel_for(grid.down * grid.across, run);
}

// Below this number of multiplications one thread computes everything, as in OpenBLAS itself.
constexpr int64_t worth_sharing = 1 << 18;

int threads_for(const compiler::ProductStep& s) {
  const double work =
      static_cast<double>(s.rows) * static_cast<double>(s.columns) * static_cast<double>(s.inner);
  return openblas_has_threads() || work < static_cast<double>(worth_sharing) ? 1 : cpu_threads();
}

}  // namespace

bool blas_multiply(const compiler::ProductStep& s, const void* a, const void* b, void* c) {
  if (s.type != ElementType::f32 && s.type != ElementType::f64) return false;
  if (s.rows > INT_MAX || s.columns > INT_MAX || s.inner > INT_MAX) return false;
  if (live_settings().reproducible || !blas().complete()) return false;
  const OpenBlasCallers callers(threads_for(s));
  if (callers.count() == 0) return false;
  if (s.type == ElementType::f32)
    multiply<float>(s, callers.count(), blas().sgemm, blas().sgemv, a, b, c);
  else
    multiply<double>(s, callers.count(), blas().dgemm, blas().dgemv, a, b, c);
  return true;
}

const char* blas_name() { return blas().complete() ? openblas_name() : "none"; }

}  // namespace tutti::runtime
