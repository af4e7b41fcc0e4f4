#include "numerics/eigenvalues.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace tutti::ir {
namespace {

constexpr double epsilon = 0x1p-52;

// A complex number by the textbook formulas: std::complex has branches for infinities, and calls
// functions of the compiler's library.
struct Complex {
  double re = 0, im = 0;
};
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
Complex operator*(Complex a, double b) { return {a.re * b, a.im * b}; }
Complex& operator-=(Complex& a, Complex b) { return a = a - b; }

double conjugate(double a) { return a; }
Complex conjugate(Complex a) { return {a.re, -a.im}; }
double square_of(double a) { return a * a; }
double square_of(Complex a) { return a.re * a.re + a.im * a.im; }
double size_of_number(double a) { return std::abs(a); }
// Scaled, because squares of small numbers vanish.
double size_of_number(Complex a) {
  const double x = std::abs(a.re), y = std::abs(a.im), most = std::max(x, y);
  if (!(most > 0)) return most;
  return most * std::sqrt(square_of(x / most) + square_of(y / most));
}
// Smith's method.
Complex operator/(Complex a, Complex b) {
  if (std::abs(b.re) >= std::abs(b.im)) {
    const double ratio = b.im / b.re, below = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / below, (a.im - a.re * ratio) / below};
  }
  const double ratio = b.re / b.im, below = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / below, (a.im * ratio - a.re) / below};
}
// The root whose real part is not negative.
Complex root(Complex a) {
  const double size = size_of_number(a), large = std::sqrt((size + std::abs(a.re)) / 2);
  if (large == 0) return {};
  const double small = std::abs(a.im) / (2 * large);
  return {a.re >= 0 ? large : small, std::copysign(a.re >= 0 ? small : large, a.im)};
}

template <class E>
struct Matrix {
  explicit Matrix(int64_t size) : n(size), elements(static_cast<size_t>(size * size)) {}
  int64_t n;
  std::vector<E> elements;
  E* operator[](int64_t row) { return elements.data() + row * n; }
  const E* operator[](int64_t row) const { return elements.data() + row * n; }
};

template <class E>
Matrix<E> identity(int64_t n) {
  Matrix<E> result(n);
  for (int64_t i = 0; i < n; ++i) result[i][i] = E{1};
  return result;
}

// Multiplies all elements by a power of two, so that the greatest is near 1. Returns the inverse of
// the factor, or 0 if an element is not finite.
template <class E>
double normalise(Matrix<E>& a) {
  double most = 0;
  for (const E& x : a.elements) {
    const double size = size_of_number(x);
    if (!std::isfinite(size)) return 0;
    most = std::max(most, size);
  }
  if (most == 0) return 1;
  int exponent = 0;
  std::frexp(most, &exponent);
  for (E& x : a.elements) {
    if constexpr (std::is_same_v<E, double>)
      x = std::ldexp(x, -exponent);
    else
      x = {std::ldexp(x.re, -exponent), std::ldexp(x.im, -exponent)};
  }
  return std::ldexp(1.0, exponent);
}

// Scales rows and columns by powers of two so that their sums are alike: D^-1 A D. Returns D.
// (Parlett and Reinsch, 1969.)
template <class E>
std::vector<double> balance(Matrix<E>& a) {
  const int64_t n = a.n;
  std::vector<double> scales(static_cast<size_t>(n), 1.0);
  bool changed = true;
  for (int sweep = 0; changed && sweep < 20; ++sweep) {
    changed = false;
    for (int64_t i = 0; i < n; ++i) {
      double column = 0, row = 0;
      for (int64_t j = 0; j < n; ++j) {
        if (j == i) continue;
        column += size_of_number(a[j][i]);
        row += size_of_number(a[i][j]);
      }
      if (column == 0 || row == 0) continue;
      double factor = 1;
      const double sum = column + row;
      while (column < row / 2 && factor < 0x1p+100) row /= 2, column *= 2, factor *= 2;
      while (column >= row * 2 && factor > 0x1p-100) row *= 2, column /= 2, factor /= 2;
      if (column + row >= 0.95 * sum) continue;
      changed = true;
      scales[static_cast<size_t>(i)] *= factor;
      for (int64_t j = 0; j < n; ++j) a[i][j] = a[i][j] * (1 / factor);
      for (int64_t j = 0; j < n; ++j) a[j][i] = a[j][i] * factor;
    }
  }
  return scales;
}

// Makes all elements below the first subdiagonal 0 by reflections, and applies them to z.
template <class E>
void reduce_to_hessenberg(Matrix<E>& h, Matrix<E>& z) {
  const int64_t n = h.n;
  std::vector<E> v(static_cast<size_t>(n)), sums(static_cast<size_t>(n));
  const auto at = [](std::vector<E>& list, int64_t i) -> E& {
    return list[static_cast<size_t>(i)];
  };
  for (int64_t k = 0; k + 2 < n; ++k) {
    double most = 0;
    for (int64_t i = k + 1; i < n; ++i) most = std::max(most, size_of_number(h[i][k]));
    if (most == 0) continue;
    double squares = 0;
    for (int64_t i = k + 1; i < n; ++i) {
      at(v, i) = h[i][k] * (1 / most);
      squares += square_of(at(v, i));
    }
    const double length = std::sqrt(squares), first = size_of_number(at(v, k + 1));
    // v becomes x + phase(x_0) |x| e_0, and H = 1 - 2 v v^H / |v|^2.
    const E phase = first == 0 ? E{1} : at(v, k + 1) * (1 / first);
    at(v, k + 1) = at(v, k + 1) + phase * length;
    const double factor = 1 / (squares + length * first);
    std::fill(sums.begin(), sums.end(), E{});
    for (int64_t i = k + 1; i < n; ++i)
      for (int64_t j = k; j < n; ++j) at(sums, j) = at(sums, j) + conjugate(at(v, i)) * h[i][j];
    for (int64_t i = k + 1; i < n; ++i)
      for (int64_t j = k; j < n; ++j) h[i][j] -= at(v, i) * at(sums, j) * factor;
    for (Matrix<E>* m : {&h, &z})
      for (int64_t i = 0; i < n; ++i) {
        E sum{};
        for (int64_t j = k + 1; j < n; ++j) sum = sum + (*m)[i][j] * at(v, j);
        for (int64_t j = k + 1; j < n; ++j) (*m)[i][j] -= sum * conjugate(at(v, j)) * factor;
      }
    for (int64_t i = k + 2; i < n; ++i) h[i][k] = E{};
  }
}

// Returns the first row of the part that ends with row `last` and whose subdiagonal has no zero.
// Elements that count as zero are set to it.
template <class E>
int64_t first_of_part(Matrix<E>& h, int64_t last) {
  for (int64_t i = last; i > 0; --i) {
    double size = size_of_number(h[i - 1][i - 1]) + size_of_number(h[i][i]);
    if (size == 0) size = 1;  // the matrix is normalised
    if (size_of_number(h[i][i - 1]) > epsilon * size) continue;
    h[i][i - 1] = E{};
    return i;
  }
  return 0;
}

constexpr int most_steps = 90;  // for one value; three are usual

// ---- real matrices: two shifts in one step (Francis, 1961)

// I - v w^T for three rows, or two.
struct Reflection3 {
  double v[3], w[3];
  int64_t rows;
  void apply_to_rows(Matrix<double>& h, int64_t k, int64_t from) const {
    for (int64_t j = from; j < h.n; ++j) {
      double sum = 0;
      for (int64_t i = 0; i < rows; ++i) sum += w[i] * h[k + i][j];
      for (int64_t i = 0; i < rows; ++i) h[k + i][j] -= sum * v[i];
    }
  }
  void apply_to_columns(Matrix<double>& h, int64_t k, int64_t until) const {
    for (int64_t i = 0; i < until; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < rows; ++j) sum += h[i][k + j] * v[j];
      for (int64_t j = 0; j < rows; ++j) h[i][k + j] -= sum * w[j];
    }
  }
};

void francis_step(Matrix<double>& h, Matrix<double>& z, int64_t first, int64_t last, int step) {
  double trace = h[last][last] + h[last - 1][last - 1];
  double determinant =
      h[last][last] * h[last - 1][last - 1] - h[last][last - 1] * h[last - 1][last];
  if (step % 10 == 0) {  // other shifts, where the usual ones go in circles
    const double size = std::abs(h[last][last - 1]) + std::abs(h[last - 1][last - 2]);
    trace = 1.5 * size;
    determinant = size * size;
  }
  const double a = h[first][first], b = h[first][first + 1], c = h[first + 1][first],
               d = h[first + 1][first + 1];
  double x[3] = {a * (a - trace) + b * c + determinant, c * (a + d - trace),
                 c * h[first + 2][first + 1]};
  for (int64_t k = first; k < last; ++k) {
    const int64_t rows = std::min<int64_t>(3, last - k + 1);
    if (k > first)
      for (int64_t i = 0; i < 3; ++i) x[i] = i < rows ? h[k + i][k - 1] : 0;
    const double most = std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
    if (most == 0) continue;
    double squares = 0;
    for (double& part : x) {
      part /= most;
      squares += part * part;
    }
    const double length = std::copysign(std::sqrt(squares), x[0]), pivot = x[0] + length;
    Reflection3 mirror{{1, x[1] / pivot, x[2] / pivot}, {}, rows};
    for (int i = 0; i < 3; ++i) mirror.w[i] = mirror.v[i] * (pivot / length);
    mirror.apply_to_rows(h, k, std::max(first, k - 1));
    mirror.apply_to_columns(h, k, std::min(k + 4, last + 1));
    mirror.apply_to_columns(z, k, h.n);
    if (k > first)
      for (int64_t i = 1; i < rows; ++i) h[k + i][k - 1] = 0;
  }
}

// Makes a block of two rows triangular if its values are real.
void split_block(Matrix<double>& h, Matrix<double>& z, int64_t first) {
  const int64_t second = first + 1;
  const double half = (h[first][first] - h[second][second]) / 2;
  const double discriminant = half * half + h[first][second] * h[second][first];
  if (discriminant < 0) return;
  const double turn = half + std::copysign(std::sqrt(discriminant), half);
  const double length = size_of_number(Complex{turn, h[second][first]});
  const double c = turn / length, s = h[second][first] / length;
  for (int64_t j = first; j < h.n; ++j) {
    const double upper = h[first][j], lower = h[second][j];
    h[first][j] = c * upper + s * lower;
    h[second][j] = c * lower - s * upper;
  }
  for (Matrix<double>* m : {&h, &z})
    for (int64_t i = 0; i < (m == &h ? second + 1 : h.n); ++i) {
      const double left = (*m)[i][first], right = (*m)[i][second];
      (*m)[i][first] = c * left + s * right;
      (*m)[i][second] = c * right - s * left;
    }
  h[second][first] = 0;
}

// Makes h triangular up to blocks of two rows.
bool iterate(Matrix<double>& h, Matrix<double>& z) {
  int step = 0;
  for (int64_t last = h.n - 1; last > 0;) {
    const int64_t first = first_of_part(h, last);
    if (first >= last - 1) {
      if (first == last - 1) split_block(h, z, first);
      last = first - 1;
      step = 0;
      continue;
    }
    if (++step > most_steps) return false;
    francis_step(h, z, first, last, step);
  }
  return true;
}

// ---- complex matrices: one shift

// The rotation that turns (x, y) to (r, 0).
struct Rotation {
  Complex c, s;
  Rotation(Complex x, Complex y) {
    const double most = std::max(size_of_number(x), size_of_number(y));
    if (most == 0) {
      c = {1, 0};
      return;
    }
    x = x * (1 / most);
    y = y * (1 / most);
    const double length = std::sqrt(square_of(x) + square_of(y));
    c = x * (1 / length);
    s = y * (1 / length);
  }
  void apply_to_rows(Matrix<Complex>& h, int64_t k, int64_t from) const {
    for (int64_t j = from; j < h.n; ++j) {
      const Complex upper = h[k][j], lower = h[k + 1][j];
      h[k][j] = conjugate(c) * upper + conjugate(s) * lower;
      h[k + 1][j] = c * lower - s * upper;
    }
  }
  void apply_to_columns(Matrix<Complex>& h, int64_t k, int64_t until) const {
    for (int64_t i = 0; i < until; ++i) {
      const Complex left = h[i][k], right = h[i][k + 1];
      h[i][k] = left * c + right * s;
      h[i][k + 1] = right * conjugate(c) - left * conjugate(s);
    }
  }
};

bool iterate(Matrix<Complex>& h, Matrix<Complex>& z) {
  int step = 0;
  for (int64_t last = h.n - 1; last > 0;) {
    const int64_t first = first_of_part(h, last);
    if (first == last) {
      --last;
      step = 0;
      continue;
    }
    if (++step > most_steps) return false;
    // The value of the last two rows that is closer to the last element (Wilkinson).
    const Complex half = (h[last - 1][last - 1] - h[last][last]) * 0.5;
    const Complex product = h[last - 1][last] * h[last][last - 1];
    const Complex distance = root(half * half + product);
    const Complex sum = half + distance, difference = half - distance;
    const Complex divisor = square_of(sum) >= square_of(difference) ? sum : difference;
    Complex shift = square_of(divisor) == 0 ? h[last][last] : h[last][last] - product / divisor;
    if (step % 10 == 0)
      shift = {size_of_number(h[last][last - 1]) + size_of_number(h[last - 1][last - 1]), 0};
    Complex x = h[first][first] - shift, y = h[first + 1][first];
    for (int64_t k = first; k < last; ++k) {
      if (k > first) {
        x = h[k][k - 1];
        y = h[k + 1][k - 1];
      }
      const Rotation turn(x, y);
      turn.apply_to_rows(h, k, std::max(first, k - 1));
      turn.apply_to_columns(h, k, std::min(k + 3, last + 1));
      turn.apply_to_columns(z, k, h.n);
      if (k > first) h[k + 1][k - 1] = {};
    }
  }
  return true;
}

// ---- from Schur form to vectors

Matrix<Complex> as_complex(const Matrix<double>& a) {
  Matrix<Complex> result(a.n);
  for (size_t i = 0; i < a.elements.size(); ++i) result.elements[i] = {a.elements[i], 0};
  return result;
}

// Makes blocks of two rows triangular. Their values are conjugate to the bit.
void split_complex_blocks(Matrix<Complex>& t, Matrix<Complex>& z) {
  for (int64_t k = 0; k + 1 < t.n; ++k) {
    const double c = t[k + 1][k].re;
    if (c == 0) continue;
    const double half = (t[k][k].re - t[k + 1][k + 1].re) / 2;
    const double discriminant = half * half + t[k][k + 1].re * c;
    const Complex value{t[k + 1][k + 1].re + half, std::sqrt(-discriminant)};
    const Rotation turn(value - t[k + 1][k + 1], {c, 0});
    turn.apply_to_rows(t, k, k);
    turn.apply_to_columns(t, k, k + 2);
    turn.apply_to_columns(z, k, t.n);
    t[k][k] = value;
    t[k + 1][k + 1] = conjugate(value);
    t[k + 1][k] = {};
    ++k;
  }
}

// Makes the length of a column 1.
void normalise_column(Matrix<Complex>& v, int64_t k) {
  double most = 0, squares = 0;
  for (int64_t i = 0; i < v.n; ++i) most = std::max(most, size_of_number(v[i][k]));
  if (most == 0) return;
  for (int64_t i = 0; i < v.n; ++i) {
    v[i][k] = v[i][k] * (1 / most);
    squares += square_of(v[i][k]);
  }
  const double factor = 1 / std::sqrt(squares);
  for (int64_t i = 0; i < v.n; ++i) v[i][k] = v[i][k] * factor;
}

// Turns the greatest element to the real axis, and drops the imaginary parts: a real matrix has
// real vectors for real values.
void make_real(Matrix<Complex>& v, int64_t k) {
  int64_t greatest = 0;
  for (int64_t i = 1; i < v.n; ++i)
    if (square_of(v[i][k]) > square_of(v[greatest][k])) greatest = i;
  const double size = size_of_number(v[greatest][k]);
  if (size == 0) return;
  const Complex turn = conjugate(v[greatest][k]) * (1 / size);
  for (int64_t i = 0; i < v.n; ++i) v[i][k] = {(v[i][k] * turn).re, 0};
  normalise_column(v, k);
}

// The eigenvectors of the triangular matrix t by substitution, in the basis z, scaled by rows.
Matrix<Complex> vectors_of(const Matrix<Complex>& t, const Matrix<Complex>& z,
                           const std::vector<double>& scales) {
  const int64_t n = t.n;
  Matrix<Complex> result(n);
  std::vector<Complex> x(static_cast<size_t>(n));
  const auto at = [&](int64_t i) -> Complex& { return x[static_cast<size_t>(i)]; };
  for (int64_t k = 0; k < n; ++k) {
    at(k) = {1, 0};
    for (int64_t i = k - 1; i >= 0; --i) {
      Complex sum{};
      for (int64_t j = i + 1; j <= k; ++j) sum = sum + t[i][j] * at(j);
      Complex difference = t[k][k] - t[i][i];
      if (size_of_number(difference) < epsilon) difference = {epsilon, 0};  // equal values
      at(i) = sum / difference;
      const double size = size_of_number(at(i));
      if (size > 0x1p+300)
        for (int64_t j = i; j <= k; ++j) at(j) = at(j) * (1 / size);
    }
    for (int64_t i = 0; i < n; ++i) {
      Complex sum{};
      for (int64_t j = 0; j <= k; ++j) sum = sum + z[i][j] * at(j);
      result[i][k] = sum * scales[static_cast<size_t>(i)];
    }
    normalise_column(result, k);
  }
  return result;
}

template <class E>
bool compute(Matrix<E>& a, std::span<std::complex<double>> values,
             std::span<std::complex<double>> vectors) {
  const double unit = normalise(a);
  if (unit == 0) return false;
  const std::vector<double> scales = balance(a);
  Matrix<E> z = identity<E>(a.n);
  reduce_to_hessenberg(a, z);
  if (!iterate(a, z)) return false;
  Matrix<Complex> t(0), basis(0);
  if constexpr (std::is_same_v<E, double>) {
    t = as_complex(a);
    basis = as_complex(z);
    split_complex_blocks(t, basis);
  } else {
    t = std::move(a);
    basis = std::move(z);
  }
  for (int64_t i = 0; i < t.n; ++i)
    values[static_cast<size_t>(i)] = {t[i][i].re * unit, t[i][i].im * unit};
  if (vectors.empty()) return true;
  Matrix<Complex> found = vectors_of(t, basis, scales);
  for (int64_t k = 0; std::is_same_v<E, double> && k < t.n; ++k) {
    if (t[k][k].im == 0) {
      make_real(found, k);
    } else {
      for (int64_t i = 0; i < t.n; ++i) found[i][k + 1] = conjugate(found[i][k]);
      ++k;
    }
  }
  for (size_t i = 0; i < vectors.size(); ++i)
    vectors[i] = {found.elements[i].re, found.elements[i].im};
  return true;
}

}  // namespace

bool eigenvalues(int64_t n, std::span<const double> a, std::span<std::complex<double>> values,
                 std::span<std::complex<double>> vectors) {
  Matrix<double> matrix(n);
  std::ranges::copy(a, matrix.elements.begin());
  return compute(matrix, values, vectors);
}

bool eigenvalues(int64_t n, std::span<const std::complex<double>> a,
                 std::span<std::complex<double>> values, std::span<std::complex<double>> vectors) {
  Matrix<Complex> matrix(n);
  for (size_t i = 0; i < a.size(); ++i) matrix.elements[i] = {a[i].real(), a[i].imag()};
  return compute(matrix, values, vectors);
}

}  // namespace tutti::ir
