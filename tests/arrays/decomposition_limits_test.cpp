// Decompositions of matrices that are hard to decompose: without full rank, with extreme elements,
// with NaN, empty, of every shape. Factors are orthogonal, products reproduce the matrices, and the
// bits are those of the interpreter.
#include <tutti/create.hpp>
#include <tutti/decompositions.hpp>

#include <cmath>
#include <limits>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

template <class T, int D>
Array<D, T> random_matrices(const Shape<D>& shape, uint32_t seed) {
  std::vector<T> values;
  uint32_t state = seed;
  for (int64_t i = 0; i < shape.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    values.push_back(static_cast<T>(state >> 8) / T(8388608) - T(1));
  }
  return Array<D, T>(values, shape);
}

// The product in double, by plain loops: what is compared does not depend on matmul().
struct Plain {
  int64_t rows = 0, columns = 0;
  std::vector<double> values;
  double at(int64_t i, int64_t j) const { return values[static_cast<size_t>(i * columns + j)]; }
};
template <class T>
std::vector<Plain> plain(const Array<3, T>& a) {
  const auto all = a.to_vector();
  const int64_t m = a.shape()[1], n = a.shape()[2];
  std::vector<Plain> result;
  for (int64_t b = 0; b < a.shape()[0]; ++b)
    result.push_back({m, n, {all.begin() + b * m * n, all.begin() + (b + 1) * m * n}});
  return result;
}
Plain product(const Plain& a, const Plain& b) {
  Plain result{a.rows, b.columns, std::vector<double>(static_cast<size_t>(a.rows * b.columns))};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = 0; k < a.columns; ++k)
      for (int64_t j = 0; j < b.columns; ++j)
        result.values[static_cast<size_t>(i * b.columns + j)] += a.at(i, k) * b.at(k, j);
  return result;
}
Plain transposed(const Plain& a) {
  Plain result{a.columns, a.rows, {}};
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i) result.values.push_back(a.at(i, j));
  return result;
}
Plain diagonal_of(std::span<const double> values) {
  const auto n = static_cast<int64_t>(values.size());
  Plain result{n, n, std::vector<double>(values.size() * values.size())};
  for (int64_t i = 0; i < n; ++i)
    result.values[static_cast<size_t>(i * n + i)] = values[static_cast<size_t>(i)];
  return result;
}
void expect_near(const Plain& a, const Plain& b, double tolerance) {
  ASSERT_EQ(a.values.size(), b.values.size());
  for (size_t i = 0; i < a.values.size(); ++i)
    ASSERT_NEAR(a.values[i], b.values[i], tolerance) << "element " << i;
}
void expect_orthonormal(const Plain& q, double tolerance) {
  expect_near(product(transposed(q), q),
              diagonal_of(std::vector<double>(static_cast<size_t>(q.columns), 1.0)), tolerance);
}

template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-13;

template <class T>
std::vector<double> row(const Array<2, T>& a, int64_t b) {
  const auto all = a.to_vector();
  const int64_t n = a.shape()[1];
  return {all.begin() + b * n, all.begin() + (b + 1) * n};
}

template <class T>
void check_qr(const Array<3, T>& a, Factors factors) {
  const Qr<3, T> found = qr(a, factors);
  const auto as = plain(a), qs = plain(found.q), rs = plain(found.r);
  for (size_t b = 0; b < as.size(); ++b) {
    expect_orthonormal(qs[b], tolerance<T>);
    expect_near(product(qs[b], rs[b]), as[b], tolerance<T>);
    for (int64_t i = 0; i < rs[b].rows; ++i)
      for (int64_t j = 0; j < std::min(i, rs[b].columns); ++j) ASSERT_EQ(rs[b].at(i, j), 0);
  }
}

template <class T>
void check_svd(const Array<3, T>& a, Factors factors, double scale = 1) {
  const Svd<3, T> found = svd(a, factors);
  const int64_t m = a.shape()[1], n = a.shape()[2], least = std::min(m, n);
  ASSERT_EQ(found.u.shape(), (Shape<3>(a.shape()[0], m, factors == Factors::complete ? m : least)));
  ASSERT_EQ(found.vh.shape(),
            (Shape<3>(a.shape()[0], factors == Factors::complete ? n : least, n)));
  const auto as = plain(a), us = plain(found.u), vs = plain(found.vh);
  for (size_t b = 0; b < as.size(); ++b) {
    const std::vector<double> values = row(found.s, static_cast<int64_t>(b));
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_GE(values[i], 0);
      if (i > 0) {
        ASSERT_LE(values[i], values[i - 1]);
      }
    }
    expect_orthonormal(us[b], tolerance<T>);
    expect_orthonormal(transposed(vs[b]), tolerance<T>);
    Plain sigma{us[b].columns, vs[b].rows,
                std::vector<double>(
                    us[b].values.size() ? static_cast<size_t>(us[b].columns * vs[b].rows) : 0)};
    for (int64_t i = 0; i < least; ++i)
      sigma.values[static_cast<size_t>(i * sigma.columns + i)] = values[static_cast<size_t>(i)];
    expect_near(product(product(us[b], sigma), vs[b]), as[b], tolerance<T> * scale);
  }
}

template <class T>
void check_eigh(const Array<3, T>& a, double scale = 1) {
  const Eigh<3, T> found = eigh(a);
  const auto as = plain(a), vs = plain(found.vectors);
  for (size_t b = 0; b < as.size(); ++b) {
    const std::vector<double> values = row(found.values, static_cast<int64_t>(b));
    for (size_t i = 1; i < values.size(); ++i) ASSERT_GE(values[i], values[i - 1]);
    expect_orthonormal(vs[b], tolerance<T>);
    expect_near(product(product(vs[b], diagonal_of(values)), transposed(vs[b])), as[b],
                tolerance<T> * scale);
  }
}

template <class T>
Array<3, T> symmetric_matrices(int64_t batch, int64_t n, uint32_t seed) {
  const Array<3, T> a = random_matrices<T>(Shape<3>(batch, n, n), seed);
  return a + matrix_transpose(a);
}

template <class T>
class DecompositionLimits : public testing::Test {};
using Elements2 = testing::Types<float, double>;
TYPED_TEST_SUITE(DecompositionLimits, Elements2);

const Shape<3> shapes[] = {{1, 1, 1}, {2, 1, 3}, {2, 3, 1},   {3, 2, 2}, {2, 5, 5},
                           {2, 7, 4}, {2, 4, 7}, {1, 33, 20}, {4, 6, 9}, {1, 40, 40}};

TYPED_TEST(DecompositionLimits, QrReproducesItsMatrices) {
  uint32_t seed = 1;
  for (const Shape<3>& shape : shapes)
    for (Factors factors : {Factors::reduced, Factors::complete})
      check_qr(random_matrices<TypeParam>(shape, ++seed), factors);
  check_qr(Array<3, TypeParam>(1, 4, 3), Factors::complete);  // zeros
}

TYPED_TEST(DecompositionLimits, EigenvectorsDiagonalise) {
  for (int64_t n : {1, 2, 3, 4, 5, 8, 17, 40})
    check_eigh(symmetric_matrices<TypeParam>(n < 10 ? 3 : 1, n, static_cast<uint32_t>(n)),
               n < 20 ? 8 : 16);
  check_eigh(Array<3, TypeParam>(2, 4, 4));  // zeros
  // Equal eigenvalues.
  check_eigh(broadcast(eye<TypeParam>(5) * TypeParam(3), Shape<3>(2, 5, 5)));
  const Array<3, TypeParam> ones(Shape<3>(1, 6, 6), TypeParam(1));
  check_eigh(ones, 8);
  EXPECT_NEAR(double(eigh(ones).values.to_vector().back()), 6, 1e-5);
}

TYPED_TEST(DecompositionLimits, SingularValuesReproduceTheMatrices) {
  uint32_t seed = 100;
  for (const Shape<3>& shape : shapes)
    for (Factors factors : {Factors::reduced, Factors::complete})
      check_svd(random_matrices<TypeParam>(shape, ++seed), factors, 4);
}

TYPED_TEST(DecompositionLimits, MatricesWithoutFullRank) {
  using T = TypeParam;
  const Array<3, T> columns = random_matrices<T>(Shape<3>(2, 6, 2), 7);
  const Array<3, T> deficient = matmul(columns, random_matrices<T>(Shape<3>(2, 2, 5), 8));
  for (Factors factors : {Factors::reduced, Factors::complete}) {
    check_svd(deficient, factors, 4);
    check_svd(Array<3, T>(1, 4, 4), factors);
    check_svd(Array<3, T>(1, 3, 5), factors);
  }
  EXPECT_EQ(matrix_rank(deficient).to_vector(), (std::vector<int32_t>{2, 2}));
  EXPECT_EQ(matrix_rank(Array<3, T>(1, 3, 5)).to_vector(), std::vector<int32_t>{0});
  // The four equations of Moore and Penrose.
  const Array<3, T> inverse = pseudo_inverse(deficient);
  const auto as = plain(deficient), xs = plain(inverse);
  for (size_t b = 0; b < as.size(); ++b) {
    const Plain ax = product(as[b], xs[b]), xa = product(xs[b], as[b]);
    expect_near(product(ax, as[b]), as[b], 20 * tolerance<T>);
    expect_near(product(xa, xs[b]), xs[b], 200 * tolerance<T>);
    expect_near(ax, transposed(ax), 20 * tolerance<T>);
    expect_near(xa, transposed(xa), 20 * tolerance<T>);
  }
}

TYPED_TEST(DecompositionLimits, ExtremeElements) {
  using T = TypeParam;
  const T least = std::is_same_v<T, float> ? T(1e-30) : T(1e-300), large = 1 / least;
  for (const T scale : {least, large}) {
    const auto scaled = [&](const Array<3, T>& a) { return Array<3, T>(a * scale); };
    const Array<3, T> a = symmetric_matrices<T>(2, 5, 3),
                      b = random_matrices<T>(Shape<3>(2, 7, 4), 4);
    const auto compare = [&](const auto& got, const auto& want) {
      const auto x = got.to_vector(), y = want.to_vector();
      for (size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(double(x[i] / scale), double(y[i]), 20 * tolerance<T>);
    };
    compare(eigh(scaled(a)).values, eigh(a).values);
    compare(svd(scaled(b)).s, svd(b).s);
    compare(qr(scaled(b)).r, qr(b).r);
  }
}

// The squares of some columns are subnormal or 0 beside those of others.
TYPED_TEST(DecompositionLimits, ColumnsOfVeryUnlikeLength) {
  using T = TypeParam;
  const T least = std::is_same_v<T, float> ? T(1e-7) : T(1e-54);
  for (const int64_t n : {4, 7}) {
    const Array<3, T> power =
        pow(Array<3, T>(Shape<3>(1, n, n), least), cast<T>(index(Shape<3>(1, n, n), 2)));
    const Array<3, T> graded = random_matrices<T>(Shape<3>(1, n, n), 17) * power;
    const Array<3, T> diagonal = reshape(eye<T>(n), Shape<3>(1, n, n)) * power;
    for (const Array<3, T>& a : {graded, diagonal, Array<3, T>(matrix_transpose(graded))}) {
      check_qr(a, Factors::complete);
      check_svd(a, Factors::reduced, 4);
    }
  }
}

// A matrix with NaN or an infinity neither hangs nor spoils the others of its array.
TYPED_TEST(DecompositionLimits, MatricesThatAreNotFinite) {
  using T = TypeParam;
  const Array<3, T> good = symmetric_matrices<T>(1, 5, 9);
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    std::vector<T> both = good.to_vector();
    both.resize(50, bad);
    const Array<3, T> mixed(both, Shape<3>(2, 5, 5));
    const auto first = [](const auto& values, size_t n) {
      auto all = values.to_vector();
      all.resize(n);
      return all;
    };
    EXPECT_EQ(first(eigh(mixed).values, 5), eigh(good).values.to_vector());
    EXPECT_EQ(first(svd(mixed).s, 5), svd(good).s.to_vector());
    EXPECT_EQ(first(qr(mixed).r, 25), qr(good).r.to_vector());
    EXPECT_TRUE(std::isnan(eigh(mixed).values.to_vector().back()));
  }
}

TYPED_TEST(DecompositionLimits, TheBitsOfTheInterpreter) {
  using T = TypeParam;
  const Array<3, T> a = random_matrices<T>(Shape<3>(3, 6, 4), 21),
                    s = symmetric_matrices<T>(2, 5, 22);
  expect_same([&] { return qr(a).q; });
  expect_same([&] { return qr(a).r; });
  expect_same([&] { return eigh(s).vectors; });
  expect_same([&] { return svd(a).u; });
  expect_same([&] { return svd(a).vh; });
  expect_same([&] { return svd(matrix_transpose(a)).s; });
}

TYPED_TEST(DecompositionLimits, LeastSquares) {
  using T = TypeParam;
  // A line through points: 1 + 2 x, exactly.
  const Array<2, T> a(std::vector<T>{1, 0, 1, 1, 1, 2, 1, 3}, 4, 2);
  const Array<1, T> b(std::vector<T>{1, 3, 5, 7});
  const auto x = least_squares(a, b).to_vector();
  ASSERT_EQ(x.size(), 2u);
  EXPECT_NEAR(double(x[0]), 1, tolerance<T> * 10);
  EXPECT_NEAR(double(x[1]), 2, tolerance<T> * 10);
}

TYPED_TEST(DecompositionLimits, NoElements) {
  using T = TypeParam;
  EXPECT_EQ(qr(Array<2, T>(0, 3)).r.shape(), Shape<2>(0, 3));
  EXPECT_EQ(qr(Array<2, T>(3, 0), Factors::complete).q.shape(), Shape<2>(3, 3));
  EXPECT_EQ(eigh(Array<3, T>(0, 3, 3)).values.shape(), Shape<2>(0, 3));
  EXPECT_EQ(eigh(Array<2, T>(0, 0)).vectors.shape(), Shape<2>(0, 0));
  EXPECT_EQ(svd(Array<2, T>(0, 3)).s.shape(), Shape<1>(0));
  EXPECT_EQ(svd(Array<2, T>(0, 3), Factors::complete).vh.shape(), Shape<2>(3, 3));
  EXPECT_EQ(pseudo_inverse(Array<2, T>(0, 3)).shape(), Shape<2>(3, 0));
  EXPECT_EQ(matrix_rank(Array<3, T>(2, 0, 3)).to_vector(), (std::vector<int32_t>{0, 0}));
}

}  // namespace
}  // namespace tutti::test
