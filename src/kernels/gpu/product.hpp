// The product of two matrices, each possibly stored transposed. A block computes a square of the
// result, a thread 8 x 8 points of it (4 x 4 for doubles). Strips of both matrices pass through
// shared memory: while one strip is multiplied, the next is loaded into registers.
// The order of additions is that of Tutti's product on the CPU: chains of 256 fma, which are then
// added up. Elements beyond the ends are zeros, which change no sum: a sum that began at +0 is
// never -0.
#pragma once
#include "kernels/gpu/entry.hpp"

namespace tutti::gpu {

inline float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }

// Strips of one of the matrices: `strip` elements of the inner axis, `side` of the other.
template <class T>
class ProductStrips {
  static constexpr int side = product_side(sizeof(T)), strip = product_strip(sizeof(T));

 public:
  // Rows of pieces; the gap distributes pieces that are stored together over different banks.
  using Shared = T[strip][side + piece_size];

  // `along`: neighbours in memory are neighbours on the inner axis.
  ProductStrips(i64 matrix, bool along, i64 inner, i64 first, i64 others)
      : matrix_(array<T>(matrix)), along_(along), inner_(inner), others_(others) {
    const int width = along ? strip / piece_size : side / piece_size;
    const int row = thread() / width, piece = thread() % width * piece_size;
    k_ = along ? piece : row;
    beside_ = along ? row : piece;
    other_ = first + beside_;
    wide_ = (along ? inner : others) % piece_size == 0 && matrix % (piece_size * sizeof(T)) == 0;
  }

  // Loads this thread's piece of the strip that begins at k into registers...
  void fetch(i64 k) {
    const i64 i = along_ ? other_ : k + k_, rows = along_ ? others_ : inner_;
    const i64 j = along_ ? k + k_ : other_, columns = along_ ? inner_ : others_;
    if (wide_ && i < rows && j < columns) {
      load_piece(matrix_ + (i * columns + j), piece_);
      return;
    }
#pragma unroll
    for (int n = 0; n < piece_size; ++n)
      piece_[n] = i < rows && j + n < columns ? matrix_[i * columns + j + n] : T(0);
  }
  // ...and stores it in shared memory.
  void put(Shared& s) const {
#pragma unroll
    for (int n = 0; n < piece_size; ++n)
      (along_ ? s[k_ + n][beside_] : s[k_][beside_ + n]) = piece_[n];
  }

 private:
  const Global<T> matrix_;
  const bool along_;
  const i64 inner_, others_;
  i64 other_;
  int k_, beside_;
  bool wide_;
  T piece_[piece_size];
};

template <class T>
class ProductBlock {
  static constexpr int side = product_side(sizeof(T)), strip = product_strip(sizeof(T));
  static constexpr int points = product_points(sizeof(T)), groups = points / piece_size;

 public:
  struct alignas(16) Shared {
    typename ProductStrips<T>::Shared a[2], b[2];
  };

  ProductBlock(Shared& shared, const ProductArguments& arguments) : s(shared), g(arguments) {}

  void run() {
    const i64 tiles = (g.columns + side - 1) / side;
    row_ = block() / tiles * side;
    column_ = block() % tiles * side;
    ProductStrips<T> a(g.a, !g.a_transposed, g.inner, row_, g.rows);
    ProductStrips<T> b(g.b, g.b_transposed, g.inner, column_, g.columns);
    a.fetch(0), b.fetch(0);
    int now = 0;
    for (i64 k = 0; k < g.inner; k += strip) {
      a.put(s.a[now]), b.put(s.b[now]);
      barrier();  // both strips are complete, and the other buffer of each pair is no longer read
      if (k + strip < g.inner) a.fetch(k + strip), b.fetch(k + strip);
#pragma unroll
      for (int i = 0; i < strip; ++i) multiply(s.a[now][i], s.b[now][i]);
      if ((k + strip) % product_chain == 0) finish_chain();
      now ^= 1;
    }
    if (g.inner % product_chain) finish_chain();
    store();
  }

 private:
  // The points of a thread are pieces, a fraction of the side apart.
  static int place(int thread, int i) {
    return i / piece_size * (side / groups) + thread * piece_size + i % piece_size;
  }
  static int down() { return thread() / product_across; }
  static int right() { return thread() % product_across; }

  void multiply(const T* a, const T* b) {
    T x[points], y[points];
#pragma unroll
    for (int i = 0; i < points; ++i) x[i] = a[place(down(), i)], y[i] = b[place(right(), i)];
#pragma unroll
    for (int i = 0; i < points; ++i)
#pragma unroll
      for (int j = 0; j < points; ++j) sums_[i][j] = multiply_add(x[i], y[j], sums_[i][j]);
  }

  void finish_chain() {
#pragma unroll
    for (int i = 0; i < points; ++i)
#pragma unroll
      for (int j = 0; j < points; ++j) {
        totals_[i][j] += sums_[i][j];
        sums_[i][j] = 0;
      }
  }

  void store() {
    const Global<T> out = array<T>(g.out);
    const bool wide = g.columns % piece_size == 0 && g.out % (piece_size * sizeof(T)) == 0;
#pragma unroll
    for (int i = 0; i < points; ++i)
#pragma unroll
      for (int j = 0; j < points; j += piece_size) {
        const i64 row = row_ + place(down(), i), column = column_ + place(right(), j);
        if (row >= g.rows || column >= g.columns) continue;
        const Global<T> to = out + (row * g.columns + column);
        if (wide) {
          store_piece(to, &totals_[i][j]);
          continue;
        }
#pragma unroll
        for (int n = 0; n < piece_size; ++n)
          if (column + n < g.columns) to[n] = totals_[i][j + n];
      }
  }

  Shared& s;
  const ProductArguments& g;
  i64 row_ = 0, column_ = 0;
  T sums_[points][points] = {}, totals_[points][points] = {};
};

#ifndef TUTTI_EMULATED_GPU

#define TUTTI_PRODUCT(name, T)                              \
  extern "C" void name(const i64*, const i64* a) {          \
    TUTTI_SHARED(ProductBlock<T>::Shared, shared);          \
    ProductBlock<T>(shared, as<ProductArguments>(a)).run(); \
  }
TUTTI_PRODUCT(product_f32, float)
TUTTI_PRODUCT(product_f64, double)

#endif

}  // namespace tutti::gpu
