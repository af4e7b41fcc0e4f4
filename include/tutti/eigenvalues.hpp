// Eigenvalues and eigenvectors of any square matrices in the last two axes of arrays. Those of
// symmetric and Hermitian matrices are in decompositions.hpp. The functions compute at once, on the
// host, one matrix after another.
#pragma once
#include "tutti/complex_functions.hpp"
#include "tutti/decompositions.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

struct EigNodes {
  ComplexNodes values, vectors;
};
EigNodes eig(const NodeRef& a, bool with_vectors, const Location& where);
EigNodes eig(const ComplexNodes& a, bool with_vectors, const Location& where);

}  // namespace detail

// Eigenvalues in no particular order, and eigenvectors of length 1 as columns. Values of a real
// matrix that are not real are conjugate neighbours. A matrix that lacks eigenvectors has some of
// them several times. NaN or infinities in a matrix yield NaN in its results.
template <int D, class T>
struct Eig {
  Array<D - 1, std::complex<detail::real_part_t<T>>> values;
  Array<D, std::complex<detail::real_part_t<T>>> vectors;
};
template <int D, detail::AnyMatrixElement T>
requires(D >= 2)
Eig<D, T> eig(const Array<D, T>& a,
              const std::source_location& where = std::source_location::current()) {
  using Real = detail::real_part_t<T>;
  auto found = detail::eig(detail::nodes_of(a), true, where);
  return {detail::array_of<D - 1, Real>(std::move(found.values)),
          detail::array_of<D, Real>(std::move(found.vectors))};
}
// Returns the eigenvalues alone.
template <int D, detail::AnyMatrixElement T>
requires(D >= 2)
Array<D - 1, std::complex<detail::real_part_t<T>>> eigenvalues(
    const Array<D, T>& a, const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D - 1, detail::real_part_t<T>>(
      detail::eig(detail::nodes_of(a), false, where).values);
}

}  // namespace tutti
TUTTI_END_EXPORTS
