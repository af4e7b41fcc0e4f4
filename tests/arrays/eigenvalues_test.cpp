// Eigenvalues of any square matrices, by LAPACK where it is installed and on the host: a v equals
// value v, known matrices have known values, and hard ones neither hang nor overflow.
#include <tutti/create.hpp>
#include <tutti/eigenvalues.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "arrays/random_matrices.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

using Complex = std::complex<double>;

template <class T>
constexpr double tolerance = std::is_same_v<detail::real_part_t<T>, float> ? 3e-5 : 1e-11;

// Checks a v = value v for all pairs, that vectors have length 1, and that the pairs of real
// matrices are conjugate.
template <class T>
void check(const Array<3, T>& a, double scale = 1) {
  const Eig<3, T> found = eig(a);
  const auto as = a.to_vector();
  const auto values = found.values.to_vector(), vectors = found.vectors.to_vector();
  EXPECT_EQ(eigenvalues(a).size(), found.values.size());
  const auto n = static_cast<size_t>(a.extent(1)), count = static_cast<size_t>(a.extent(0));
  for (size_t b = 0; b < count; ++b)
    for (size_t k = 0; k < n; ++k) {
      const auto vector = [&](size_t i, size_t which) {
        return Complex(vectors[b * n * n + i * n + which]);
      };
      const Complex value(values[b * n + k]);
      double squares = 0;
      for (size_t i = 0; i < n; ++i) {
        Complex sum = 0;
        for (size_t j = 0; j < n; ++j) sum += Complex(as[b * n * n + i * n + j]) * vector(j, k);
        ASSERT_LE(std::abs(sum - value * vector(i, k)),
                  scale * tolerance<T> * static_cast<double>(n))
            << "matrix " << b << " of " << n << " rows, value " << k << ", row " << i;
        squares += std::norm(vector(i, k));
      }
      ASSERT_NEAR(squares, 1, 1e-5);
      if constexpr (std::is_same_v<T, detail::real_part_t<T>>) {
        if (value.imag() == 0) {
          for (size_t i = 0; i < n; ++i) ASSERT_EQ(vector(i, k).imag(), 0);
        } else if (value.imag() > 0) {
          ASSERT_LT(k + 1, n);
          ASSERT_EQ(Complex(values[b * n + k + 1]), std::conj(value));
          for (size_t i = 0; i < n; ++i) ASSERT_EQ(vector(i, k + 1), std::conj(vector(i, k)));
        }
      }
    }
}

template <class T>
class Eigenvalues : public testing::Test {};
TYPED_TEST_SUITE(Eigenvalues, MatrixElements);

TYPED_TEST(Eigenvalues, OfRandomMatrices) {
  for (const bool own : {false, true}) {
    const WithSettings exact([&](Settings& s) { s.reproducible = own; });
    uint64_t stream = 0;
    for (const int64_t n : {1, 2, 3, 4, 5, 7, 12, 31, 60})
      check(random_matrices<TypeParam>({n < 10 ? 20 : 3, n, n}, ++stream));
  }
}

// Sparse matrices and those of whole numbers have values that are equal, zero, or of one size.
TYPED_TEST(Eigenvalues, OfMatricesOfWholeNumbers) {
  for (uint64_t stream = 100; stream < 130; ++stream) {
    const auto n = static_cast<int64_t>(stream % 9 + 1);
    auto numbers = random_matrices<TypeParam>({4, n, n}, stream).to_vector();
    for (auto& x : numbers)
      x = TypeParam(
          std::trunc(std::real(x) * static_cast<detail::real_part_t<TypeParam>>(1 + stream % 3)));
    // Vectors of values that are equal are ill-conditioned, but their equation holds.
    check(Array<3, TypeParam>(numbers, Shape<3>(4, n, n)), 10);
  }
}

std::vector<Complex> sorted(std::vector<Complex> values) {
  std::ranges::sort(values, [](Complex a, Complex b) {
    const bool same = std::abs(a.real() - b.real()) < 1e-6;
    return same ? a.imag() < b.imag() : a.real() < b.real();
  });
  return values;
}
void expect_values_of(const Array<2, double>& a, std::vector<Complex> want, double limit = 1e-12) {
  want = sorted(want);
  for (const bool own : {false, true}) {
    const WithSettings exact([&](Settings& s) { s.reproducible = own; });
    const auto found = sorted(eigenvalues(a).to_vector());
    ASSERT_EQ(found.size(), want.size());
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_LE(std::abs(found[i] - want[i]), limit) << "value " << i;
  }
}

TEST(Eigenvalues, OfKnownMatrices) {
  expect_values_of(Array<2, double>(std::vector<double>{0, -1, 1, 0}, 2, 2), {{0, 1}, {0, -1}});
  expect_values_of(Array<2, double>(std::vector<double>{4, 1, 2, 3}, 2, 2), {2, 5});
  expect_values_of(eye<double>(5), std::vector<Complex>(5, 1.0));
  expect_values_of(Array<2, double>(Shape<2>(4, 4), 0.0), std::vector<Complex>(4, 0.0));
  // A rotation of the axes: the roots of unity.
  std::vector<double> turn(36, 0.0);
  std::vector<Complex> roots;
  for (size_t i = 0; i < 6; ++i) {
    turn[i * 6 + (i + 1) % 6] = 1;
    roots.push_back(std::polar(1.0, static_cast<double>(i) * std::acos(-1.0) / 3));
  }
  expect_values_of(Array<2, double>(turn, 6, 6), roots);
  // The companion matrix of (x - 1) (x - 2) (x - 3) (x - 4).
  expect_values_of(
      Array<2, double>(std::vector<double>{10, -35, 50, -24, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, 4,
                       4),
      {1, 2, 3, 4}, 1e-11);
  // One vector for a value that is there three times, and elements of very different size.
  expect_values_of(Array<2, double>(std::vector<double>{2, 1, 0, 0, 2, 1, 0, 0, 2}, 3, 3),
                   {2, 2, 2});
  expect_values_of(
      Array<2, double>(std::vector<double>{1, 1e12, 0, 1e-12, 2, 1e12, 0, 1e-12, 1}, 3, 3),
      {0, 1, 3}, 1e-12);
}

TYPED_TEST(Eigenvalues, OfExtremeSize) {
  using Real = detail::real_part_t<TypeParam>;
  const Array<3, TypeParam> a = random_matrices<TypeParam>({1, 6, 6}, 200);
  const auto want = eigenvalues(a).to_vector();
  const bool narrow = std::is_same_v<Real, float>;
  for (const Real scale :
       {narrow ? Real(0x1p-100) : Real(0x1p-1000), narrow ? Real(0x1p+100) : Real(0x1p+1000)}) {
    const auto found = eigenvalues(Array<3, TypeParam>(a * scale)).to_vector();
    for (size_t i = 0; i < want.size(); ++i)
      EXPECT_EQ(found[i] / scale, want[i]);  // powers of two change nothing
  }
}

TYPED_TEST(Eigenvalues, OfMatricesThatAreNotFinite) {
  using Real = detail::real_part_t<TypeParam>;
  for (const int64_t n : {3, 50})
    for (const Real bad :
         {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
      const Array<3, TypeParam> good = random_matrices<TypeParam>({1, n, n}, 300);
      auto both = good.to_vector();
      both.resize(2 * both.size(), TypeParam(1));
      both.back() = TypeParam(bad);
      const auto found = eigenvalues(Array<3, TypeParam>(both, Shape<3>(2, n, n))).to_vector();
      const auto want = eigenvalues(good).to_vector();
      for (size_t i = 0; i < want.size(); ++i) EXPECT_EQ(found[i], want[i]);
      EXPECT_TRUE(std::isnan(found.back().real()));
    }
}

TEST(Eigenvalues, OfNoElements) {
  EXPECT_EQ(eig(Array<2, double>(0, 0)).vectors.shape(), Shape<2>(0, 0));
  EXPECT_EQ(eig(Array<3, float>(0, 3, 3)).values.shape(), Shape<2>(0, 3));
  EXPECT_EQ(eigenvalues(Array<3, Complex>(2, 0, 0)).shape(), Shape<2>(2, 0));
}

TEST(Eigenvalues, WhatDoesNotFitIsRefused) {
  EXPECT_NE(message_of<ShapeError>([] { (void)eig(Array<2, double>(3, 2)); }).find("not square"),
            std::string::npos);
  EXPECT_THROW((void)eigenvalues(Array<3, Complex>(1, 2, 3)), ShapeError);
}

}  // namespace
}  // namespace tutti::test
