// The product of two matrices, each possibly stored transposed. A block computes a square of the
// result; strips of both matrices pass through shared memory, and a thread keeps 4 x 4 sums.
// The order of additions is that of the CPU's own product: chains of fma over 256 at a time, which
// are added up.
#pragma once
#include "primitives/gpu/device.hpp"

namespace tutti::gpu {

inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }

template <class T>
class ProductBlock {
  static constexpr int across = product_side / product_points;  // threads along a side

 public:
  struct Shared {
    T a[product_strip][product_side], b[product_strip][product_side];
  };

  ProductBlock(Shared& shared, const ProductArguments& arguments)
      : s(shared), g(arguments), a_(array<T>(g.a)), b_(array<T>(g.b)) {}

  void run() {
    const i64 tiles = (g.columns + product_side - 1) / product_side;
    row_ = block() / tiles * product_side;
    column_ = block() % tiles * product_side;
    for (i64 k = 0; k < g.inner; k += product_strip) {
      load(k);
      barrier();
      const i64 left = g.inner - k;
      if (left >= product_strip)
#pragma unroll
        for (int i = 0; i < product_strip; ++i) multiply(i);
      else
        for (int i = 0; i < left; ++i) multiply(i);
      if ((k + product_strip) % product_chain == 0 || left <= product_strip) finish_chain();
      barrier();
    }
    store();
  }

 private:
  // Neighbouring threads read neighbouring elements, whichever way a matrix is stored.
  void load(i64 first) {
#pragma unroll
    for (int n = thread(); n < product_strip * product_side; n += block_threads) {
      const int along = n % product_strip, beside = n / product_strip;
      const int along_t = n / product_side, beside_t = n % product_side;
      if (g.a_transposed)
        s.a[along_t][beside_t] = element(a_, first + along_t, g.inner, row_ + beside_t, g.rows);
      else
        s.a[along][beside] = element(a_, row_ + beside, g.rows, first + along, g.inner);
      if (g.b_transposed)
        s.b[along][beside] = element(b_, column_ + beside, g.columns, first + along, g.inner);
      else
        s.b[along_t][beside_t] =
            element(b_, first + along_t, g.inner, column_ + beside_t, g.columns);
    }
  }
  static T element(Global<T> matrix, i64 i, i64 rows, i64 j, i64 columns) {
    return i < rows && j < columns ? matrix[i * columns + j] : T(0);
  }

  void multiply(int k) {
    T a[product_points], b[product_points];
#pragma unroll
    for (int i = 0; i < product_points; ++i) {
      a[i] = s.a[k][thread() / across + i * across];
      b[i] = s.b[k][thread() % across + i * across];
    }
#pragma unroll
    for (int i = 0; i < product_points; ++i)
#pragma unroll
      for (int j = 0; j < product_points; ++j) sums_[i][j] = multiply_add(a[i], b[j], sums_[i][j]);
  }

  void finish_chain() {
#pragma unroll
    for (int i = 0; i < product_points; ++i)
#pragma unroll
      for (int j = 0; j < product_points; ++j) {
        totals_[i][j] += sums_[i][j];
        sums_[i][j] = 0;
      }
  }

  void store() {
#pragma unroll
    for (int i = 0; i < product_points; ++i)
#pragma unroll
      for (int j = 0; j < product_points; ++j) {
        const i64 row = row_ + thread() / across + i * across;
        const i64 column = column_ + thread() % across + j * across;
        if (row < g.rows && column < g.columns)
          array<T>(g.out)[row * g.columns + column] = totals_[i][j];
      }
  }

  Shared& s;
  const ProductArguments& g;
  const Global<T> a_, b_;
  i64 row_ = 0, column_ = 0;
  T sums_[product_points][product_points] = {}, totals_[product_points][product_points] = {};
};

}  // namespace tutti::gpu
