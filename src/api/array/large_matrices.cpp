#include "api/array/large_matrices.hpp"

#include "api/array/host_matrices.hpp"

namespace tutti::detail {
namespace {

// Runs a decomposition, which returns nothing where its memory is missing.
template <class N, class F>
auto attempt(const N& a, F f) -> decltype(with_type(a, f)) {
  if (!is_large_matrix(real_part(a).shape())) return std::nullopt;
  try {
    return with_type(a, f);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

// Below this extent, kernels over all matrices take less time than LAPACK if there are many, and
// not much more if there are few.
constexpr int64_t least_extent = 48;

}  // namespace

bool is_large_matrix(const Extents& shape) {
  const Batch batch(shape);
  return std::min(batch.rows, batch.columns) >= least_extent &&
         std::max(batch.rows, batch.columns) <= largest_matrix && runtime::has_lapack();
}

template <class N>
std::optional<N> large_cholesky(const N& a) {
  return attempt(a, [&]<class T>(T) -> std::optional<N> {
    const Extents& shape = real_part(a).shape();
    const Batch batch(shape);
    const int64_t n = batch.rows;
    // The lower triangle by rows is the upper one by columns: U becomes the lower triangle L.
    std::vector<T> matrices = elements_of<T>(a);
    const bool done = by_lapack(batch.count, [&](int64_t i) {
      const std::span<T> matrix = matrix_of(matrices, i, n * n);
      const int64_t computed = Lapack<T>::factor_cholesky(static_cast<int>(n), matrix.data());
      for (int64_t row = 0; row < n; ++row) {
        const std::span<T> line =
            matrix.subspan(static_cast<size_t>(row * n), static_cast<size_t>(n));
        if (row >= computed)
          fill_with_nan(
              line.subspan(static_cast<size_t>(computed), static_cast<size_t>(row - computed + 1)));
        std::ranges::fill(line.subspan(static_cast<size_t>(row + 1)), T{});
      }
      return true;
    });
    if (!done) return std::nullopt;
    return term_of(matrices, shape, real_part(a).where);
  });
}

namespace {

// The factors of LU by columns, and the exchanges of rows.
template <class T>
struct Factors {
  std::vector<T> matrices;
  std::vector<int> pivots;
};

template <class T, class N>
std::optional<Factors<T>> lu_factors(const N& a, const Batch& batch) {
  const int64_t n = batch.rows;
  Factors<T> result{elements_of<T>(transposed(a)), {}};
  result.pivots.resize(static_cast<size_t>(batch.count * n));
  const bool done = by_lapack(batch.count, [&](int64_t i) {
    Lapack<T>::factor_lu(static_cast<int>(n), matrix_of(result.matrices, i, n * n).data(),
                         matrix_of(result.pivots, i, n).data());
    return true;
  });
  if (!done) return std::nullopt;
  return result;
}

}  // namespace

template <class N>
std::optional<LargeLu<N>> large_lu(const N& a) {
  return attempt(a, [&]<class T>(T) -> std::optional<LargeLu<N>> {
    const Extents& shape = real_part(a).shape();
    const Location& where = real_part(a).where;
    const Batch batch(shape);
    const int64_t n = batch.rows;
    const std::optional<Factors<T>> factors = lu_factors<T>(a, batch);
    if (!factors) return std::nullopt;
    std::vector<int32_t> order(factors->pivots.size());
    std::vector<RealOf<T>> sign(static_cast<size_t>(batch.count), RealOf<T>(1));
    for (int64_t i = 0; i < batch.count; ++i) {
      const std::span<int32_t> rows = matrix_of(order, i, n);
      for (int64_t k = 0; k < n; ++k) rows[static_cast<size_t>(k)] = static_cast<int32_t>(k);
      for (int64_t k = 0; k < n; ++k) {
        const int64_t other = factors->pivots[static_cast<size_t>(i * n + k)] - 1;
        if (other == k) continue;
        std::swap(rows[static_cast<size_t>(k)], rows[static_cast<size_t>(other)]);
        sign[static_cast<size_t>(i)] = -sign[static_cast<size_t>(i)];
      }
    }
    return LargeLu<N>{transposed(term_of(factors->matrices, shape, where)),
                      term_of(order, shape_with_vectors(shape, n), where),
                      term_of(sign, shape_with_numbers(shape), where)};
  });
}

template <class N>
std::optional<N> large_solve(const N& a, const N& b) {
  return attempt(a, [&]<class T>(T) -> std::optional<N> {
    const Batch batch(real_part(a).shape());
    const Extents& shape = real_part(b).shape();
    const int64_t n = batch.rows, columns = shape[shape.rank - 1];
    if (columns > largest_matrix) return std::nullopt;
    std::optional<Factors<T>> factors = lu_factors<T>(a, batch);
    if (!factors) return std::nullopt;
    std::vector<T> right = elements_of<T>(transposed(b));
    const bool done = by_lapack(batch.count, [&](int64_t i) {
      const std::span<T> matrix = matrix_of(factors->matrices, i, n * n);
      const std::span<T> solution = matrix_of(right, i, n * columns);
      bool is_singular = false;
      for (int64_t k = 0; k < n; ++k)
        is_singular = is_singular || matrix[static_cast<size_t>(k * n + k)] == T{};
      if (is_singular)
        fill_with_nan(solution);
      else
        Lapack<T>::solve_lu(static_cast<int>(n), static_cast<int>(columns), matrix.data(),
                            matrix_of(factors->pivots, i, n).data(), solution.data());
      return true;
    });
    if (!done) return std::nullopt;
    return transposed(term_of(right, shape_with_matrices(shape, columns, n), real_part(a).where));
  });
}

template <class N>
std::optional<LargeQr<N>> large_qr(const N& a, bool complete) {
  return attempt(a, [&]<class T>(T) -> std::optional<LargeQr<N>> {
    const Extents& shape = real_part(a).shape();
    const Location& where = real_part(a).where;
    const Batch batch(shape);
    const int64_t m = batch.rows, n = batch.columns, k = complete ? m : std::min(m, n);
    if (k > 4 * n) return std::nullopt;  // most columns of Q complete the basis
    const int64_t width = std::max(n, k);
    const std::vector<T> matrices = elements_of<T>(transposed(a));
    std::vector<T> q(static_cast<size_t>(batch.count * m * width)),
        r(static_cast<size_t>(batch.count * k * n));
    const bool done = by_lapack(batch.count, [&](int64_t i) {
      const auto size = static_cast<size_t>(m * n);
      const std::span<const T> given(matrices.data() + static_cast<size_t>(i) * size, size);
      const std::span<T> factor = matrix_of(q, i, m * width), rest = matrix_of(r, i, k * n);
      if (!is_finite(given)) {
        fill_with_nan(factor);
        fill_with_nan(rest);
        return true;
      }
      std::ranges::copy(given, factor.begin());
      Lapack<T>::factor_qr(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
                           factor.data(), rest.data());
      return true;
    });
    if (!done) return std::nullopt;
    const N columns = transposed(term_of(q, shape_with_matrices(shape, width, m), where));
    return LargeQr<N>{columns_from(columns, 0, k),
                      transposed(term_of(r, shape_with_matrices(shape, n, k), where))};
  });
}

template <class N>
std::optional<LargeSvd<N>> large_svd(const N& a, bool complete) {
  return attempt(a, [&]<class T>(T) -> std::optional<LargeSvd<N>> {
    const Extents& shape = real_part(a).shape();
    const Location& where = real_part(a).where;
    const Batch batch(shape);
    const int64_t m = batch.rows, n = batch.columns, least = std::min(m, n);
    const int64_t left = complete ? m : least, right = complete ? n : least;
    // By columns the elements are the transposed matrix, n by m: its left factor is the right one.
    std::vector<T> matrices = elements_of<T>(a);
    std::vector<RealOf<T>> s(static_cast<size_t>(batch.count * least));
    std::vector<T> u(static_cast<size_t>(batch.count * m * left)),
        vh(static_cast<size_t>(batch.count * right * n));
    const bool done = by_lapack(batch.count, [&](int64_t i) {
      const std::span<T> given = matrix_of(matrices, i, m * n), us = matrix_of(u, i, m * left),
                         vs = matrix_of(vh, i, right * n);
      const std::span<RealOf<T>> values = matrix_of(s, i, least);
      if (is_finite(std::span<const T>(given)))
        return Lapack<T>::singular_values(static_cast<int>(n), static_cast<int>(m), complete,
                                          given.data(), values.data(), vs.data(), us.data());
      fill_with_nan(us);
      fill_with_nan(vs);
      fill_with_nan(values);
      return true;
    });
    if (!done) return std::nullopt;
    return LargeSvd<N>{term_of(u, shape_with_matrices(shape, m, left), where),
                       term_of(s, shape_with_vectors(shape, least), where),
                       term_of(vh, shape_with_matrices(shape, right, n), where)};
  });
}

template <class N>
std::optional<LargeEigh<N>> large_eigh(const N& a) {
  return attempt(a, [&]<class T>(T) -> std::optional<LargeEigh<N>> {
    const Extents& shape = real_part(a).shape();
    const Location& where = real_part(a).where;
    const Batch batch(shape);
    const int64_t n = batch.rows;
    // By columns the elements are the conjugate matrix, whose vectors are conjugate.
    std::vector<T> matrices = elements_of<T>(a);
    std::vector<RealOf<T>> values(static_cast<size_t>(batch.count * n));
    const bool done = by_lapack(batch.count, [&](int64_t i) {
      const std::span<T> matrix = matrix_of(matrices, i, n * n);
      const std::span<RealOf<T>> found = matrix_of(values, i, n);
      if (is_finite(std::span<const T>(matrix)))
        return Lapack<T>::symmetric_eigenvalues(static_cast<int>(n), matrix.data(), found.data());
      fill_with_nan(matrix);
      fill_with_nan(found);
      return true;
    });
    if (!done) return std::nullopt;
    return LargeEigh<N>{term_of(values, shape_with_vectors(shape, n), where),
                        conjugated(transposed(term_of(matrices, shape, where)))};
  });
}

#define TUTTI_INSTANTIATE(N)                                     \
  template std::optional<N> large_cholesky(const N&);            \
  template std::optional<LargeLu<N>> large_lu(const N&);         \
  template std::optional<N> large_solve(const N&, const N&);     \
  template std::optional<LargeQr<N>> large_qr(const N&, bool);   \
  template std::optional<LargeSvd<N>> large_svd(const N&, bool); \
  template std::optional<LargeEigh<N>> large_eigh(const N&);
TUTTI_INSTANTIATE(Term)
TUTTI_INSTANTIATE(ComplexTerm)
#undef TUTTI_INSTANTIATE

}  // namespace tutti::detail
