// Pieces of algorithms over all matrices of an array at once: rows, columns, sums along them. The
// terms are real or complex; axes stay where they are, so that pieces broadcast with the matrices.
#pragma once
#include <vector>

#include "api/array/complex_term.hpp"
#include "tutti/matrices.hpp"

namespace tutti::detail {

// Row k, column k and element (k, k) of all matrices.
template <class N>
N row_of(const N& a, int64_t k) {
  return for_parts(a, [&](const Term& x) { return part(x, x.rank() - 2, k, 1); });
}
template <class N>
N column_of(const N& a, int64_t k) {
  return for_parts(a, [&](const Term& x) { return part(x, x.rank() - 1, k, 1); });
}
template <class N>
N pivot_of(const N& a, int64_t k) {
  return row_of(column_of(a, k), k);
}
template <class N>
N rows_from(const N& a, int64_t begin, int64_t count) {
  return for_parts(a, [&](const Term& x) { return part(x, x.rank() - 2, begin, count); });
}
template <class N>
N columns_from(const N& a, int64_t begin, int64_t count) {
  return for_parts(a, [&](const Term& x) { return part(x, x.rank() - 1, begin, count); });
}
template <class N>
N transposed(const N& a) {
  return for_parts(a,
                   [](const Term& x) { return Term{matrix_transpose(x.node, x.where), x.where}; });
}
// Sums over the rows, or over the columns, with the axis kept.
template <class N>
N sum_of_rows(const N& a) {
  return for_parts(a, [](const Term& x) {
    return with_axis(reduce(Reduction::sum, x, std::array{x.rank() - 2}), x.rank() - 2);
  });
}
template <class N>
N sum_of_columns(const N& a) {
  return for_parts(a, [](const Term& x) {
    return with_axis(reduce(Reduction::sum, x, std::array{x.rank() - 1}), x.rank() - 1);
  });
}
inline Term abs_of(const Term& a) { return apply_op(Op::abs, a); }
inline Term abs_of(const ComplexTerm& a) { return apply_op(Op::hypot, a.real, a.imag); }

// Rows of matrices in another order: row i of the result is row rows[i]. The same for columns.
template <class N>
N gathered(const N& matrices, const Term& order, int axis_from_end) {
  return for_parts(matrices, [&](const Term& a) {
    const int axis = a.rank() - axis_from_end;
    const NodeRef wide = broadcast(order.node, a.shape(), a.where);
    std::vector<NodeRef> coordinates;
    for (int i = 0; i < a.rank(); ++i)
      coordinates.push_back(i == axis ? wide : index(a.shape(), i, a.where));
    return Term{gather(a.node, coordinates, Boundary::clamp(), 0, a.where), a.where};
  });
}
template <class N>
N rows_gathered(const N& a, const Term& rows) {
  return gathered(a, rows, 2);
}
template <class N>
N columns_gathered(const N& a, const Term& columns) {
  return gathered(a, columns, 1);
}

template <class... N>
void evaluate_terms(const N&... terms) {
  std::vector<NodeRef> nodes;
  (append_nodes(nodes, terms), ...);
  evaluate(nodes);
}

inline void require_matrix_elements(const NodeRef& a, const char* operation,
                                    const Location& where) {
  if (shape_of(a, operation).rank < 2)
    throw ShapeError(std::string(operation) + ": an array of the shape " + to_string(a->shape) +
                     " has no rows and columns" + at(where));
  if (a->type != ElementType::f32 && a->type != ElementType::f64)
    throw TypeError(std::string(operation) + ": elements are float or double, not " +
                    name(a->type) + at(where));
}

inline void require_square(const NodeRef& a, const char* operation, const Location& where) {
  require_matrix_elements(a, operation, where);
  if (a->shape[a->shape.rank - 1] != a->shape[a->shape.rank - 2])
    throw ShapeError(std::string(operation) + ": matrices of the shape " + to_string(a->shape) +
                     " are not square" + at(where));
}

}  // namespace tutti::detail
