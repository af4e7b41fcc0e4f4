// Factorisations and triangular systems, for all matrices of an array together. A step handles one
// column of all of them in a few kernels whose shapes do not change, so one plan serves all steps.
// The order of operations on each element is fixed.
#include <algorithm>

#include "api/array/large_matrices.hpp"
#include "api/array/matrix_terms.hpp"

namespace tutti::detail {
namespace {

// Square matrices of float or double, and the coordinates in them.
struct Square {
  Square(const NodeRef& a, const char* operation, const Location& where) {
    const Extents& shape = shape_of(a, operation);
    rank = shape.rank;
    if (rank < 2 || shape[rank - 1] != shape[rank - 2])
      throw ShapeError(std::string(operation) + ": matrices of the shape " + to_string(shape) +
                       " are not square" + at(where));
    require_matrix_elements(a, operation, where);
    n = shape[rank - 1];
    if (shape.size() == 0) return;
    row = {index(shape, rank - 2, where), where};
    column = {index(shape, rank - 1, where), where};
  }
  int rank = 0;
  int64_t n = 0;
  Term row, column;
};

Term number_of(const Term& like, int64_t k) { return number_like(like, static_cast<double>(k)); }

// Returns a measure of a pivot's magnitude; any measure of the same order will do.
Term size_of_pivot(const Term& a) { return apply_op(Op::abs, a); }
Term size_of_pivot(const ComplexTerm& a) {
  return apply_op(Op::abs, a.real) + apply_op(Op::abs, a.imag);
}
Term is_zero(const Term& a) { return a == 0; }
Term is_zero(const ComplexTerm& a) { return a.real == 0 && a.imag == 0; }

// Returns the row from k on with the greatest magnitude in column k: {..., 1, 1}.
template <class N>
Term pivot_row(const N& a, const Term& row, int64_t k) {
  const int rows = row.rank() - 2;
  const Term size = size_of_pivot(column_of(a, k));
  const Term number = column_of(row, k);
  const Term left = number >= static_cast<double>(k);
  const Term candidate = choose(left, size, number_like(size, -1));
  const Term best = with_axis(reduce(Reduction::max, candidate, std::array{rows}), rows);
  const Term hit = left && (candidate == best || apply_op(Op::is_nan, candidate));
  const Term last = number_of(number, row.shape()[rows] - 1);
  return with_axis(reduce(Reduction::min, choose(hit, number, last), std::array{rows}), rows);
}

void check_right_side(const NodeRef& a, const NodeRef& b, const char* operation,
                      const Location& where) {
  Extents expected = shape_of(a, operation);
  const Extents& given = shape_of(b, operation);
  if (given.rank == expected.rank) expected[expected.rank - 1] = given[given.rank - 1];
  if (!(given == expected))
    throw ShapeError(std::string(operation) + ": a right side of the shape " + to_string(given) +
                     " for matrices of the shape " + to_string(a->shape) + at(where));
  if (a->type != b->type)
    throw TypeError(std::string(operation) + ": matrices of " + name(a->type) +
                    " and a right side of " + name(b->type) + "; convert with cast<T>()" +
                    at(where));
}

template <class N>
N cholesky_of(N a, const Square& square) {
  const Term &i = square.row, &j = square.column;
  for (int64_t k = 0; k < square.n; ++k) {
    const auto at_k = static_cast<double>(k);
    const Term diagonal = apply_op(Op::sqrt, real_part(pivot_of(a, k)));
    const N column = for_parts(column_of(a, k), [&](const Term& x) { return x / diagonal; });
    const N rest = a - column * conjugated(transposed(column));
    const N in_column = choose(i == at_k, lifted(diagonal, a), column);
    a = choose(i >= at_k && j == at_k, in_column, choose(i >= j && j > at_k, rest, a));
    evaluate_terms(a);
  }
  return choose(j <= i, a, lifted(number_like(real_part(a), 0), a));
}

template <class N>
struct LuTerms {
  N factors;
  Term order, sign;  // {..., n, 1} and {..., 1, 1}, to broadcast with the matrices
};

template <class N>
LuTerms<N> lu_of(N a, const Square& square, const Location& where) {
  const int rank = square.rank;
  const Extents& shape = square.row.shape();
  Extents vectors = shape, ones = shape;
  vectors.rank = rank - 1;
  ones[rank - 1] = ones[rank - 2] = 1;
  Term order = with_axis(index_term(vectors, rank - 2, where), rank - 1);
  Term sign{constant(convert(scalar_value(1.0f), real_part(a).type()), ones, where), where};
  const Term &i = square.row, &j = square.column;
  for (int64_t k = 0; k < square.n; ++k) {
    const auto at_k = static_cast<double>(k);
    const Term pivot = pivot_row(a, i, k);
    evaluate_terms(pivot);
    const Term line = column_of(i, k);  // the indices of the rows, {..., n, 1}
    const Term from = choose(line == at_k, pivot, choose(line == pivot, number_of(line, k), line));
    const N swapped = rows_gathered(a, from);
    order = rows_gathered(order, from);
    sign = choose(pivot == at_k, sign, apply_op(Op::negate, sign));
    const N divisor = pivot_of(swapped, k);
    const N zero = lifted(number_like(real_part(divisor), 0), a);
    const N factor = choose(is_zero(divisor), zero, quotient(column_of(swapped, k), divisor));
    const N rest = swapped - factor * row_of(swapped, k);
    a = choose(i > at_k && j >= at_k, choose(j == at_k, factor, rest), swapped);
    evaluate_terms(a, order, sign);
  }
  return {a, order, sign};
}

template <class N>
N triangular_solve_of(const N& a, N x, int64_t n, bool upper, bool unit_diagonal) {
  const Term& shaped = real_part(x);
  const Term i = index_term(shaped.shape(), shaped.rank() - 2, shaped.where);
  for (int64_t step = 0; step < n; ++step) {
    const int64_t k = upper ? n - 1 - step : step;
    const auto at_k = static_cast<double>(k);
    const N solved = unit_diagonal ? row_of(x, k) : quotient(row_of(x, k), pivot_of(a, k));
    const N rest = x - column_of(a, k) * solved;
    x = choose(i == at_k, solved, choose(upper ? i < at_k : i > at_k, rest, x));
    evaluate_terms(x);
  }
  return x;
}

NodeRef permutation_of(const Term& order) {
  return drop_dimension(order.node, order.rank() - 1, order.where);
}
NodeRef sign_of(const Term& sign) {
  const NodeRef line = drop_dimension(sign.node, sign.rank() - 1, sign.where);
  return drop_dimension(line, sign.rank() - 2, sign.where);
}

// Returns the permutation and its sign for matrices without elements.
std::pair<NodeRef, NodeRef> empty_permutation(const NodeRef& a, const Location& where) {
  Extents vectors = a->shape, numbers = a->shape;
  --vectors.rank;
  numbers.rank -= 2;
  return {constant(scalar_value(int32_t{0}), vectors, where),
          cast(constant(scalar_value(1.0f), numbers, where), a->type, where)};
}

Term along_diagonal(const Term& a) { return {diagonal(a.node, 0, a.where), a.where}; }

}  // namespace

NodeRef cholesky(const NodeRef& a, const Location& where) {
  const Square square(a, "cholesky", where);
  if (a->shape.size() == 0) return a;
  if (const auto found = large_cholesky(Term{a, where})) return found->node;
  return cholesky_of(Term{a, where}, square).node;
}
ComplexNodes cholesky(const ComplexNodes& a, const Location& where) {
  const Square square(a.real, "cholesky", where);
  if (a.real->shape.size() == 0) return a;
  if (const auto found = large_cholesky(terms(a, where))) return nodes(*found);
  return nodes(cholesky_of(terms(a, where), square));
}

LuNodes lu(const NodeRef& a, const Location& where) {
  const Square square(a, "lu", where);
  if (a->shape.size() == 0) {
    const auto [permutation, sign] = empty_permutation(a, where);
    return {a, permutation, sign};
  }
  if (const auto found = large_lu(Term{a, where}))
    return {found->factors.node, found->order.node, found->sign.node};
  const LuTerms<Term> found = lu_of(Term{a, where}, square, where);
  return {found.factors.node, permutation_of(found.order), sign_of(found.sign)};
}
ComplexLuNodes lu(const ComplexNodes& a, const Location& where) {
  const Square square(a.real, "lu", where);
  if (a.real->shape.size() == 0) {
    const auto [permutation, sign] = empty_permutation(a.real, where);
    return {a, permutation, sign};
  }
  if (const auto found = large_lu(terms(a, where)))
    return {nodes(found->factors), found->order.node, found->sign.node};
  const LuTerms<ComplexTerm> found = lu_of(terms(a, where), square, where);
  return {nodes(found.factors), permutation_of(found.order), sign_of(found.sign)};
}

NodeRef determinant(const NodeRef& a, const Location& where) {
  const LuNodes factors = lu(a, where);
  const Term along = along_diagonal({factors.factors, where});
  const Term product = reduce(Reduction::product, along, std::array{along.rank() - 1});
  return (product * Term{factors.sign, where}).node;
}
ComplexNodes determinant(const ComplexNodes& a, const Location& where) {
  const ComplexLuNodes factors = lu(a, where);
  const ComplexTerm along = for_both(terms(factors.factors, where), along_diagonal);
  const int axis = along.real.rank() - 1;
  const Term sign{factors.sign, where};
  ComplexTerm product{sign, sign * 0.0};
  for (int64_t k = 0; k < along.real.shape()[axis]; ++k)
    product = product * for_both(along, [&](const Term& x) {
                return Term{drop_dimension(part(x, axis, k, 1).node, axis, where), where};
              });
  return nodes(product);
}

NodeRef triangular_solve(const NodeRef& a, const NodeRef& b, bool upper, bool unit_diagonal,
                         const Location& where) {
  const Square square(a, "triangular_solve", where);
  check_right_side(a, b, "triangular_solve", where);
  if (b->shape.size() == 0) return b;
  return triangular_solve_of(Term{a, where}, Term{b, where}, square.n, upper, unit_diagonal).node;
}

NodeRef lu_solve(const LuNodes& factors, const NodeRef& b, const Location& where) {
  check_right_side(factors.factors, b, "solve", where);
  if (b->shape.size() == 0) return b;
  const int rank = b->shape.rank;
  const Term order = with_axis({factors.permutation, where}, rank - 1);
  const Term ordered = rows_gathered(Term{b, where}, order);
  const NodeRef lower = triangular_solve(factors.factors, ordered.node, false, true, where);
  return triangular_solve(factors.factors, lower, true, false, where);
}
ComplexNodes lu_solve(const ComplexLuNodes& factors, const ComplexNodes& b, const Location& where) {
  check_right_side(factors.factors.real, b.real, "solve", where);
  if (b.real->shape.size() == 0) return b;
  const int rank = b.real->shape.rank;
  const int64_t n = b.real->shape[rank - 2];
  const Term order = with_axis({factors.permutation, where}, rank - 1);
  const ComplexTerm ordered = rows_gathered(terms(b, where), order);
  const ComplexTerm a = terms(factors.factors, where);
  return nodes(
      triangular_solve_of(a, triangular_solve_of(a, ordered, n, false, true), n, true, false));
}

NodeRef solve(const NodeRef& a, const NodeRef& b, const Location& where) {
  const Square square(a, "solve", where);
  check_right_side(a, b, "solve", where);
  if (b->shape.size() == 0) return b;
  if (const auto found = large_solve(Term{a, where}, Term{b, where})) return found->node;
  return lu_solve(lu(a, where), b, where);
}
ComplexNodes solve(const ComplexNodes& a, const ComplexNodes& b, const Location& where) {
  const Square square(a.real, "solve", where);
  check_right_side(a.real, b.real, "solve", where);
  if (b.real->shape.size() == 0) return b;
  if (const auto found = large_solve(terms(a, where), terms(b, where))) return nodes(*found);
  return lu_solve(lu(a, where), b, where);
}

}  // namespace tutti::detail
