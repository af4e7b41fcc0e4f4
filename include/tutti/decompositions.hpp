// Decompositions of the matrices in the last two axes of arrays: QR, singular values, and the
// eigenvalues of symmetric and Hermitian matrices. Elements are float, double or complex. All
// functions compute at once, and every result has the same bits on every device.
#pragma once
#include "tutti/complex_functions.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/matrices.hpp"

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

}  // namespace tutti
TUTTI_END_EXPORTS
