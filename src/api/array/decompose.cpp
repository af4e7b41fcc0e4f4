// QR by Householder's reflections, singular values and eigenvalues by one-sided Jacobi rotations
// (Hestenes): pairs of columns are turned until all are orthogonal. Half of the columns stand
// beside the other half; a round turns all pairs, then the columns move on as in a round-robin
// tournament. So every round is the same plan. Matrices are scaled first, so that no square
// overflows.
#include "tutti/decompositions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/array/large_matrices.hpp"
#include "api/array/matrix_terms.hpp"
#include "tutti/along_axis.hpp"
#include "tutti/concat.hpp"

namespace tutti::detail {
namespace {

Term maximum(const Term& a, const Term& b) { return apply_op(Op::max, a, b); }
Term sqrt(const Term& a) { return apply_op(Op::sqrt, a); }

Extents with_rows(Extents shape, int64_t rows, int64_t columns) {
  shape[shape.rank - 2] = rows;
  shape[shape.rank - 1] = columns;
  return shape;
}

Term identity(const Term& like, int64_t rows, int64_t columns) {
  const Extents shape = with_rows(like.shape(), rows, columns);
  const Term i = index_term(shape, shape.rank - 2, like.where);
  return cast(i == index_term(shape, shape.rank - 1, like.where), like.type());
}

// Returns the greatest absolute value of each matrix, 1 for 0: {..., 1, 1}.
template <class N>
Term scale_of(const N& a) {
  const Term size = abs_of(a);
  const int rank = size.rank();
  const Term line = reduce(Reduction::max, size, std::array{rank - 2, rank - 1});
  const Term most = with_axis(with_axis(line, rank - 2), rank - 1);
  return choose(most == 0, number_like(most, 1), most);
}
template <class N>
N divided(const N& a, const Term& by) {
  return for_parts(a, [&](const Term& x) { return x / by; });
}
// a / |a|, or 1.
template <class N>
N phase_of(const N& a) {
  const Term size = abs_of(a), none = size == 0;
  const Term one = number_like(size, 1);
  return choose(none, lifted(one, a), divided(a, choose(none, one, size)));
}

template <class N>
struct QrTerms {
  N q, r;
};

// H = 1 - factor v v^H.
template <class N>
struct Reflection {
  N v;          // {..., m, 1}
  Term factor;  // {..., 1, 1}; 0: the identity
};
template <class N>
N reflected(const N& a, const Reflection<N>& reflection) {
  return a - reflection.v * scaled(sum_of_rows(conjugated(reflection.v) * a), reflection.factor);
}

// Divides a column whose squares would be subnormal by its greatest element. Others keep their
// bits.
template <class N>
N with_normal_squares(const N& column) {
  const Term size = abs_of(column);
  const Term most =
      with_axis(reduce(Reduction::max, size, std::array{size.rank() - 2}), size.rank() - 2);
  const bool narrow = size.type() == ElementType::f32;
  const double least = narrow ? 0x1p-51 : 0x1p-485;  // its square times epsilon is still normal
  return divided(column, choose(most < least && most > 0, most, number_like(most, 1)));
}

// Of matrices with elements. q has its first `columns` columns: the reflections are applied to
// those of the identity, so that q takes no more memory than its result.
template <class N>
QrTerms<N> qr_of(const N& given, int64_t columns) {
  const Term scale = scale_of(given);
  const Extents shape = real_part(given).shape();
  const int64_t m = shape[shape.rank - 2], n = shape[shape.rank - 1];
  N r = divided(given, scale);
  std::vector<Reflection<N>> reflections;
  evaluate_terms(scale);
  const Term i = index_term(with_rows(shape, m, 1), shape.rank - 2, scale.where);
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    const auto at_k = static_cast<double>(k);
    const N zero = lifted(number_like(scale, 0), given);
    const N x = with_normal_squares(choose(i >= at_k, column_of(r, k), zero));
    const N first = pivot_of(r, k);
    const Term length = sqrt(sum_of_rows(square_of_abs(x)));
    const N mirror = scaled(phase_of(first), length);  // x becomes -mirror in row k
    const N v = x + choose(i == at_k, mirror, zero);
    const Term square = sum_of_rows(square_of_abs(v));
    const Term twice = choose(square == 0, square, number_like(square, 2) / square);
    evaluate_terms(v, twice);
    reflections.push_back({v, twice});
    r = reflected(r, reflections.back());
    evaluate_terms(r);
  }
  N q = lifted_to_shape(identity(real_part(given), m, columns), given);
  for (auto reflection = reflections.rbegin(); reflection != reflections.rend(); ++reflection) {
    q = reflected(q, *reflection);
    evaluate_terms(q);
  }
  const Term row = index_term(shape, shape.rank - 2, scale.where);
  const Term upper = row <= index_term(shape, shape.rank - 1, scale.where);
  const N whole = scaled(r, scale);
  return {q, choose(upper, whole, lifted(number_like(scale, 0), given))};
}

template <class N>
N joined(const N& a, const N& b, int axis);
template <>
Term joined(const Term& a, const Term& b, int axis) {
  const NodeRef both[] = {a.node, b.node};
  return {concat(both, a.rank() - axis, a.where), a.where};
}
template <>
ComplexTerm joined(const ComplexTerm& a, const ComplexTerm& b, int axis) {
  return {joined(a.real, b.real, axis), joined(a.imag, b.imag, axis)};
}
constexpr int rows_axis = 2, columns_axis = 1;  // counted from the end

// w = a v with orthogonal columns, in descending order of their lengths {..., 1, n}.
template <class N>
struct JacobiTerms {
  N w, v;
  Term lengths;
};

template <class N>
struct Halves {
  N left, right;
  // Each column but the first moves to the next seat.
  void move_on() {
    const int64_t h = count();
    if (h == 1) return;
    const N begin = joined(columns_from(left, 0, 1), columns_from(right, 0, 1), columns_axis);
    const N after = h == 2 ? begin : joined(begin, columns_from(left, 1, h - 2), columns_axis);
    right = joined(columns_from(right, 1, h - 1), columns_from(left, h - 1, 1), columns_axis);
    left = after;
  }
  int64_t count() const {
    const Extents& shape = real_part(left).shape();
    return shape[shape.rank - 1];
  }
};

// Turns every pair until its columns are orthogonal in the first m rows. Returns the greatest
// cosine of their angles before, at least `worst`: {}.
template <class N>
Term turn_pairs(Halves<N>& pairs, int64_t m, const Term& worst, double smallest) {
  const N p = rows_from(pairs.left, 0, m), q = rows_from(pairs.right, 0, m);
  const Term a = sum_of_rows(square_of_abs(p)), b = sum_of_rows(square_of_abs(q));
  const N g = sum_of_rows(conjugated(p) * q);
  evaluate_terms(a, b, g);
  const Term size = abs_of(g), limit = sqrt(a) * sqrt(b);
  const Term cosine = choose(limit == 0, number_like(size, 0), size / limit);
  const Term turns = cosine > smallest;
  const Term one = number_like(size, 1), divisor = choose(turns, size, one);
  const Term zeta = (b - a) / (divisor * 2.0);
  const Term root = abs_of(zeta) + apply_op(Op::hypot, zeta, one);
  const Term tangent = apply_op(Op::copysign, one / root, zeta);
  const Term c = choose(turns, one / sqrt(tangent * tangent + 1.0), one);
  const Term s = choose(turns, tangent * c, number_like(size, 0));
  const N phase = choose(turns, divided(g, divisor), lifted(one, g));
  const N other = pairs.right * conjugated(phase);
  const N left = scaled(pairs.left, c) - scaled(other, s);
  pairs.right = scaled(pairs.left, s) + scaled(other, c);
  pairs.left = left;
  std::vector<int> axes;
  for (int i = 0; i < cosine.rank(); ++i) axes.push_back(i);
  // A matrix with NaN never becomes better, and must not stop the others of its array.
  const Term known = choose(apply_op(Op::is_nan, cosine), number_like(size, 0), cosine);
  return maximum(worst, reduce(Reduction::max, known, axes));
}

// Sweeps until all columns are orthogonal. Six to ten sweeps are enough.
template <class N>
void turn_all(Halves<N>& pairs, int64_t m) {
  const Term like = real_part(pairs.left);
  const bool narrow = like.type() == ElementType::f32;
  const double epsilon = narrow ? std::numeric_limits<float>::epsilon() : 0x1p-52;
  const double enough = 4 * epsilon * std::sqrt(static_cast<double>(m));
  for (int sweep = 0; sweep < 40; ++sweep) {
    Term worst = number_like(like, 0);
    for (int64_t round = 0; round < 2 * pairs.count() - 1; ++round) {
      worst = turn_pairs(pairs, m, worst, epsilon);
      pairs.move_on();
      evaluate_terms(pairs.left, pairs.right, worst);
    }
    double found = 0;
    copy_to_host(cast(worst, ElementType::f64).node, &found);
    if (!(found > enough)) return;
  }
}

template <class N>
JacobiTerms<N> jacobi(const N& a) {
  const Extents shape = real_part(a).shape();
  const int64_t m = shape[shape.rank - 2], n = shape[shape.rank - 1], half = (n + 1) / 2;
  N both = joined(a, lifted_to_shape(identity(real_part(a), n, n), a), rows_axis);
  if (n % 2 == 1) {
    const Term none = identity(real_part(a), m + n, 1) * 0.0;
    both = joined(both, lifted_to_shape(none, a), columns_axis);
  }
  Halves<N> pairs{columns_from(both, 0, half), columns_from(both, half, half)};
  if (n > 1) turn_all(pairs, m);
  both = columns_from(joined(pairs.left, pairs.right, columns_axis), 0, n);
  const N w = rows_from(both, 0, m), v = rows_from(both, m, n);
  const Term lengths = sqrt(sum_of_rows(square_of_abs(w)));
  const Term order{arg_sort_along(lengths.node, shape.rank - 1, true, lengths.where),
                   lengths.where};
  evaluate_terms(order);
  return {columns_gathered(w, order), columns_gathered(v, order), columns_gathered(lengths, order)};
}

template <class N>
struct SvdTerms {
  N u;
  Term s;
  N vh;
};

Term without_rows(const Term& line) {
  return {drop_dimension(line.node, line.rank() - 2, line.where), line.where};
}

// At least as many rows as columns. u has `columns` of them. The lengths of the columns are the
// singular values; reflections make a basis of their directions, also where the length is 0.
template <class N>
SvdTerms<N> tall_svd(const N& given, int64_t columns) {
  const Term scale = scale_of(given);
  evaluate_terms(scale);
  const JacobiTerms<N> found = jacobi(divided(given, scale));
  const Extents& shape = real_part(given).shape();
  const int64_t n = shape[shape.rank - 1];
  const QrTerms<N> basis = qr_of(found.w, columns);
  const N along = for_parts(basis.r, [&](const Term& x) {
    const Term line{diagonal(x.node, 0, x.where), x.where};
    return with_axis(line, line.rank() - 1);
  });
  N u = columns_from(basis.q, 0, n) * phase_of(along);
  if (columns > n) u = joined(u, columns_from(basis.q, n, columns - n), columns_axis);
  return {u, without_rows(found.lengths * scale), conjugated(transposed(found.v))};
}

template <class N>
SvdTerms<N> any_svd(const N& a, bool complete) {
  const Extents shape = real_part(a).shape();
  const int64_t m = shape[shape.rank - 2], n = shape[shape.rank - 1];
  if (m < n) {
    SvdTerms<N> other = any_svd(conjugated(transposed(a)), complete);
    return {conjugated(transposed(other.vh)), other.s, conjugated(transposed(other.u))};
  }
  return tall_svd(a, complete ? m : n);
}

template <class N>
struct EigenTerms {
  Term values;
  N vectors;
};

// With a multiple of the identity added a matrix has no negative eigenvalues, so its singular
// vectors are its eigenvectors.
template <class N>
EigenTerms<N> eigen(const N& given) {
  const Term scale = scale_of(given);
  evaluate_terms(scale);
  const N a = divided(given, scale);
  const int rank = scale.rank();
  const int64_t n = real_part(a).shape()[rank - 1];
  const Term sums = sum_of_columns(abs_of(a));
  const Term shift = with_axis(reduce(Reduction::max, sums, std::array{rank - 2}), rank - 2);
  const Term diagonal = identity(real_part(a), n, n) * shift;
  N shifted = a;
  if constexpr (std::is_same_v<N, Term>)
    shifted = a + diagonal;
  else
    shifted.real = a.real + diagonal;
  evaluate_terms(shift, shifted);
  const JacobiTerms<N> found = jacobi(shifted);
  const Term values = (real_part(sum_of_rows(conjugated(found.v) * found.w)) - shift) * scale;
  const Term order{arg_sort_along(values.node, rank - 1, false, values.where), values.where};
  evaluate_terms(order);
  return {without_rows(columns_gathered(values, order)), columns_gathered(found.v, order)};
}

// Factors of matrices without elements: identities and zeros.
Term zeros(const Term& like, const Extents& shape) {
  return {constant(ScalarValue{like.type(), 0}, shape, like.where), like.where};
}

template <class N>
QrTerms<N> any_qr(const N& a, bool complete) {
  const Extents shape = real_part(a).shape();
  const int64_t m = shape[shape.rank - 2], n = shape[shape.rank - 1];
  const int64_t k = complete ? m : std::min(m, n);
  if (shape.size() == 0)
    return {lifted_to_shape(identity(real_part(a), m, k), a),
            lifted_to_shape(zeros(real_part(a), with_rows(shape, k, n)), a)};
  if (const auto found = large_qr(a, complete)) return {found->q, found->r};
  const QrTerms<N> found = qr_of(a, k);
  return {found.q, rows_from(found.r, 0, k)};
}

template <class N>
SvdTerms<N> svd_or_empty(const N& a, bool complete) {
  const Extents shape = real_part(a).shape();
  if (shape.size() > 0) {
    if (const auto found = large_svd(a, complete)) return {found->u, found->s, found->vh};
    return any_svd(a, complete);
  }
  const int64_t m = shape[shape.rank - 2], n = shape[shape.rank - 1], k = std::min(m, n);
  Extents line = shape;
  line.rank -= 1;
  line[line.rank - 1] = k;
  const Term& like = real_part(a);
  return {lifted_to_shape(identity(like, m, complete ? m : k), a), zeros(like, line),
          lifted_to_shape(identity(like, complete ? n : k, n), a)};
}

template <class N>
EigenTerms<N> eigen_or_empty(const N& a) {
  const Extents shape = real_part(a).shape();
  if (shape.size() > 0) {
    if (const auto found = large_eigh(a)) return {found->values, found->vectors};
    return eigen(a);
  }
  Extents line = shape;
  line.rank -= 1;
  return {zeros(real_part(a), line), a};
}

}  // namespace

QrNodes<NodeRef> qr(const NodeRef& a, bool complete, const Location& where) {
  require_matrix_elements(a, "qr", where);
  const QrTerms<Term> found = any_qr(Term{a, where}, complete);
  return {found.q.node, found.r.node};
}
QrNodes<ComplexNodes> qr(const ComplexNodes& a, bool complete, const Location& where) {
  require_matrix_elements(a.real, "qr", where);
  const QrTerms<ComplexTerm> found = any_qr(terms(a, where), complete);
  return {nodes(found.q), nodes(found.r)};
}

SvdNodes<NodeRef> svd(const NodeRef& a, bool complete, const Location& where) {
  require_matrix_elements(a, "svd", where);
  const SvdTerms<Term> found = svd_or_empty(Term{a, where}, complete);
  return {found.u.node, found.s.node, found.vh.node};
}
SvdNodes<ComplexNodes> svd(const ComplexNodes& a, bool complete, const Location& where) {
  require_matrix_elements(a.real, "svd", where);
  const SvdTerms<ComplexTerm> found = svd_or_empty(terms(a, where), complete);
  return {nodes(found.u), found.s.node, nodes(found.vh)};
}

EigenNodes<NodeRef> eigh(const NodeRef& a, const Location& where) {
  require_square(a, "eigh", where);
  const EigenTerms<Term> found = eigen_or_empty(Term{a, where});
  return {found.values.node, found.vectors.node};
}
EigenNodes<ComplexNodes> eigh(const ComplexNodes& a, const Location& where) {
  require_square(a.real, "eigh", where);
  const EigenTerms<ComplexTerm> found = eigen_or_empty(terms(a, where));
  return {found.values.node, nodes(found.vectors)};
}

}  // namespace tutti::detail
