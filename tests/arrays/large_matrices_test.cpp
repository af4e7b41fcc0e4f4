// Matrices that LAPACK decomposes where it is installed: factors give the matrix back, results are
// near those of Tutti's own kernels, and matrices that cannot be decomposed leave what is
// documented.
#include <tutti/complex_matrices.hpp>
#include <tutti/create.hpp>
#include <tutti/decompositions.hpp>
#include <tutti/eigenvalues.hpp>

#include <cmath>
#include <limits>

#include "arrays/random_matrices.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

// A matrix by plain loops, in double: comparisons do not depend on what is tested.
using Wide = std::complex<double>;
struct Plain {
  int64_t rows = 0, columns = 0;
  std::vector<Wide> values;
  Wide& at(int64_t i, int64_t j) { return values[static_cast<size_t>(i * columns + j)]; }
  Wide at(int64_t i, int64_t j) const { return values[static_cast<size_t>(i * columns + j)]; }
};
template <class T>
std::vector<Plain> plain(const Array<3, T>& a) {
  const auto all = a.to_vector();
  const int64_t size = a.extent(1) * a.extent(2);
  std::vector<Plain> result;
  for (int64_t b = 0; b < a.extent(0); ++b)
    result.push_back(
        {a.extent(1), a.extent(2), {all.begin() + b * size, all.begin() + (b + 1) * size}});
  return result;
}
Plain product(const Plain& a, const Plain& b) {
  Plain result{a.rows, b.columns, std::vector<Wide>(static_cast<size_t>(a.rows * b.columns))};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = 0; k < a.columns; ++k)
      for (int64_t j = 0; j < b.columns; ++j) result.at(i, j) += a.at(i, k) * b.at(k, j);
  return result;
}
Plain adjoint(const Plain& a) {
  Plain result{a.columns, a.rows, std::vector<Wide>(a.values.size())};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) result.at(j, i) = std::conj(a.at(i, j));
  return result;
}
template <class Values>
Plain diagonal_matrix(int64_t rows, int64_t columns, const Values& values, int64_t first) {
  Plain result{rows, columns, std::vector<Wide>(static_cast<size_t>(rows * columns))};
  for (int64_t i = 0; i < std::min(rows, columns); ++i)
    result.at(i, i) = values[static_cast<size_t>(first + i)];
  return result;
}
void expect_near(const Plain& a, const Plain& b, double tolerance) {
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.columns, b.columns);
  for (size_t i = 0; i < a.values.size(); ++i)
    ASSERT_LE(std::abs(a.values[i] - b.values[i]), tolerance) << "element " << i;
}
void expect_orthonormal(const Plain& q, double tolerance) {
  expect_near(product(adjoint(q), q),
              diagonal_matrix(q.columns, q.columns,
                              std::vector<double>(static_cast<size_t>(q.columns), 1.0), 0),
              tolerance);
}

template <class T>
constexpr bool is_narrow = std::is_same_v<detail::real_part_t<T>, float>;
template <class T>
constexpr double tolerance = is_narrow<T> ? 3e-4 : 1e-12;

template <class T>
class LargeMatrices : public testing::Test {
 protected:
  static Array<3, T> adjoint_of(const Array<3, T>& a) {
    if constexpr (std::is_same_v<T, detail::real_part_t<T>>)
      return matrix_transpose(a);
    else
      return conjugate_transpose(a);
  }
};
TYPED_TEST_SUITE(LargeMatrices, MatrixElements);

const Shape<3> shapes[] = {{2, 50, 50}, {1, 70, 55}, {2, 48, 90}};

TYPED_TEST(LargeMatrices, FactorsGiveTheMatrixBack) {
  using T = TypeParam;
  uint64_t stream = 0;
  for (const Shape<3>& shape : shapes)
    for (const Factors factors : {Factors::reduced, Factors::complete}) {
      const Array<3, T> a = random_matrices<TypeParam>(shape, ++stream);
      const int64_t m = shape[1], n = shape[2], least = std::min(m, n);
      const bool whole = factors == Factors::complete;
      const auto as = plain(a);
      const Qr<3, T> found = qr(a, factors);
      const Svd<3, T> singular = svd(a, factors);
      ASSERT_EQ(found.q.shape(), Shape<3>(shape[0], m, whole ? m : least));
      ASSERT_EQ(found.r.shape(), Shape<3>(shape[0], whole ? m : least, n));
      ASSERT_EQ(singular.u.shape(), Shape<3>(shape[0], m, whole ? m : least));
      ASSERT_EQ(singular.vh.shape(), Shape<3>(shape[0], whole ? n : least, n));
      const auto qs = plain(found.q), rs = plain(found.r), us = plain(singular.u),
                 vs = plain(singular.vh);
      const auto sizes = singular.s.to_vector();
      for (size_t b = 0; b < as.size(); ++b) {
        expect_orthonormal(qs[b], tolerance<T>);
        expect_near(product(qs[b], rs[b]), as[b], tolerance<T>);
        for (int64_t i = 0; i < rs[b].rows; ++i)
          for (int64_t j = 0; j < std::min(i, n); ++j) ASSERT_EQ(rs[b].at(i, j), Wide(0));
        expect_orthonormal(us[b], tolerance<T>);
        expect_orthonormal(adjoint(vs[b]), tolerance<T>);
        const auto first = static_cast<int64_t>(b) * least;
        const Plain s = diagonal_matrix(us[b].columns, vs[b].rows, sizes, first);
        expect_near(product(product(us[b], s), vs[b]), as[b], tolerance<T>);
        for (int64_t i = 1; i < least; ++i)
          ASSERT_LE(sizes[static_cast<size_t>(first + i)],
                    sizes[static_cast<size_t>(first + i - 1)]);
      }
    }
}

TYPED_TEST(LargeMatrices, SystemsAndTriangles) {
  using T = TypeParam;
  const Array<3, T> a = random_matrices<TypeParam>({2, 60, 60}, 20),
                    b = random_matrices<TypeParam>({2, 60, 3}, 21);
  const Array<3, T> positive =
      matmul(a, this->adjoint_of(a)) +
      Array<3, T>(broadcast(eye<detail::real_part_t<T>>(60), Shape<3>(2, 60, 60)));
  const auto ps = plain(positive), bs = plain(b), xs = plain(solve(positive, b)),
             ls = plain(cholesky(positive)), is = plain(inverse(positive));
  const Plain one = diagonal_matrix(60, 60, std::vector<double>(60, 1.0), 0);
  for (size_t i = 0; i < ps.size(); ++i) {
    expect_near(product(ps[i], xs[i]), bs[i], 20 * tolerance<T>);
    expect_near(product(ps[i], is[i]), one, 20 * tolerance<T>);
    expect_near(product(ls[i], adjoint(ls[i])), ps[i], 20 * tolerance<T>);
    for (int64_t row = 0; row < 60; ++row)
      for (int64_t column = row + 1; column < 60; ++column)
        ASSERT_EQ(ls[i].at(row, column), Wide(0));
  }
  const Array<2, T> vectors = random_matrices<TypeParam>({1, 2, 60}, 22)[0];
  const Array<2, T> solved = solve(positive, vectors);
  ASSERT_EQ(solved.shape(), Shape<2>(2, 60));
}

TYPED_TEST(LargeMatrices, EigenvaluesOfHermitianMatrices) {
  using T = TypeParam;
  const Array<3, T> a = random_matrices<TypeParam>({2, 52, 52}, 30);
  const Array<3, T> s = a + this->adjoint_of(a);
  const Eigh<3, T> found = eigh(s);
  const auto ss = plain(s), vs = plain(found.vectors);
  const auto values = found.values.to_vector();
  for (size_t b = 0; b < ss.size(); ++b) {
    expect_orthonormal(vs[b], tolerance<T>);
    const auto first = static_cast<int64_t>(b) * 52;
    expect_near(product(ss[b], vs[b]), product(vs[b], diagonal_matrix(52, 52, values, first)),
                20 * tolerance<T>);
    for (int64_t i = 1; i < 52; ++i)
      ASSERT_GE(values[static_cast<size_t>(first + i)], values[static_cast<size_t>(first + i - 1)]);
  }
}

// Tutti's own kernels compute in this mode.
template <class F>
auto reproducible(F f) {
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  return f();
}

TYPED_TEST(LargeMatrices, AreNearThoseOfTheKernels) {
  using T = TypeParam;
  const Array<3, T> a = random_matrices<TypeParam>({1, 48, 48}, 40);
  // The greatest difference, relative to the greatest element.
  const auto compare = [&](const auto& f) {
    const auto x = f().to_vector(), y = reproducible([&] { return f().to_vector(); });
    ASSERT_EQ(x.size(), y.size());
    double most = 0, difference = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      most = std::max(most, std::abs(Wide(y[i])));
      difference = std::max(difference, std::abs(Wide(x[i]) - Wide(y[i])));
    }
    EXPECT_LE(difference, 10 * tolerance<T> * most);
  };
  compare([&] { return svd(a).s; });
  compare([&] { return determinant(Array<3, T>(a * detail::real_part_t<T>(0.5))); });
  compare([&] { return abs(qr(a).r); });  // rows of R may have another sign
  if constexpr (std::is_same_v<T, detail::real_part_t<T>>) {
    const Lu<3, T> factors = lu(a), own = reproducible([&] { return lu(a); });
    EXPECT_EQ(factors.permutation.to_vector(), own.permutation.to_vector());
    EXPECT_EQ(factors.sign.to_vector(), own.sign.to_vector());
    compare([&] { return lu(a).factors; });
  }
}

TYPED_TEST(LargeMatrices, TheBitsOfTheInterpreterIfReproducible) {
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  const Array<3, TypeParam> a = random_matrices<TypeParam>({1, 49, 49}, 50);
  expect_same([&] { return Array<3, TypeParam>(cholesky(matmul(a, this->adjoint_of(a)))); });
}

TYPED_TEST(LargeMatrices, ThatAreSingular) {
  using T = TypeParam;
  const auto finite = [](const auto& values) {
    return std::ranges::count_if(values, [](const auto& x) { return std::isfinite(std::abs(x)); });
  };
  const Array<3, T> zero(Shape<3>(1, 50, 50), T(0)), b = random_matrices<TypeParam>({1, 50, 2}, 60);
  EXPECT_EQ(determinant(zero).to_vector()[0], T(0));
  EXPECT_EQ(finite(solve(zero, b).to_vector()), 0);
  EXPECT_EQ(finite(inverse(zero).to_vector()), 0);
  // Positive definite up to row 30.
  std::vector<detail::real_part_t<T>> diagonal(50, 1);
  diagonal[30] = -1;
  std::vector<T> elements(50 * 50, T(0));
  for (size_t i = 0; i < 50; ++i) elements[i * 51] = diagonal[i];
  for (const bool own : {false, true}) {
    const WithSettings exact([&](Settings& s) { s.reproducible = own; });
    const auto lower = plain(cholesky(Array<3, T>(elements, Shape<3>(1, 50, 50))))[0];
    for (int64_t row = 0; row < 50; ++row)
      for (int64_t column = 0; column < 50; ++column) {
        const bool lost = column >= 30 && row >= column;
        ASSERT_EQ(std::isnan(std::abs(lower.at(row, column))), lost) << row << ' ' << column;
      }
  }
}

// A matrix with NaN or an infinity neither hangs nor spoils the others of its array.
TYPED_TEST(LargeMatrices, ThatAreNotFinite) {
  using T = TypeParam;
  using Real = detail::real_part_t<T>;
  const Array<3, T> a = random_matrices<TypeParam>({1, 50, 50}, 70);
  const Array<3, T> good = a + this->adjoint_of(a);
  for (const Real bad :
       {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    std::vector<T> both = good.to_vector();
    both.resize(5000, T(bad));
    const Array<3, T> mixed(both, Shape<3>(2, 50, 50));
    const auto check = [](const auto& got, const auto& want) {
      const auto all = got.to_vector(), alone = want.to_vector();
      for (size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(all[i], alone[i]);
      return std::isnan(std::abs(all.back()));
    };
    EXPECT_TRUE(check(eigh(mixed).values, eigh(good).values));
    EXPECT_TRUE(check(svd(mixed).s, svd(good).s));
    EXPECT_TRUE(check(qr(mixed).r, qr(good).r));
    EXPECT_TRUE(check(eig(mixed).values, eig(good).values));
    check(svd(mixed).vh, svd(good).vh);
    check(solve(mixed, mixed), solve(good, good));
    check(determinant(mixed), determinant(good));
  }
}

TYPED_TEST(LargeMatrices, OfExtremeSize) {
  using T = TypeParam;
  using Real = detail::real_part_t<T>;
  const Array<3, T> a = random_matrices<TypeParam>({1, 50, 50}, 80);
  const Array<3, T> s = a + this->adjoint_of(a);
  for (const Real scale :
       {is_narrow<T> ? Real(1e-30) : Real(1e-300), is_narrow<T> ? Real(1e30) : Real(1e300)}) {
    const auto x = svd(Array<3, T>(a * scale)).s.to_vector(), y = svd(a).s.to_vector();
    for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i] / scale, y[i], 10 * tolerance<T>);
    const auto v = eigh(Array<3, T>(s * scale)).values.to_vector(), w = eigh(s).values.to_vector();
    for (size_t i = 0; i < v.size(); ++i) ASSERT_NEAR(v[i] / scale, w[i], 10 * tolerance<T>);
  }
}

}  // namespace
}  // namespace tutti::test
