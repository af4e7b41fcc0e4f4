// Decompositions of the matrices in the last two axes of arrays: QR, singular values, and the
// eigenvalues of symmetric and Hermitian matrices. Elements are float, double or complex. All
// functions compute at once. Results have the same bits on every device, but for the products of
// pseudo_inverse() and least_squares() (see matmul).
#pragma once
#include <algorithm>
#include <limits>

#include "tutti/complex_functions.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/matrices.hpp"
#include "tutti/transform.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

template <class Nodes>
struct QrNodes {
  Nodes q, r;
};
template <class Nodes>
struct SvdNodes {
  Nodes u;
  NodeRef s;
  Nodes vh;
};
template <class Nodes>
struct EigenNodes {
  NodeRef values;
  Nodes vectors;
};
// The nodes are one, or those of the two parts of complex elements.
QrNodes<NodeRef> qr(const NodeRef& a, bool complete, const Location& where);
QrNodes<ComplexNodes> qr(const ComplexNodes& a, bool complete, const Location& where);
SvdNodes<NodeRef> svd(const NodeRef& a, bool complete, const Location& where);
SvdNodes<ComplexNodes> svd(const ComplexNodes& a, bool complete, const Location& where);
EigenNodes<NodeRef> eigh(const NodeRef& a, const Location& where);
EigenNodes<ComplexNodes> eigh(const ComplexNodes& a, const Location& where);

template <class T>
struct RealPart {
  using type = T;
};
template <class T>
struct RealPart<std::complex<T>> {
  using type = T;
};
template <class T>
using real_part_t = typename RealPart<T>::type;
template <class T>
concept AnyMatrixElement = ComplexPart<real_part_t<T>>;

template <int D, class T>
Array<D, T> matrices_of(NodeRef node) {
  return Array<D, T>(std::move(node));
}
template <int D, class T>
Array<D, T> matrices_of(ComplexNodes nodes) {
  return array_of<D, real_part_t<T>>(std::move(nodes));
}
template <int D, class T>
const NodeRef& nodes_of(const Array<D, T>& a) {
  return a.node();
}

}  // namespace detail

// Whether the factors are as small as can be, or square: m rows and n columns of a matrix give
// min(m, n) columns of Q, or m.
enum class Factors : uint8_t { reduced, complete };

// a = q r with columns of q that are orthonormal, and r upper triangular. By reflections.
template <int D, class T>
struct Qr {
  Array<D, T> q, r;
};
template <int D, detail::AnyMatrixElement T>
requires(D >= 2)
Qr<D, T> qr(const Array<D, T>& a, Factors factors = Factors::reduced,
            const std::source_location& where = std::source_location::current()) {
  auto found = detail::qr(detail::nodes_of(a), factors == Factors::complete, where);
  return {detail::matrices_of<D, T>(found.q), detail::matrices_of<D, T>(found.r)};
}

// a = u diag(s) vh with s in descending order. By rotations of pairs of columns (one-sided Jacobi).
template <int D, class T>
struct Svd {
  Array<D, T> u;
  Array<D - 1, detail::real_part_t<T>> s;
  Array<D, T> vh;
};
template <int D, detail::AnyMatrixElement T>
requires(D >= 2)
Svd<D, T> svd(const Array<D, T>& a, Factors factors = Factors::reduced,
              const std::source_location& where = std::source_location::current()) {
  auto found = detail::svd(detail::nodes_of(a), factors == Factors::complete, where);
  return {detail::matrices_of<D, T>(found.u),
          Array<D - 1, detail::real_part_t<T>>(std::move(found.s)),
          detail::matrices_of<D, T>(found.vh)};
}

// The eigenvalues of a symmetric or Hermitian matrix in ascending order, and the eigenvectors as
// columns.
template <int D, class T>
struct Eigh {
  Array<D - 1, detail::real_part_t<T>> values;
  Array<D, T> vectors;
};
template <int D, detail::AnyMatrixElement T>
requires(D >= 2)
Eigh<D, T> eigh(const Array<D, T>& a,
                const std::source_location& where = std::source_location::current()) {
  auto found = detail::eigh(detail::nodes_of(a), where);
  return {Array<D - 1, detail::real_part_t<T>>(std::move(found.values)),
          detail::matrices_of<D, T>(found.vectors)};
}

namespace detail {
// Whether each singular value counts as positive: if it exceeds `tolerance` times the greatest.
template <int D, class T>
Array<D - 1, bool> is_significant(const Array<D, T>& a, const Array<D - 1, T>& values,
                                  double tolerance, const Location& where) {
  const auto longest = static_cast<double>(std::max(a.extent(D - 2), a.extent(D - 1)));
  if (tolerance < 0) tolerance = longest * static_cast<double>(std::numeric_limits<T>::epsilon());
  if (values.size() == 0) return Array<D - 1, bool>(values.shape(), false);
  const auto greatest = add_dimension(max_val(values, D - 2, where), D - 2, 1, where);
  return values > greatest * static_cast<T>(tolerance);
}
}  // namespace detail

// Returns the Moore-Penrose inverse. Singular values of at most `tolerance` times the greatest
// count as 0; by default, the greater extent of the matrix times the machine epsilon.
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D, T> pseudo_inverse(const Array<D, T>& a, double tolerance = -1,
                           const std::source_location& where = std::source_location::current()) {
  if (a.size() == 0) return matrix_transpose(a, where);
  const Svd<D, T> found = svd(a, Factors::reduced, where);
  const Array<D - 1, T> inverse =
      cond(detail::is_significant(a, found.s, tolerance, where), T(1) / found.s, T(0));
  const Array<D, T> scaled =
      matrix_transpose(found.vh, where) * add_dimension(inverse, D - 2, 1, where);
  return matmul(scaled, matrix_transpose(found.u, where), where);
}

// Returns how many singular values count as positive, as for pseudo_inverse().
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D - 2, int32_t> matrix_rank(
    const Array<D, T>& a, double tolerance = -1,
    const std::source_location& where = std::source_location::current()) {
  const Array<D - 1, T> values = svd(a, Factors::reduced, where).s;
  return sum(cast<int32_t>(detail::is_significant(a, values, tolerance, where)), D - 2, where);
}

// Returns the x of the least norm among those for which the norm of a x - b is least, for columns
// of matrices b or for vectors. The matrices may have any shape and rank.
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D, T> least_squares(const Array<D, T>& a, const Array<D, T>& b, double tolerance = -1,
                          const std::source_location& where = std::source_location::current()) {
  return matmul(pseudo_inverse(a, tolerance, where), b, where);
}
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D - 1, T> least_squares(const Array<D, T>& a, const Array<D - 1, T>& b, double tolerance = -1,
                              const std::source_location& where = std::source_location::current()) {
  return detail::from_columns(least_squares(a, detail::as_columns(b), tolerance, where));
}

}  // namespace tutti
TUTTI_END_EXPORTS
