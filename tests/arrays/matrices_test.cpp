// Products, factorisations and systems of equations, of one matrix and of many, against plain
// loops; sparse matrices against dense ones.
#include <tutti/complex_matrices.hpp>
#include <tutti/create.hpp>
#include <tutti/matrices.hpp>
#include <tutti/sparse.hpp>

#include <cmath>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

template <class T>
std::vector<T> numbers(int64_t n, uint32_t seed) {
  std::vector<T> result;
  uint32_t state = seed;
  for (int64_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    result.push_back(static_cast<T>(state >> 8) / T(8388608) - T(1));
  }
  return result;
}
template <class T, int D>
Array<D, T> array_of_numbers(const Shape<D>& shape, uint32_t seed) {
  return Array<D, T>(numbers<T>(shape.size(), seed), shape);
}

// Matrices that can be factorised in any order of rows.
template <class T>
Array<3, T> good_matrices(int64_t batch, int64_t n, uint32_t seed) {
  return array_of_numbers<T>(Shape<3>(batch, n, n), seed) + eye<T>(n) * T(2);
}

template <class T, int D>
void expect_close(const Array<D, T>& a, const Array<D, T>& b, double tolerance) {
  ASSERT_EQ(a.shape(), b.shape());
  const auto x = a.to_vector(), y = b.to_vector();
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_NEAR(double(x[i]), double(y[i]), tolerance) << "element " << i;
}

TEST(Matrices, ProductsOfBatches) {
  for (const Shape<3>& s : {Shape<3>(2, 3, 4), Shape<3>(50, 17, 33)}) {
    const int64_t b = s[0], m = s[1], k = s[2], n = 5;
    const Array<3, int> x = plain_array<3, int>({b, m, k}), y = plain_array<3, int>({b, k, n});
    std::vector<int> want;
    const auto xs = x.to_vector(), ys = y.to_vector();
    for (int64_t i = 0; i < b; ++i)
      for (int64_t r = 0; r < m; ++r)
        for (int64_t c = 0; c < n; ++c) {
          int sum = 0;
          for (int64_t t = 0; t < k; ++t)
            sum += xs[static_cast<size_t>((i * m + r) * k + t)] *
                   ys[static_cast<size_t>((i * k + t) * n + c)];
          want.push_back(sum);
        }
    expect_values([&] { return matmul(x, y); }, want);
    // Transposed factors, one matrix for all, vectors.
    EXPECT_EQ(matmul(matrix_transpose(matrix_transpose(x)), y).to_vector(), want);
    const Array<2, int> one = plain_array<2, int>({k, n});
    EXPECT_EQ(matmul(x, one).shape(), Shape<3>(b, m, n));
    EXPECT_EQ(matmul(x, broadcast(one, Shape<3>(b, k, n))).to_vector(), matmul(x, one).to_vector());
    EXPECT_EQ(matmul(one, plain_array<1, int>({n})).shape(), Shape<1>(k));
    EXPECT_EQ(matmul(plain_array<1, int>({k}), one).shape(), Shape<1>(n));
  }
  EXPECT_NE(message_of<ShapeError>([&] {
              matmul(Array<3, float>(2, 3, 4), Array<3, float>(2, 3, 4));
            }).find("matmul: the shapes {2, 3, 4} and {2, 3, 4} do not fit"),
            std::string::npos);
}

TEST(Matrices, DiagonalAndTrace) {
  const Array<3, int> a = plain_array<3, int>({2, 3, 4});
  const auto e = a.to_vector();
  EXPECT_EQ(diagonal(a).to_vector(), (std::vector<int>{e[0], e[5], e[10], e[12], e[17], e[22]}));
  EXPECT_EQ(diagonal(a, 2).to_vector(), (std::vector<int>{e[2], e[7], e[14], e[19]}));
  EXPECT_EQ(diagonal(a, -2).to_vector(), (std::vector<int>{e[8], e[20]}));
  EXPECT_EQ(diagonal(a, 4).shape(), Shape<2>(2, 0));
  EXPECT_EQ(trace(a).to_vector(), (std::vector<int>{e[0] + e[5] + e[10], e[12] + e[17] + e[22]}));
  EXPECT_THROW(diagonal(a, 5), ShapeError);
}

TEST(Matrices, Einsum) {
  const Array<2, int> a = plain_array<2, int>({3, 4}), b = plain_array<2, int>({4, 5});
  const Array<2, int> square = plain_array<2, int>({4, 4});
  EXPECT_EQ(einsum<2>("ij,jk->ik", a, b).to_vector(), matmul(a, b).to_vector());
  EXPECT_EQ(einsum<2>("ij,jk->ki", a, b).to_vector(), transpose(matmul(a, b)).to_vector());
  EXPECT_EQ(einsum<2>("ij->ji", a).to_vector(), transpose(a).to_vector());
  EXPECT_EQ(einsum<0>("ij->", a).to_vector(), std::vector<int>{int(sum(a))});
  EXPECT_EQ(einsum<0>("ii->", square).to_vector(), std::vector<int>{int(trace(square))});
  EXPECT_EQ(einsum<1>("ii->i", square).to_vector(), diagonal(square).to_vector());
  EXPECT_EQ(einsum<2>("ij,ij->ij", a, a).to_vector(), (a * a).to_vector());
  EXPECT_EQ(einsum<0>("ij,ij->", a, a).to_vector(), std::vector<int>{int(sum(a * a))});
  const Array<3, int> x = plain_array<3, int>({2, 3, 4}), y = plain_array<3, int>({2, 4, 5});
  EXPECT_EQ(einsum<3>("bij,bjk->bik", x, y).to_vector(), matmul(x, y).to_vector());
  const Array<1, int> v = plain_array<1, int>({5});
  EXPECT_EQ(einsum<1>("ij,jk,k->i", a, b, v).to_vector(), matmul(matmul(a, b), v).to_vector());
  EXPECT_THROW(einsum<2>("ij,jk", a, b), ShapeError);
  EXPECT_THROW(einsum<2>("ij,kj->ik", a, b), ShapeError);
  EXPECT_THROW(einsum<2>("ijk,jk->ik", a, b), ShapeError);
  EXPECT_THROW(einsum<1>("ij,jk->ik", a, b), ShapeError);
  EXPECT_THROW(einsum<2>("ij,jk->iz", a, b), ShapeError);
  EXPECT_THROW(einsum<2>("ij,jk->ii", a, b), ShapeError);
  EXPECT_THROW(einsum<2>("i1,1k->ik", a, b), ShapeError);
  EXPECT_THROW(einsum<2>("ij->ij", a, b), ShapeError);
}

TEST(Matrices, CholeskyOfMany) {
  for (const int64_t n : {1, 2, 5, 20}) {
    const Array<3, double> g = array_of_numbers<double>(Shape<3>(40, n, n), 3);
    const Array<3, double> a = (matmul(g, matrix_transpose(g)) + eye<double>(n) * 0.5).evaluate();
    const Array<3, double> l = cholesky(a);
    expect_close(matmul(l, matrix_transpose(l)), a, 1e-12 * static_cast<double>(n));
    EXPECT_EQ(triu(l, 1).to_vector(), std::vector<double>(l.to_vector().size(), 0.0));
    expect_same([&] { return cholesky(a); });
  }
  const Array<2, double> indefinite(std::vector<double>{1, 2, 2, 1}, 2, 2);
  EXPECT_TRUE(std::isnan(cholesky(indefinite).to_vector()[3]));
}

TEST(Matrices, LuSolveInverseDeterminant) {
  for (const int64_t n : {1, 2, 3, 8, 30}) {
    const Array<3, double> a = good_matrices<double>(25, n, 5).evaluate();
    const auto factors = lu(a);
    const Array<3, double> l = tril(factors.factors, -1) + eye<double>(n);
    const Array<3, double> u = triu(factors.factors);
    // Row i of the product is row permutation[i] of a.
    const auto product_ = matmul(l, u).to_vector(), given = a.to_vector();
    const auto rows = factors.permutation.to_vector();
    for (int64_t b = 0; b < 25; ++b)
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
          const int64_t row = rows[static_cast<size_t>(b * n + i)];
          ASSERT_NEAR(product_[static_cast<size_t>((b * n + i) * n + j)],
                      given[static_cast<size_t>((b * n + row) * n + j)], 1e-12);
        }
    // Below the diagonal nothing exceeds 1: the greatest pivot was chosen.
    EXPECT_LE(double(max_val(abs(tril(factors.factors, -1)))), 1.0);
    const Array<3, double> b = array_of_numbers<double>(Shape<3>(25, n, 3), 9);
    const Array<2, double> v = array_of_numbers<double>(Shape<2>(25, n), 10);
    expect_close(matmul(a, solve(a, b)), b, 1e-9);
    const Array<3, double> column = Array<3, double>(reshape(v, Shape<3>(25, n, 1)));
    expect_close(Array<3, double>(reshape(solve(a, v), Shape<3>(25, n, 1))), solve(a, column), 0.0);
    expect_close(matmul(a, inverse(a)), Array<3, double>(broadcast(eye<double>(n), a.shape())),
                 1e-9);
    expect_same([&] { return solve(a, b); });
  }
  const Array<2, double> a(std::vector<double>{0, 2, 3, 4}, 2, 2);
  EXPECT_EQ(determinant(a).item(), -6.0);
  const Array<2, double> singular(std::vector<double>{1, 2, 2, 4}, 2, 2);
  EXPECT_EQ(determinant(singular).item(), 0.0);
  EXPECT_FALSE(std::isfinite(solve(singular, Array<1, double>(Shape<1>(2), 1.0)).to_vector()[0]));
  EXPECT_EQ(determinant(Array<3, double>(4, 0, 0)).to_vector(), std::vector<double>(4, 1.0));
}

TEST(Matrices, TriangularSystems) {
  const Array<2, double> a(std::vector<double>{2, 7, 1, 4}, 2, 2);  // the other triangle is ignored
  const Array<1, double> b(std::vector<double>{2, 9});
  EXPECT_EQ(triangular_solve(a, b).to_vector(), (std::vector<double>{1, 2}));
  EXPECT_EQ(triangular_solve(a, b, Triangle::upper).to_vector(),
            (std::vector<double>{-6.875, 2.25}));
}

TEST(Matrices, Errors) {
  const Array<2, double> oblong(2, 3), square(3, 3);
  EXPECT_NE(message_of<ShapeError>([&] {
              cholesky(oblong);
            }).find("cholesky: matrices of the shape {2, 3} are not square"),
            std::string::npos);
  EXPECT_THROW(lu(oblong), ShapeError);
  EXPECT_THROW(determinant(oblong), ShapeError);
  EXPECT_THROW(solve(square, Array<2, double>(2, 3)), ShapeError);
  EXPECT_THROW(triangular_solve(square, Array<1, double>(4)), ShapeError);
  EXPECT_THROW(detail::cholesky(Array<2, int>(3, 3).node(), {}), TypeError);
}

TEST(SparseMatrices, AgainstDenseOnes) {
  const int64_t rows = 60, columns = 80;
  const Array<2, double> dense = cond(array_of_numbers<double>(Shape<2>(rows, columns), 1) > 0.8,
                                      array_of_numbers<double>(Shape<2>(rows, columns), 2), 0.0);
  const Sparse<double> a = Sparse<double>::from_dense(dense);
  EXPECT_EQ(a.to_dense().to_vector(), dense.to_vector());
  EXPECT_EQ(a.transposed().to_dense().to_vector(), transpose(dense).to_vector());
  const Array<1, double> x = array_of_numbers<double>(Shape<1>(columns), 4);
  expect_close(a * x, matmul(dense, x), 1e-14);
  const Array<2, double> m = array_of_numbers<double>(Shape<2>(columns, 3), 5);
  expect_close(a * m, matmul(dense, m), 1e-14);
  EXPECT_EQ((a * 2.0).to_dense().to_vector(), (dense * 2.0).to_vector());
  EXPECT_EQ((a + a * 3.0).to_dense().to_vector(), (dense + dense * 3.0).to_vector());
  expect_close(a.row_sums(), sum(dense, 1), 1e-14);
  expect_close(a.column_sums(), sum(dense, 0), 1e-14);
  EXPECT_EQ(a.diagonal().to_vector(), diagonal(dense).to_vector());
  expect_same([&] { return a * x; });
}

TEST(SparseMatrices, OfComplexNumbers) {
  using Complex = std::complex<double>;
  const Shape<2> shape(40, 30);
  const auto numbers = [&](uint64_t seed) { return array_of_numbers<double>(shape, seed); };
  const Array<2, bool> stored = numbers(1) > 0.7;
  const Array<2, Complex> dense(cond(stored, numbers(2), 0.0), cond(stored, numbers(3), 0.0));
  const Sparse<Complex> a = Sparse<Complex>::from_dense(dense);
  EXPECT_EQ(a.stored(), int(count(stored)));
  EXPECT_EQ(a.to_dense().to_vector(), dense.to_vector());
  EXPECT_EQ(a.transposed().to_dense().to_vector(), matrix_transpose(dense).to_vector());
  EXPECT_EQ(a.conjugate_transposed().to_dense().to_vector(),
            conjugate_transpose(dense).to_vector());
  const auto expect_close = [](const auto& found, const auto& wanted) {
    const auto x = found.to_vector(), y = wanted.to_vector();
    ASSERT_EQ(x.size(), y.size());
    for (size_t i = 0; i < x.size(); ++i) ASSERT_LE(std::abs(x[i] - y[i]), 1e-13);
  };
  const Array<1, Complex> x(array_of_numbers<double>(Shape<1>(30), 4),
                            array_of_numbers<double>(Shape<1>(30), 5));
  const Array<2, Complex> m(array_of_numbers<double>(Shape<2>(30, 3), 6),
                            array_of_numbers<double>(Shape<2>(30, 3), 7));
  expect_close(a * x, matmul(dense, x));
  expect_close(a * m, matmul(dense, m));
  expect_close((a + a * Complex(0, 1)).to_dense(), dense * Complex(1, 1));
  expect_close((a - a * 0.5).to_dense(), dense * 0.5);
  expect_close(a.row_sums(), sum(dense, 1));
  expect_close(a.column_sums(), sum(dense, 0));
  expect_close(a.diagonal(), diagonal(dense));
  const Sparse<double> real = Sparse<double>::from_dense(dense.real());
  expect_close(real * x, matmul(Array<2, Complex>(dense.real()), x));
  // Values at equal coordinates are added; none are there.
  const Array<1, int> row(std::vector<int>{1, 0, 1}), column(std::vector<int>{2, 0, 2});
  const std::vector<Complex> values{{1, 2}, {3, 4}, {5, 6}};
  const auto few = Sparse<Complex>::from_triplets(2, 3, row, column, Array<1, Complex>(values));
  EXPECT_EQ(few.values().to_vector(), (std::vector<Complex>{{3, 4}, {6, 8}}));
  const auto none =
      Sparse<Complex>::from_triplets(3, 2, Array<1, int>(), Array<1, int>(), Array<1, Complex>());
  EXPECT_EQ((none * Array<1, Complex>(2)).to_vector(), std::vector<Complex>(3));
  EXPECT_THROW((a * Array<1, Complex>(4)), ShapeError);
  // A Hermitian matrix that is positive definite.
  const Array<2, Complex> positive =
      matmul(dense, conjugate_transpose(dense)) + Array<2, Complex>(eye<double>(40));
  const Array<1, Complex> b(array_of_numbers<double>(Shape<1>(40), 8),
                            array_of_numbers<double>(Shape<1>(40), 9));
  const auto found = conjugate_gradients(Sparse<Complex>::from_dense(positive), b, 1e-12);
  EXPECT_TRUE(found.converged);
  const auto error = (matmul(positive, found.x) - b).to_vector();
  for (const Complex& e : error) EXPECT_LE(std::abs(e), 1e-9);
}

TEST(SparseMatrices, FromTriplets) {
  const Array<1, int> row(std::vector<int>{2, 0, 2, 2}), column(std::vector<int>{1, 3, 1, 0});
  const Array<1, float> value(std::vector<float>{1, 2, 4, 8});
  const auto a = Sparse<float>::from_triplets(4, 5, row, column, value);
  EXPECT_EQ(a.stored(), 3);
  EXPECT_EQ(a.offsets().to_vector(), (std::vector<int>{0, 1, 1, 3, 3}));
  EXPECT_EQ(a.indices().to_vector(), (std::vector<int>{3, 0, 1}));
  EXPECT_EQ(a.values().to_vector(), (std::vector<float>{2, 8, 5}));
  const auto none =
      Sparse<float>::from_triplets(3, 2, Array<1, int>(), Array<1, int>(), Array<1, float>());
  EXPECT_EQ((none * Array<1, float>(2)).to_vector(), std::vector<float>(3, 0.0f));
  EXPECT_EQ(none.transposed().to_dense().shape(), Shape<2>(2, 3));
  EXPECT_NE(message_of<ShapeError>([&] {
              Sparse<float>::from_triplets(2, 5, row, column, value);
            }).find("the coordinates 2, 1 of element 0 are outside of 2 rows and 5 columns"),
            std::string::npos);
  EXPECT_THROW(Sparse<float>::from_triplets(4, 5, row, column, Array<1, float>(2)), ShapeError);
  EXPECT_THROW(Sparse<float>::from_triplets(int64_t{1} << 32, 5, row, column, value), ShapeError);
  EXPECT_THROW((a * Array<1, float>(4)), ShapeError);
  EXPECT_THROW(a + none, ShapeError);
}

TEST(SparseMatrices, ConjugateGradients) {
  // The second difference with zero borders: i (n + 1 - i) / 2 solves it for ones.
  const int64_t n = 200;
  std::vector<int> row, column;
  std::vector<double> value;
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - 1); j <= std::min<int>(static_cast<int>(n) - 1, i + 1); ++j) {
      row.push_back(i);
      column.push_back(j);
      value.push_back(i == j ? 2 : -1);
    }
  const auto a = Sparse<double>::from_triplets(n, n, Array<1, int>(row), Array<1, int>(column),
                                               Array<1, double>(value));
  const Array<1, double> b(Shape<1>(n), 1.0);
  const auto found = conjugate_gradients(a, b, 1e-12);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.iterations, n);
  const auto x = found.x.to_vector();
  for (int64_t i = 0; i < n; ++i)
    ASSERT_NEAR(x[static_cast<size_t>(i)],
                static_cast<double>(i + 1) * static_cast<double>(n - i) / 2, 1e-6);
  EXPECT_FALSE(conjugate_gradients(a, b, 1e-12, 5).converged);
  EXPECT_FALSE(conjugate_gradients(a * -1.0, b).converged);  // not positive definite
  EXPECT_TRUE(conjugate_gradients(a, b * 0.0).converged);
  EXPECT_THROW(conjugate_gradients(a, Array<1, double>(3)), ShapeError);
}

}  // namespace
}  // namespace tutti::test
