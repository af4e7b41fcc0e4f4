#include "runtime/cpu/product.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/elements/convert.hpp"
#include "numerics/product_order.hpp"
#include "numerics/scalar_ops.hpp"
#include "runtime/cpu/blas.hpp"
#include "runtime/cpu/threads.hpp"

namespace tutti::runtime {
namespace {

// The product of Tutti, in the order of numerics/product_order.hpp.

constexpr int64_t block_inner = ir::product_chain;
// A packed panel of b, 256 x 64 elements, stays in the second-level cache.
constexpr int64_t block_columns = 64;
constexpr int64_t block_rows = 4;  // rows of c that share each load of b

template <class T>
inline __attribute__((always_inline)) T multiply_add(T a, T b, T c) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fma(a, b, c);
  else
    return ir::arithmetic(Op::fma, a, b, c);
}

// Computes rows x block_columns results for one block of the inner extent: sums[r][j] = fma chain
// over k.
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

// The same loops compiled for three generations of vector units; the loader selects one.
// (The thread sanitizer is not initialised when the loader selects.)
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
void multiply(const compiler::ProductStep& s, const T* a, const T* b, T* c) {
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

void multiply_matrices(const compiler::ProductStep& step, const void* a, const void* b, void* c) {
  if (blas_multiply(step, a, b, c)) return;
  visit_type(step.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, half>)
      multiply<T>(step, static_cast<const T*>(a), static_cast<const T*>(b), static_cast<T*>(c));
  });
}

}  // namespace tutti::runtime
