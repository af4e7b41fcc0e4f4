// Sparse<T>: a matrix that stores only some elements, row by row (CSR): the offsets of the rows,
// and for each element its column and its value. Products are segmented sums in the graph, so they
// fuse and have the same bits on every device.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "tutti/access.hpp"
#include "tutti/complex_functions.hpp"
#include "tutti/complex_reduce.hpp"
#include "tutti/concat.hpp"
#include "tutti/detail/export.hpp"
#include "tutti/sets.hpp"
#include "tutti/vector_ops.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

namespace detail {

template <class T>
concept SparseElement = ComplexPart<T> || ComplexNumber<T>;

// The type of norms and tolerances.
template <SparseElement T>
using norm_t = decltype(std::abs(T()));

// The scalar product of vectors, whose real part is enough for conjugate gradients.
template <SparseElement T>
norm_t<T> dot_of(const Array<1, T>& u, const Array<1, T>& v) {
  if constexpr (ComplexNumber<T>)
    return sum(u.real() * v.real() + u.imag() * v.imag()).item();
  else
    return sum(u * v).item();
}

}  // namespace detail

// A sparse matrix in CSR form. Elements are float, double or complex.
template <detail::SparseElement T>
class Sparse {
 public:
  // Makes a matrix of values at (at_rows[i], at_columns[i]). Values at equal coordinates are added.
  // Throws ShapeError if coordinates are outside of the matrix.
  static Sparse from_triplets(int64_t rows, int64_t columns, const Array<1, int32_t>& at_rows,
                              const Array<1, int32_t>& at_columns, const Array<1, T>& values,
                              const std::source_location& where = std::source_location::current()) {
    check_extents(rows, columns, where);
    if (at_rows.shape() != values.shape() || at_columns.shape() != values.shape())
      throw ShapeError("Sparse: " + std::to_string(at_rows.size()) + " rows, " +
                       std::to_string(at_columns.size()) + " columns and " +
                       std::to_string(values.size()) + " values" + detail::at(where));
    const Array<1, bool> inside = at_rows >= 0 && at_rows < static_cast<int32_t>(rows) &&
                                  at_columns >= 0 && at_columns < static_cast<int32_t>(columns);
    if (!bool(all(inside, where))) {
      const auto first = static_cast<int64_t>(pack_index(!inside, where).to_vector()[0]);
      const auto text = [&](const Array<1, int32_t>& a) {
        return std::to_string(a.to_vector()[static_cast<size_t>(first)]);
      };
      throw ShapeError("Sparse: the coordinates " + text(at_rows) + ", " + text(at_columns) +
                       " of element " + std::to_string(first) + " are outside of " +
                       std::to_string(rows) + " rows and " + std::to_string(columns) + " columns" +
                       detail::at(where));
    }
    const Array<1, int64_t> number = cast<int64_t>(at_rows) * columns + cast<int64_t>(at_columns);
    const ByKey<int64_t, T> found = sum_by_key(number, values, where);
    const Array<1, int32_t> row = cast<int32_t>(Array<1, int64_t>(found.keys / columns));
    return Sparse(rows, columns, row_offsets(row, rows, where),
                  cast<int32_t>(Array<1, int64_t>(found.keys % columns)), found.values);
  }
  // Makes a matrix of its parts, with one offset more than there are rows. Offsets are checked when
  // they are used; columns are clamped to the matrix.
  static Sparse from_rows(int64_t rows, int64_t columns, const Array<1, int32_t>& offsets,
                          const Array<1, int32_t>& indices, const Array<1, T>& values,
                          const std::source_location& where = std::source_location::current()) {
    check_extents(rows, columns, where);
    if (offsets.size() != rows + 1 || indices.shape() != values.shape())
      throw ShapeError("Sparse: " + std::to_string(offsets.size()) + " offsets for " +
                       std::to_string(rows) + " rows, " + std::to_string(indices.size()) +
                       " columns for " + std::to_string(values.size()) + " values" +
                       detail::at(where));
    return Sparse(rows, columns, offsets, indices, values);
  }
  // Takes the elements of a matrix that are not zero.
  static Sparse from_dense(const Array<2, T>& a,
                           const std::source_location& where = std::source_location::current()) {
    const Array<1, Value<2, int32_t>> at = nonzero(a != T{0}, where);
    return Sparse(a.extent(0), a.extent(1), row_offsets(at.component(0), a.extent(0), where),
                  at.component(1), gather(a, at.component(0), at.component(1)));
  }

  // rows() and columns() return the extents, stored() the number of stored elements. offsets(),
  // indices() and values() return the CSR arrays.
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  int64_t stored() const { return values_.size(); }
  const Array<1, int32_t>& offsets() const { return offsets_; }
  const Array<1, int32_t>& indices() const { return indices_; }
  const Array<1, T>& values() const { return values_; }
  // Returns the row of each element.
  Array<1, int32_t> element_rows() const { return element_segments(offsets_, stored()); }

  // Returns the transposed matrix.
  Sparse transposed(const std::source_location& where = std::source_location::current()) const {
    const Array<1, int32_t> order = sort_permutation(indices_, Order::ascending, where);
    if (stored() == 0) return empty(columns_, rows_);
    return Sparse(columns_, rows_, row_offsets(gather(indices_, order), columns_, where),
                  gather(element_rows(), order), gather(values_, order));
  }
  // Returns the transposed matrix of conjugate elements.
  Sparse conjugate_transposed(
      const std::source_location& where = std::source_location::current()) const
  requires(detail::ComplexNumber<T>)
  {
    Sparse result = transposed(where);
    result.values_ = conj(result.values_);
    return result;
  }
  // Returns the matrix as an array, with zeros for elements that are not stored.
  Array<2, T> to_dense() const {
    const Array<2, T> zeros(Shape<2>(rows_, columns_), T{0});
    if (stored() == 0) return zeros;
    return scatter(zeros, join(element_rows(), indices_), values_, Collision::sum);
  }
  // Return the sum of each row, the sum of each column, and the main diagonal.
  Array<1, T> row_sums() const { return segmented_sum(values_, offsets_); }
  Array<1, T> column_sums() const {
    return scatter(Array<1, T>(Shape<1>(columns_), T{0}), indices_, values_, Collision::sum);
  }
  Array<1, T> diagonal() const {
    const Array<1, int32_t> row = element_rows();
    const Array<1, T> on_it = cond(row == indices_, values_, T{0});
    const Array<1, T> sums = segmented_sum(on_it, offsets_);
    return rows_ <= columns_ ? sums : section(sums, {Range{0, columns_}});
  }

  // Multiplies by a vector. Throws ShapeError if the lengths differ.
  friend Array<1, T> operator*(const Sparse& a, const Array<1, T>& x) {
    a.check_factor(x.extent(0));
    if (a.stored() == 0) return Array<1, T>(Shape<1>(a.rows_), T{0});
    return segmented_sum(Array<1, T>(a.values_ * gather(x, a.indices_)), a.offsets_);
  }
  // Multiplies column by column.
  friend Array<2, T> operator*(const Sparse& a, const Array<2, T>& x) {
    a.check_factor(x.extent(0));
    std::vector<Array<1, T>> columns;
    for (int64_t k = 0; k < x.extent(1); ++k)
      columns.push_back(a * drop_dimension(section(x, {{0, x.extent(0)}, {k, 1}}), 1));
    if (columns.empty()) return Array<2, T>(Shape<2>(a.rows_, 0), T{0});
    return stack(columns, 1);
  }
  // Multiplies a real matrix by a complex vector.
  friend Array<1, std::complex<T>> operator*(const Sparse& a, const Array<1, std::complex<T>>& x)
  requires(detail::ComplexPart<T>)
  {
    return {a * x.real(), a * x.imag()};
  }
  // Scales all elements.
  friend Sparse operator*(const Sparse& a, T factor) {
    return Sparse(a.rows_, a.columns_, a.offsets_, a.indices_, Array<1, T>(a.values_ * factor));
  }
  friend Sparse operator*(T factor, const Sparse& a) { return a * factor; }
  // Adds two matrices of one shape.
  friend Sparse operator+(const Sparse& a, const Sparse& b) {
    if (a.rows_ != b.rows_ || a.columns_ != b.columns_)
      throw ShapeError("Sparse: the sum of matrices of " + std::to_string(a.rows_) + " by " +
                       std::to_string(a.columns_) + " and " + std::to_string(b.rows_) + " by " +
                       std::to_string(b.columns_));
    return from_triplets(a.rows_, a.columns_, concat({a.element_rows(), b.element_rows()}),
                         concat({a.indices_, b.indices_}), concat({a.values_, b.values_}));
  }
  friend Sparse operator-(const Sparse& a) { return a * T{-1}; }
  friend Sparse operator-(const Sparse& a, const Sparse& b) { return a + -b; }

 private:
  Sparse(int64_t rows, int64_t columns, Array<1, int32_t> offsets, Array<1, int32_t> indices,
         Array<1, T> values)
      : rows_(rows),
        columns_(columns),
        offsets_(std::move(offsets)),
        indices_(std::move(indices)),
        values_(std::move(values)) {}
  static Sparse empty(int64_t rows, int64_t columns) {
    return Sparse(rows, columns, Array<1, int32_t>(Shape<1>(rows + 1), 0), Array<1, int32_t>(),
                  Array<1, T>());
  }
  static void check_extents(int64_t rows, int64_t columns, const std::source_location& where) {
    if (rows < 0 || columns < 0)
      throw ShapeError("Sparse: " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                       " columns" + detail::at(where));
    detail::require_int32(rows, "Sparse: the number of rows", "divide the matrix", where);
    detail::require_int32(columns, "Sparse: the number of columns", "divide the matrix", where);
  }
  // Returns the offset of each row, given the rows of the elements in ascending order.
  static Array<1, int32_t> row_offsets(const Array<1, int32_t>& row, int64_t rows,
                                       const std::source_location& where) {
    const Array<1, int32_t> number = index(Shape<1>(rows + 1), 0, where);
    return tutti::lower_bound(row, number, where).evaluate();
  }
  void check_factor(int64_t elements) const {
    if (elements != columns_)
      throw ShapeError("Sparse: a matrix of " + std::to_string(columns_) + " columns times " +
                       std::to_string(elements) + " elements");
  }

  int64_t rows_ = 0, columns_ = 0;
  Array<1, int32_t> offsets_, indices_;
  Array<1, T> values_;
};

// The result of an iterative method: the solution and the number of iterations. Also the norm of
// b - a x relative to that of b, as the method computes it.
template <detail::SparseElement T>
struct Iterated {
  Array<1, T> x;
  int iterations = 0;
  detail::norm_t<T> residual = 0;
  bool converged = false;
};

namespace detail {

// Returns a power of two, by which the iterative methods scale a right side whose sum of squares
// over- or underflows; 1 for others, and for those that are 0 or not finite.
template <class T>
norm_t<T> scale_of(const Array<1, T>& b) {
  using Real = norm_t<T>;
  using Limits = std::numeric_limits<Real>;
  if (b.size() == 0) return Real{1};
  const Real square = dot_of(b, b);
  // Squares of residuals that are smaller by 1e-10 are normal numbers as well.
  if (square > Limits::min() * static_cast<Real>(1e20) && std::isfinite(square)) return Real{1};
  const Real greatest = max_val(abs(b)).item();
  if (greatest == 0 || !std::isfinite(greatest)) return Real{1};
  constexpr int most = Limits::max_exponent - 2;
  return std::ldexp(Real{1}, std::clamp(-std::ilogb(greatest), -most, most));
}

// Solves for b times `scale`, and returns the solution for b.
template <class T, class Solve>
Iterated<T> solve_scaled(const Array<1, T>& b, norm_t<T> scale, const Solve& solve) {
  Iterated<T> result = solve(Array<1, T>(b * scale));
  result.x = (result.x / scale).evaluate();
  return result;
}

}  // namespace detail

// Solves a x = b by conjugate gradients for a symmetric or Hermitian positive definite matrix,
// given as its product with a vector: multiply(p).
template <class T, class Multiply>
requires std::is_invocable_r_v<Array<1, T>, Multiply, const Array<1, T>&>
Iterated<T> conjugate_gradients(const Multiply& multiply, const Array<1, T>& b,
                                detail::norm_t<T> tolerance, int most_iterations) {
  using Real = detail::norm_t<T>;
  if (const Real scale = detail::scale_of(b); scale != Real{1})
    return detail::solve_scaled(b, scale, [&](const Array<1, T>& scaled) {
      return conjugate_gradients(multiply, scaled, tolerance, most_iterations);
    });
  Iterated<T> result{Array<1, T>(b.shape(), T{0}), 0, 0, false};
  const Real square_of_b = detail::dot_of(b, b);
  if (square_of_b == 0) {
    result.converged = true;
    return result;
  }
  Array<1, T> r = b, p = b;
  Real square = square_of_b;
  while (true) {
    result.residual = std::sqrt(square / square_of_b);
    result.converged = result.residual <= tolerance;
    // The negated comparison also stops at a NaN.
    if (result.converged || !(square > 0) || result.iterations == most_iterations) return result;
    const Array<1, T> q = multiply(p);
    const Real curvature = detail::dot_of(p, q);
    if (!(curvature > 0)) return result;
    const Real alpha = square / curvature;
    result.x = result.x + alpha * p;
    r = r - alpha * q;
    const Real next = detail::dot_of(r, r);
    p = r + (next / square) * p;
    square = next;
    evaluate(result.x, r, p);
    ++result.iterations;
  }
}
template <class T>
Iterated<T> conjugate_gradients(const Sparse<T>& a, const Array<1, T>& b,
                                detail::norm_t<T> tolerance = detail::norm_t<T>(1e-6),
                                int most_iterations = 1000) {
  if (a.rows() != a.columns() || a.rows() != b.size())
    throw ShapeError("conjugate_gradients: a matrix of " + std::to_string(a.rows()) + " by " +
                     std::to_string(a.columns()) + " and a right side of " +
                     std::to_string(b.size()) + " elements");
  return conjugate_gradients([&](const Array<1, T>& p) -> Array<1, T> { return a * p; }, b,
                             tolerance, most_iterations);
}

}  // namespace tutti
TUTTI_END_EXPORTS
