// Factorisations and triangular systems, for all matrices of an array at once. A step handles one
// column of all of them in a few kernels whose shapes do not change, so one plan serves all steps.
// The order of operations on each element is fixed.
#include <algorithm>

#include "api/array/term.hpp"
#include "tutti/matrices.hpp"

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
    if (a->type != ElementType::f32 && a->type != ElementType::f64)
      throw TypeError(std::string(operation) + ": elements are float or double, not " +
                      name(a->type) + at(where));
    n = shape[rank - 1];
    if (shape.size() == 0) return;
    row = {index(shape, rank - 2, where), where};
    column = {index(shape, rank - 1, where), where};
  }
  int rank = 0;
  int64_t n = 0;
  Term row, column;
};

// Return row k, column k and element (k, k) of all matrices. All axes are kept, so that the results
// broadcast.
Term row_of(const Term& a, int64_t k) { return part(a, a.rank() - 2, k, 1); }
Term column_of(const Term& a, int64_t k) { return part(a, a.rank() - 1, k, 1); }
Term pivot_of(const Term& a, int64_t k) { return row_of(column_of(a, k), k); }

Term number_of(const Term& like, int64_t k) { return number_like(like, static_cast<double>(k)); }

// Permutes the rows of matrices: row i of the result is row rows[i].
Term rows_gathered(const Term& a, const Term& rows) {
  const NodeRef order = broadcast(rows.node, a.shape(), a.where);
  std::vector<NodeRef> coordinates;
  for (int i = 0; i < a.rank(); ++i)
    coordinates.push_back(i == a.rank() - 2 ? order : index(a.shape(), i, a.where));
  return {gather(a.node, coordinates, Boundary::clamp(), 0, a.where), a.where};
}

// Returns the row from k on with the greatest magnitude in column k: {..., 1, 1}.
Term pivot_row(const Term& a, const Term& row, int64_t k) {
  const int rows = a.rank() - 2;
  const Term size = apply_op(Op::abs, column_of(a, k));
  const Term number = column_of(row, k);
  const Term left = number >= static_cast<double>(k);
  const Term candidate = choose(left, size, number_like(size, -1));
  const Term best = with_axis(reduce(Reduction::max, candidate, std::array{rows}), rows);
  const Term hit = left && (candidate == best || apply_op(Op::is_nan, candidate));
  const Term last = number_of(number, a.shape()[rows] - 1);
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

}  // namespace

NodeRef cholesky(const NodeRef& input, const Location& where) {
  const Square square(input, "cholesky", where);
  Term a{input, where};
  if (a.shape().size() == 0) return input;
  const Term &i = square.row, &j = square.column;
  for (int64_t k = 0; k < square.n; ++k) {
    const auto at_k = static_cast<double>(k);
    const Term diagonal = apply_op(Op::sqrt, pivot_of(a, k));
    const Term column = column_of(a, k) / diagonal;
    const Term mirrored{matrix_transpose(column.node, where), where};
    const Term rest = a - column * mirrored;
    const Term in_column = choose(i == at_k, diagonal, column);
    a = choose(i >= at_k && j == at_k, in_column, choose(i >= j && j > at_k, rest, a));
    evaluate({&a.node, 1});
  }
  return choose(j <= i, a, number_like(a, 0)).node;
}

LuNodes lu(const NodeRef& input, const Location& where) {
  const Square square(input, "lu", where);
  const int rank = square.rank;
  Term a{input, where};
  Extents vectors = a.shape(), numbers = a.shape();
  vectors.rank = rank - 1;
  numbers.rank = rank - 2;
  if (a.shape().size() == 0)
    return {input, constant(scalar_value(int32_t{0}), vectors, where),
            cast(constant(scalar_value(1.0f), numbers, where), input->type, where)};
  // {..., n, 1} and {..., 1, 1}, to broadcast with the matrices.
  Term order = with_axis(index_term(vectors, rank - 2, where), rank - 1);
  Extents ones = a.shape();
  ones[rank - 1] = ones[rank - 2] = 1;
  Term sign{constant(convert(scalar_value(1.0f), input->type), ones, where), where};
  const Term &i = square.row, &j = square.column;
  for (int64_t k = 0; k < square.n; ++k) {
    const auto at_k = static_cast<double>(k);
    const Term pivot = pivot_row(a, i, k);
    evaluate({&pivot.node, 1});
    const Term line = column_of(i, k);  // the indices of the rows, {..., n, 1}
    const Term from = choose(line == at_k, pivot, choose(line == pivot, number_of(line, k), line));
    const Term swapped = rows_gathered(a, from);
    order = rows_gathered(order, from);
    sign = choose(pivot == at_k, sign, apply_op(Op::negate, sign));
    const Term divisor = pivot_of(swapped, k);
    const Term factor =
        choose(divisor == 0, number_like(divisor, 0), column_of(swapped, k) / divisor);
    const Term rest = swapped - factor * row_of(swapped, k);
    a = choose(i > at_k && j >= at_k, choose(j == at_k, factor, rest), swapped);
    const NodeRef all[] = {a.node, order.node, sign.node};
    evaluate(all);
  }
  const NodeRef permutation = drop_dimension(order.node, rank - 1, where);
  const NodeRef number =
      drop_dimension(drop_dimension(sign.node, rank - 1, where), rank - 2, where);
  return {a.node, permutation, number};
}

NodeRef determinant(const NodeRef& a, const Location& where) {
  const Square square(a, "determinant", where);
  const LuNodes factors = lu(a, where);
  const Term along{diagonal(factors.factors, 0, where), where};
  const Term product = reduce(Reduction::product, along, std::array{along.rank() - 1});
  return (product * Term{factors.sign, where}).node;
}

NodeRef triangular_solve(const NodeRef& matrices, const NodeRef& b, bool upper, bool unit_diagonal,
                         const Location& where) {
  const Square square(matrices, "triangular_solve", where);
  check_right_side(matrices, b, "triangular_solve", where);
  Term x{b, where};
  if (x.shape().size() == 0) return b;
  const Term a{matrices, where}, i = index_term(x.shape(), x.rank() - 2, where);
  for (int64_t step = 0; step < square.n; ++step) {
    const int64_t k = upper ? square.n - 1 - step : step;
    const auto at_k = static_cast<double>(k);
    const Term solved = unit_diagonal ? row_of(x, k) : row_of(x, k) / pivot_of(a, k);
    const Term rest = x - column_of(a, k) * solved;
    x = choose(i == at_k, solved, choose(upper ? i < at_k : i > at_k, rest, x));
    evaluate({&x.node, 1});
  }
  return x.node;
}

NodeRef lu_solve(const LuNodes& factors, const NodeRef& b, const Location& where) {
  check_right_side(factors.factors, b, "solve", where);
  if (b->shape.size() == 0) return b;
  const int rank = b->shape.rank;
  const Term order = with_axis({factors.permutation, where}, rank - 1);
  const Term ordered = rows_gathered({b, where}, order);
  const NodeRef lower = triangular_solve(factors.factors, ordered.node, false, true, where);
  return triangular_solve(factors.factors, lower, true, false, where);
}

}  // namespace tutti::detail
