// Eigenvalues of any square matrices: large ones by LAPACK, others one by one on the host.
#include "tutti/eigenvalues.hpp"

#include "api/array/host_matrices.hpp"
#include "api/array/large_matrices.hpp"
#include "numerics/eigenvalues.hpp"

namespace tutti::detail {
namespace {

template <class T>
using ComplexOf = std::complex<RealOf<T>>;

// The matrices, and space for the results.
template <class T>
struct Work {
  template <class N>
  Work(const N& a, bool with_vectors)
      : batch(real_part(a).shape()),
        matrices(elements_of<T>(a)),
        values(static_cast<size_t>(batch.count * batch.rows)),
        vectors(with_vectors ? matrices.size() : 0) {}
  std::span<T> matrix(int64_t i) { return matrix_of(matrices, i, batch.rows * batch.rows); }
  std::span<ComplexOf<T>> values_of(int64_t i) { return matrix_of(values, i, batch.rows); }
  std::span<ComplexOf<T>> vectors_of(int64_t i) {
    if (vectors.empty()) return {};
    return matrix_of(vectors, i, batch.rows * batch.rows);
  }
  void refuse(int64_t i) {
    fill_with_nan(values_of(i));
    fill_with_nan(vectors_of(i));
  }

  Batch batch;
  std::vector<T> matrices;
  std::vector<ComplexOf<T>> values, vectors;  // vectors are the columns of matrices by rows
};

template <class T>
void transpose_in_place(std::span<T> matrix, int64_t n) {
  for (int64_t row = 0; row < n; ++row)
    for (int64_t column = 0; column < row; ++column)
      std::swap(matrix[static_cast<size_t>(row * n + column)],
                matrix[static_cast<size_t>(column * n + row)]);
}

// Returns false if LAPACK is not there, lacks memory, or does not converge.
template <class T>
bool compute_by_lapack(Work<T>& work) {
  const auto n = static_cast<int>(work.batch.rows);
  return by_lapack(work.batch.count, [&](int64_t i) {
    std::vector<T> matrix(work.matrix(i).begin(), work.matrix(i).end());
    if (!is_finite(std::span<const T>(matrix))) {
      work.refuse(i);
      return true;
    }
    transpose_in_place(std::span<T>(matrix), n);
    const std::span<ComplexOf<T>> vectors = work.vectors_of(i);
    if (!Lapack<T>::eigenvalues(n, matrix.data(), work.values_of(i).data(),
                                vectors.empty() ? nullptr : vectors.data()))
      return false;
    if (!vectors.empty()) transpose_in_place(vectors, n);
    return true;
  });
}

template <class To, class From>
void narrow(const std::vector<From>& from, std::span<To> to) {
  std::ranges::transform(from, to.begin(), [](const From& x) { return To(x); });
}

// Float elements are computed in double.
template <class T>
bool compute_one(Work<T>& work, int64_t i) {
  using Wide = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;
  const std::span<T> given = work.matrix(i);
  const std::vector<Wide> wide(given.begin(), given.end());
  std::vector<std::complex<double>> values(work.values_of(i).size()),
      vectors(work.vectors_of(i).size());
  if (!ir::eigenvalues(work.batch.rows, std::span<const Wide>(wide), values, vectors)) {
    work.refuse(i);
    return true;
  }
  narrow(values, work.values_of(i));
  narrow(vectors, work.vectors_of(i));
  return true;
}

template <class N>
EigNodes eig_of(const N& a, bool with_vectors) {
  const Extents& shape = real_part(a).shape();
  const Location& where = real_part(a).where;
  const auto leaf = [&](const auto& elements, const Extents& extents) {
    return nodes(term_of(elements, extents, where));
  };
  return with_type(a, [&]<class T>(T) -> EigNodes {
    Work<T> work(a, with_vectors);
    if (!is_large_matrix(shape) || !compute_by_lapack(work)) {
      const auto threads = std::min<int64_t>(work.batch.count, runtime::cpu_threads());
      if (!for_matrices(work.batch.count, static_cast<int>(threads),
                        [&](int64_t i) { return compute_one(work, i); }))
        throw std::bad_alloc();
    }
    const ComplexNodes values = leaf(work.values, shape_with_vectors(shape, work.batch.rows));
    return {values, with_vectors ? leaf(work.vectors, shape) : values};
  });
}

// Eigenvalues of matrices without elements.
template <class N>
EigNodes eig_or_empty(const N& a, bool with_vectors) {
  const Term& real = real_part(a);
  Extents shape = real.shape();
  if (shape.size() > 0) return eig_of(a, with_vectors);
  const auto zeros = [&](const Extents& extents) {
    const NodeRef node = constant(ScalarValue{real.type(), 0}, extents, real.where);
    return ComplexNodes{node, node};
  };
  const ComplexNodes vectors = zeros(shape);
  shape.rank -= 1;
  return {zeros(shape), vectors};
}

}  // namespace

EigNodes eig(const NodeRef& a, bool with_vectors, const Location& where) {
  require_square(a, "eig", where);
  return eig_or_empty(Term{a, where}, with_vectors);
}
EigNodes eig(const ComplexNodes& a, bool with_vectors, const Location& where) {
  require_square(a.real, "eig", where);
  return eig_or_empty(terms(a, where), with_vectors);
}

}  // namespace tutti::detail
