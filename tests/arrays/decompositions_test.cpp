// QR, singular values and eigenvalues, of one matrix and of many, real and complex: products of the
// factors give the matrix, and factors are orthonormal.
#include <tutti/create.hpp>
#include <tutti/decompositions.hpp>

#include <cmath>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using Complex = std::complex<double>;

std::vector<double> numbers(int64_t n, uint32_t seed) {
  std::vector<double> result;
  uint32_t state = seed;
  for (int64_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    result.push_back(static_cast<double>(state >> 8) / 8388608.0 - 1.0);
  }
  return result;
}
Array<3, double> matrices(const Shape<3>& shape, uint32_t seed) {
  return Array<3, double>(numbers(shape.size(), seed), shape);
}
Array<3, Complex> complex_matrices(const Shape<3>& shape, uint32_t seed) {
  return Array<3, Complex>(matrices(shape, seed), matrices(shape, seed + 1));
}

// Products, adjoints and sizes of plain matrices.
Array<3, double> product(const Array<3, double>& a, const Array<3, double>& b) {
  return matmul(a, b);
}
Array<3, Complex> product(const Array<3, Complex>& a, const Array<3, Complex>& b) {
  return Array<3, Complex>(matmul(a.real(), b.real()) - matmul(a.imag(), b.imag()),
                           matmul(a.real(), b.imag()) + matmul(a.imag(), b.real()));
}
Array<3, double> adjoint(const Array<3, double>& a) { return matrix_transpose(a); }
Array<3, Complex> adjoint(const Array<3, Complex>& a) {
  return Array<3, Complex>(matrix_transpose(a.real()), -matrix_transpose(a.imag()));
}
template <class T>
double greatest(const Array<3, T>& a) {
  double most = 0;
  for (const T& x : a.to_vector())
    most = std::isnan(std::abs(x)) ? NAN : std::max(most, std::abs(x));
  return most;
}
Array<3, double> scaled_columns(const Array<3, double>& a, const Array<2, double>& by) {
  return a * Array<3, double>(detail::add_dimension(by.node(), 1, 1, {}));
}
Array<3, Complex> scaled_columns(const Array<3, Complex>& a, const Array<2, double>& by) {
  return Array<3, Complex>(scaled_columns(a.real(), by), scaled_columns(a.imag(), by));
}
template <class T>
void expect_orthonormal(const Array<3, T>& q) {
  const auto found = product(adjoint(q), q).to_vector();
  const int64_t n = q.extent(2);
  for (size_t i = 0; i < found.size(); ++i) {
    const auto at = static_cast<int64_t>(i) % (n * n);
    EXPECT_LE(std::abs(found[i] - (at / n == at % n ? 1.0 : 0.0)), 1e-13) << "element " << i;
  }
}

const Shape<3> shapes[] = {{2, 5, 5}, {3, 7, 4}, {1, 3, 8}, {2, 1, 1}, {1, 12, 12}};

template <class T>
void check_decompositions(const Array<3, T>& a) {
  const double limit = 1e-12;
  const Qr<3, T> factors = qr(a);
  EXPECT_LE(greatest(Array<3, T>(product(factors.q, factors.r) - a)), limit);
  expect_orthonormal(factors.q);
  expect_orthonormal(qr(a, Factors::complete).q);

  const Svd<3, T> singular = svd(a);
  EXPECT_LE(greatest(Array<3, T>(product(scaled_columns(singular.u, singular.s), singular.vh) - a)),
            limit);
  expect_orthonormal(singular.u);
  expect_orthonormal(adjoint(singular.vh));
  expect_orthonormal(svd(a, Factors::complete).u);

  const Array<3, T> symmetric = product(a, adjoint(a));
  const Eigh<3, T> found = eigh(symmetric);
  const Array<3, T> turned = product(symmetric, found.vectors);
  EXPECT_LE(greatest(Array<3, T>(turned - scaled_columns(found.vectors, found.values))),
            limit * 10);
  expect_orthonormal(found.vectors);
}

TEST(Decompositions, GiveTheMatrixBack) {
  uint32_t seed = 7;
  for (const Shape<3>& shape : shapes) {
    check_decompositions(matrices(shape, seed));
    check_decompositions(complex_matrices(shape, seed));
    seed += 2;
  }
}

TEST(Decompositions, OfKnownMatrices) {
  const Array<2, double> a(std::vector<double>{3, 0, 0, -4}, Shape<2>(2, 2));
  const std::vector<double> sizes = svd(a).s.to_vector(), values = eigh(a).values.to_vector();
  EXPECT_NEAR(sizes[0], 4, 1e-14);
  EXPECT_NEAR(sizes[1], 3, 1e-14);
  EXPECT_NEAR(values[0], -4, 1e-14);
  EXPECT_NEAR(values[1], 3, 1e-14);
  const Array<2, double> zero(Shape<2>(3, 2), 0.0);
  EXPECT_EQ(svd(zero).s.to_vector(), (std::vector<double>{0, 0}));
}

TEST(Decompositions, LargeNumbersDoNotOverflow) {
  const Array<2, double> a(std::vector<double>{3e200, 0, 0, 4e200}, Shape<2>(2, 2));
  EXPECT_NEAR(svd(a).s.to_vector()[0] / 4e200, 1, 1e-14);
}

TEST(Decompositions, ComplexSystems) {
  const Array<3, Complex> a = complex_matrices({3, 6, 6}, 5), b = complex_matrices({3, 6, 2}, 9);
  EXPECT_LE(greatest(Array<3, Complex>(product(a, solve(a, b)) - b)), 1e-11);
  const Array<3, Complex> positive = product(a, adjoint(a));
  const Array<3, Complex> lower = cholesky(positive);
  EXPECT_LE(greatest(Array<3, Complex>(product(lower, adjoint(lower)) - positive)), 1e-12);
  const Array<2, Complex> i(std::vector<Complex>{{0, 1}, {0, 0}, {0, 0}, {0, 1}}, Shape<2>(2, 2));
  EXPECT_LE(std::abs(determinant(i).item() - Complex(-1, 0)), 1e-15);
}

TEST(Decompositions, WhatDoesNotFitIsRefused) {
  const Array<2, double> a(Shape<2>(3, 2), 1.0);
  const std::string text = message_of<ShapeError>([&] { (void)eigh(a); });
  EXPECT_NE(text.find("not square"), std::string::npos) << text;
}

}  // namespace
}  // namespace tutti::test
