// GMRES, an iterative solver for systems of linear equations with any regular matrix, real or
// complex, which is Sparse or a function that multiplies it by a vector. Sums follow the tree of
// reduce.hpp, so the results have the same bits on every device.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tutti/detail/export.hpp"
#include "tutti/sparse.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {
namespace detail {

// The least-squares problem of GMRES on the host: a triangular matrix that grows by a column in
// each step, made from Hessenberg columns by rotations. N is double or std::complex<double>.
template <class N>
class HessenbergSolver {
 public:
  explicit HessenbergSolver(double residual) : right_{residual} {}
  // Adds column k, which has k + 2 elements. The last is real and not negative.
  void add_column(std::vector<N> column);
  // Returns the norm of the residual of the minimum.
  double residual() const { return std::abs(right_.back()); }
  // Returns the factors of the directions. A zero on the diagonal yields infinities or NaN.
  std::vector<N> solution() const;

 private:
  struct Rotation {
    N cosine;
    double sine;
  };
  std::vector<Rotation> rotations_;
  std::vector<std::vector<N>> columns_;
  std::vector<N> right_;
};
extern template class HessenbergSolver<double>;
extern template class HessenbergSolver<std::complex<double>>;

// The type of the numbers of that problem, for vectors of T.
template <SparseElement T>
using factor_t = std::conditional_t<ComplexNumber<T>, std::complex<double>, double>;
inline bool is_finite(double x) { return std::isfinite(x); }
inline bool is_finite(const std::complex<double>& x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

// Vectors of zeros that fill up the directions of orthogonalise(), each an array by itself.
template <class T>
class ZeroDirections {
 public:
  const Array<1, T>& at(size_t i, const Shape<1>& shape) {
    while (zeros_.size() <= i) zeros_.push_back(Array<1, T>(shape, T{0}).evaluate());
    return zeros_[i];
  }

 private:
  std::vector<Array<1, T>> zeros_;
};

// Returns how many vectors `count` directions are filled up to: 1 to 8, 10, 12, 14, 16, 20, 24, ...
// Each such number has kernels of its own, so a run compiles few of them.
constexpr size_t filled_up(size_t count) {
  const size_t step = std::max<size_t>(1, std::bit_floor(count) / 4);
  return (count + step - 1) / step * step;
}

// Makes `w` orthogonal to the directions, by classical Gram-Schmidt taken twice, and returns the
// factors that were subtracted. Each time, all factors are one evaluation.
template <class T>
std::vector<factor_t<T>> orthogonalise(const std::vector<Array<1, T>>& directions,
                                       ZeroDirections<T>& zeros, Array<1, T>& w) {
  const size_t count = directions.size(), filled = filled_up(count);
  const auto direction = [&](size_t i) -> const Array<1, T>& {
    return i < count ? directions[i] : zeros.at(i - count, w.shape());
  };
  std::vector<factor_t<T>> factors(count);
  for (int time = 0; time < 2; ++time) {
    std::vector<Array<0, T>> found;
    std::vector<NodeRef> nodes;
    const auto add = [&](const auto& a) {
      for (int part = 0; part < std::remove_cvref_t<decltype(a)>::parts; ++part)
        nodes.push_back(a.node(part));
    };
    add(w);
    for (size_t i = 0; i < filled; ++i) {
      if constexpr (ComplexNumber<T>)
        found.push_back(sum(conj(direction(i)) * w));
      else
        found.push_back(sum(direction(i) * w));
      add(found.back());
    }
    evaluate(nodes);
    for (size_t i = 0; i < filled; ++i) {
      const T factor = i < count ? found[i].item() : T{0};
      if (i < count) factors[i] += static_cast<factor_t<T>>(factor);
      w = w - factor * direction(i);
    }
  }
  return factors;
}

template <class T>
double norm_of(const Array<1, T>& a) {
  return std::sqrt(static_cast<double>(dot_of(a, a)));
}

// Runs GMRES from result.x until the tolerance is reached or there are `directions` of them.
// Returns false if further runs cannot improve the result.
template <class T, class Multiply>
bool gmres_cycle(const Multiply& multiply, const Array<1, T>& b, double norm_of_b,
                 norm_t<T> tolerance, int most_iterations, int restart, Iterated<T>& result) {
  using Real = norm_t<T>;
  const Array<1, T> r =
      result.iterations == 0 ? b : Array<1, T>(b - Array<1, T>(multiply(result.x)));
  const double first = norm_of(r);
  result.residual = static_cast<Real>(first / norm_of_b);
  result.converged = result.residual <= tolerance;
  if (result.converged || !std::isfinite(first)) return false;
  HessenbergSolver<factor_t<T>> small(first);
  std::vector<Array<1, T>> directions{Array<1, T>(r * static_cast<Real>(1 / first)).evaluate()};
  ZeroDirections<T> zeros;
  bool exhausted = false;
  while (!exhausted && static_cast<int>(directions.size()) <= restart &&
         result.iterations < most_iterations &&
         !(small.residual() <= static_cast<double>(tolerance) * norm_of_b)) {
    Array<1, T> w = multiply(directions.back());
    const double before = norm_of(w);
    std::vector<factor_t<T>> column = orthogonalise(directions, zeros, w);
    const double length = norm_of(w);
    if (!std::isfinite(length)) return false;
    // What is left of a vector in the space of the directions is rounding errors.
    exhausted = !(length > before * static_cast<double>(std::numeric_limits<Real>::epsilon()));
    column.push_back(exhausted ? 0.0 : length);
    small.add_column(std::move(column));
    if (!exhausted) directions.push_back(Array<1, T>(w * static_cast<Real>(1 / length)).evaluate());
    ++result.iterations;
  }
  const std::vector<factor_t<T>> factors = small.solution();
  Array<1, T> x = result.x;
  for (size_t i = 0; i < factors.size(); ++i) {
    if (!is_finite(factors[i])) return false;
    x = x + static_cast<T>(factors[i]) * directions[i];
  }
  result.x = x.evaluate();
  const double last = norm_of(Array<1, T>(b - Array<1, T>(multiply(result.x))));
  result.residual = static_cast<Real>(last / norm_of_b);
  result.converged = result.residual <= tolerance;
  // A run that gains nothing is repeated by the next one.
  return !result.converged && !exhausted && result.iterations < most_iterations &&
         last < first * (1 - 1e-9);
}

}  // namespace detail

// Solves a x = b for any regular matrix by GMRES (Saad and Schultz, 1986), given as its product
// with a vector: multiply(v). It minimises the residual over `restart` directions, which it keeps
// in memory, and then starts again from the result. An iteration is a product with the matrix.
// `residual` is that of x. Not converged: too few iterations, a singular matrix, or NaN.
template <detail::SparseElement T, class Multiply>
requires std::is_invocable_r_v<Array<1, T>, Multiply, const Array<1, T>&>
Iterated<T> gmres(const Multiply& multiply, const Array<1, T>& b, detail::norm_t<T> tolerance,
                  int most_iterations, int restart = 30) {
  if (restart < 1 || most_iterations < 0)
    throw ShapeError("gmres: a restart after " + std::to_string(restart) +
                     " directions and at most " + std::to_string(most_iterations) +
                     " iterations: at least 1 and 0 are needed");
  if (const auto scale = detail::scale_of(b); scale != 1)
    return detail::solve_scaled(b, scale, [&](const Array<1, T>& scaled) {
      return gmres(multiply, scaled, tolerance, most_iterations, restart);
    });
  Iterated<T> result{Array<1, T>(b.shape(), T{0}), 0, 0, false};
  const double norm_of_b = detail::norm_of(b);
  if (norm_of_b == 0) {
    result.converged = true;
    return result;
  }
  while (detail::gmres_cycle(multiply, b, norm_of_b, tolerance, most_iterations, restart, result)) {
  }
  return result;
}
template <detail::SparseElement T>
Iterated<T> gmres(const Sparse<T>& a, const Array<1, T>& b,
                  detail::norm_t<T> tolerance = detail::norm_t<T>(1e-6), int most_iterations = 1000,
                  int restart = 30) {
  if (a.rows() != a.columns() || a.rows() != b.size())
    throw ShapeError("gmres: a matrix of " + std::to_string(a.rows()) + " by " +
                     std::to_string(a.columns()) + " and a right side of " +
                     std::to_string(b.size()) + " elements");
  return gmres([&](const Array<1, T>& v) -> Array<1, T> { return a * v; }, b, tolerance,
               most_iterations, restart);
}

}  // namespace tutti
TUTTI_END_EXPORTS
