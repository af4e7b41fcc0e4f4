// Matrices in the last two axes of arrays, with any number of axes before them: products,
// diagonals, factorisations and systems of equations. Every result has the same bits on every
// device, except that a vendor library computes products of two matrices where one is found (see
// linear_algebra.hpp).
#pragma once
#include <string_view>

#include "tutti/complex_functions.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/linear_algebra.hpp"
#include "tutti/reduce.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

NodeRef matmul(const NodeRef& a, const NodeRef& b, const Location& where);
NodeRef matrix_transpose(const NodeRef& a, const Location& where);
NodeRef diagonal(const NodeRef& a, int64_t which, const Location& where);
NodeRef einsum(std::string_view subscripts, std::span<const NodeRef> operands, int rank,
               const Location& where);
NodeRef cholesky(const NodeRef& a, const Location& where);
struct LuNodes {
  NodeRef factors, permutation, sign;
};
LuNodes lu(const NodeRef& a, const Location& where);
struct ComplexLuNodes {
  ComplexNodes factors;
  NodeRef permutation, sign;
};
ComplexNodes cholesky(const ComplexNodes& a, const Location& where);
ComplexLuNodes lu(const ComplexNodes& a, const Location& where);
ComplexNodes lu_solve(const ComplexLuNodes& factors, const ComplexNodes& b, const Location& where);
ComplexNodes determinant(const ComplexNodes& a, const Location& where);
NodeRef determinant(const NodeRef& a, const Location& where);
NodeRef triangular_solve(const NodeRef& a, const NodeRef& b, bool upper, bool unit_diagonal,
                         const Location& where);
// Solves a x = b, given the factors of a, for the columns of matrices b.
NodeRef lu_solve(const LuNodes& factors, const NodeRef& b, const Location& where);
// The same without factors.
NodeRef solve(const NodeRef& a, const NodeRef& b, const Location& where);
ComplexNodes solve(const ComplexNodes& a, const ComplexNodes& b, const Location& where);

template <class T>
concept MatrixElement = std::is_same_v<T, float> || std::is_same_v<T, double>;

constexpr int product_rank(int a, int b) { return a > 1 && b > 1 ? (a > b ? a : b) : a + b - 2; }

// Turn vectors into matrices of one column, and back, so that one solver serves both.
template <int D, class T>
Array<D + 1, T> as_columns(const Array<D, T>& a) {
  return Array<D + 1, T>(add_dimension(a.node(), D, 1, Location()));
}
template <int D, class T>
Array<D - 1, T> from_columns(const Array<D, T>& a) {
  return Array<D - 1, T>(drop_dimension(a.node(), D - 1, Location()));
}

}  // namespace detail

// Multiplies the matrices in the last two axes; the axes before are broadcast. A vector on the
// left is a row, one on the right a column. Transpose factors with matrix_transpose(), which costs
// nothing.
template <int A, int B, ScalarType T>
requires(A > 0 && B > 0 && (B <= 2 || A > 1))
Array<detail::product_rank(A, B), T> matmul(
    const Array<A, T>& a, const Array<B, T>& b,
    const std::source_location& where = std::source_location::current()) {
  return Array<detail::product_rank(A, B), T>(detail::matmul(a.node(), b.node(), where));
}
// Exchanges the last two axes.
template <int D, ScalarType T>
requires(D >= 2)
Array<D, T> matrix_transpose(const Array<D, T>& a,
                             const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::matrix_transpose(a.node(), where));
}
// Returns a diagonal: the main one, or the one `which` columns to the right of it.
template <int D, ScalarType T>
requires(D >= 2)
Array<D - 1, T> diagonal(const Array<D, T>& a, int64_t which = 0,
                         const std::source_location& where = std::source_location::current()) {
  return Array<D - 1, T>(detail::diagonal(a.node(), which, where));
}
// Returns the sum of the main diagonal.
template <int D, ScalarType T>
requires(D >= 2)
auto trace(const Array<D, T>& a,
           const std::source_location& where = std::source_location::current()) {
  return sum(diagonal(a, 0, where), D - 2, where);
}

// Sums products, with a letter for each axis: einsum<2>("ij,jk->ik", a, b) is the matrix product.
// Letters that the result lacks are summed over. A letter that an array has twice selects its
// diagonal.
template <int R, int D, ScalarType T, class... Rest>
Array<R, T> einsum(std::string_view subscripts, const Array<D, T>& first, const Rest&... rest) {
  const detail::NodeRef operands[] = {first.node(), rest.node()...};
  return Array<R, T>(detail::einsum(subscripts, operands, R, std::source_location()));
}

// The following functions compute immediately, column by column. Elements are float or double.

// Returns the lower triangle L with L times its transpose = a, for symmetric matrices. Only the
// lower triangle of a is read. A matrix that is not positive definite yields NaN from the first
// column on where that is found.
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D, T> cholesky(const Array<D, T>& a,
                     const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::cholesky(a.node(), where));
}

// The LU factors of a matrix whose rows are permuted: row i of L times U is row permutation[i] of
// a. `factors` has U in its upper triangle and L below it; the diagonal of L is 1. A singular
// matrix has a 0 on the diagonal of U. `sign` is the sign of the permutation.
template <int D, class T>
struct Lu {
  Array<D, T> factors;
  Array<D - 1, int32_t> permutation;
  Array<D - 2, T> sign;
};
// Factorises matrices with partial pivoting.
template <int D, detail::MatrixElement T>
requires(D >= 2)
Lu<D, T> lu(const Array<D, T>& a,
            const std::source_location& where = std::source_location::current()) {
  detail::LuNodes nodes = detail::lu(a.node(), where);
  return {Array<D, T>(std::move(nodes.factors)),
          Array<D - 1, int32_t>(std::move(nodes.permutation)),
          Array<D - 2, T>(std::move(nodes.sign))};
}

// Solves a x = b with the given triangle of a; the other triangle is not read.
enum class Triangle : uint8_t { lower, upper };
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D, T> triangular_solve(const Array<D, T>& a, const Array<D, T>& b,
                             Triangle triangle = Triangle::lower,
                             const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(
      detail::triangular_solve(a.node(), b.node(), triangle == Triangle::upper, false, where));
}
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D - 1, T> triangular_solve(
    const Array<D, T>& a, const Array<D - 1, T>& b, Triangle triangle = Triangle::lower,
    const std::source_location& where = std::source_location::current()) {
  return detail::from_columns(triangular_solve(a, detail::as_columns(b), triangle, where));
}

// Solves a x = b for the columns of matrices, or for vectors. A singular matrix yields infinities
// and NaN.
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D, T> solve(const Array<D, T>& a, const Array<D, T>& b,
                  const std::source_location& where = std::source_location::current()) {
  return Array<D, T>(detail::solve(a.node(), b.node(), where));
}
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D - 1, T> solve(const Array<D, T>& a, const Array<D - 1, T>& b,
                      const std::source_location& where = std::source_location::current()) {
  return detail::from_columns(solve(a, detail::as_columns(b), where));
}
// Returns the inverse; for a singular matrix, infinities and NaN.
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D, T> inverse(const Array<D, T>& a,
                    const std::source_location& where = std::source_location::current()) {
  const detail::Extents shape = a.shape().extents();
  const detail::NodeRef row = detail::index(shape, D - 2, where);
  const detail::NodeRef both[] = {row, detail::index(shape, D - 1, where)};
  const Array<D, T> identity(
      detail::cast(detail::elementwise(Op::equal, both, where), element_type<T>, where));
  return solve(a, identity, where);
}
// Returns the determinants, computed by lu().
template <int D, detail::MatrixElement T>
requires(D >= 2)
Array<D - 2, T> determinant(const Array<D, T>& a,
                            const std::source_location& where = std::source_location::current()) {
  return Array<D - 2, T>(detail::determinant(a.node(), where));
}

// The same of complex matrices. cholesky() gives L with L times its conjugate transpose = a.
template <int D, class T>
requires(D >= 2)
Array<D, std::complex<T>> cholesky(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D, T>(detail::cholesky(detail::nodes_of(a), where));
}
template <int D, class T>
requires(D >= 2)
Array<D, std::complex<T>> solve(
    const Array<D, std::complex<T>>& a, const Array<D, std::complex<T>>& b,
    const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D, T>(detail::solve(detail::nodes_of(a), detail::nodes_of(b), where));
}
template <int D, class T>
requires(D >= 2)
Array<D - 2, std::complex<T>> determinant(
    const Array<D, std::complex<T>>& a,
    const std::source_location& where = std::source_location::current()) {
  return detail::array_of<D - 2, T>(detail::determinant(detail::nodes_of(a), where));
}

}  // namespace tutti
TUTTI_END_EXPORTS
