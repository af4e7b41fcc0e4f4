// GMRES: matrices that are not symmetric, restarts, bad input, and differences of sparse matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/errors.hpp"
#include "tutti/tutti.hpp"

namespace tutti::test {
namespace {

// Convection and diffusion along a line: 2 on the diagonal, -1 - c before it, -1 + c after it.
template <class T>
Sparse<T> convection(int n, double c) {
  std::vector<int> row, column;
  std::vector<T> value;
  const auto add = [&](int i, int j, double x) {
    if (j < 0 || j >= n) return;
    row.push_back(i);
    column.push_back(j);
    value.push_back(static_cast<T>(x));
  };
  for (int i = 0; i < n; ++i) {
    add(i, i, 2);
    add(i, i - 1, -1 - c);
    add(i, i + 1, -1 + c);
  }
  return Sparse<T>::from_triplets(n, n, Array<1, int>(row), Array<1, int>(column),
                                  Array<1, T>(value));
}

TEST(Gmres, SolvesWhatIsNotSymmetric) {
  const auto a = convection<double>(80, 0.6);
  const Array<1, double> wanted = sin(linspace<double>(0, 3, 80)), b = a * wanted;
  const Iterated<double> found = gmres(a, b, 1e-12, 200, 80);
  EXPECT_TRUE(found.converged);
  EXPECT_LE(found.iterations, 80);
  EXPECT_LE(found.residual, 1e-12);
  EXPECT_LE(double(max_val(abs(found.x - wanted))), 1e-9);
  EXPECT_LE(double(norm(Array<1, double>(b - a * found.x))) / double(norm(b)), 1.001e-12);
}

// Each number of directions used to have kernels of its own: 80 of them took seconds to compile.
TEST(Gmres, ManyDirectionsShareKernels) {
  clear_kernel_cache();
  const auto a = convection<double>(79, 0.6);
  const Array<1, double> b = a * sin(linspace<double>(0, 3, 79));
  const auto kernels = [] {
    const Statistics s = statistics();
    return s.kernels_compiled + s.kernels_from_disk;
  };
  const int64_t before = kernels();
  const Iterated<double> found = gmres(a, b, 1e-12, 200, 79);
  EXPECT_GT(found.iterations, 60);
  EXPECT_LT(kernels() - before, 2 * found.iterations);
}

// As many directions as are filled up to have no vectors of zeros among them.
TEST(Gmres, FilledUp) {
  std::vector<size_t> counts;
  for (size_t count = 1; count < 100; ++count) {
    const size_t filled = detail::filled_up(count);
    EXPECT_GE(filled, count);
    EXPECT_LT(4 * (filled - count), count);
    if (counts.empty() || counts.back() != filled) counts.push_back(filled);
  }
  EXPECT_EQ(counts, (std::vector<size_t>{1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14, 16,
                                         20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112}));
}

TEST(Gmres, RestartsAndStops) {
  const auto a = convection<float>(60, 0.9);
  const Array<1, float> b({60}, 1.0f);
  const Iterated<float> found = gmres(a, b, 1e-4f, 5000, 10);
  EXPECT_TRUE(found.converged);
  EXPECT_GT(found.iterations, 10);
  const Iterated<float> few = gmres(a, b, 1e-6f, 7, 10);
  EXPECT_FALSE(few.converged);
  EXPECT_EQ(few.iterations, 7);
  const Iterated<float> none = gmres(a, b, 1e-6f, 0, 10);
  EXPECT_FALSE(none.converged);
  EXPECT_EQ(float(sum(abs(none.x))), 0.0f);
}

template <class T>
void check_complex(double tolerance) {
  using C = std::complex<T>;
  const int n = 10;
  const Sparse<T> real = convection<T>(n, 0.6);
  const Sparse<C> a = Sparse<C>::from_rows(n, n, real.offsets(), real.indices(),
                                           Array<1, C>(real.values()) * C(1, T(0.5)));
  const Array<1, T> wave = sin(linspace<T>(0, 3, n));
  const Array<1, C> wanted(wave, wave * wave), b = a * wanted;
  for (const int restart : {10, 6}) {
    const Iterated<C> found = gmres(a, b, static_cast<T>(tolerance), 5000, restart);
    EXPECT_TRUE(found.converged);
    EXPECT_LE(double(max_val(abs(found.x - wanted))), 1e4 * tolerance);
    EXPECT_LE(double(sqrt(sum(norm(b - a * found.x)))) / double(sqrt(sum(norm(b)))),
              1.1 * tolerance);
  }
  EXPECT_TRUE(gmres(a, b * T(0)).converged);
  EXPECT_FALSE(gmres(a * C(0), b).converged);
  EXPECT_FALSE(gmres(a, b * std::numeric_limits<T>::quiet_NaN()).converged);
}

TEST(Gmres, SolvesComplexSystems) {
  check_complex<double>(1e-10);
  check_complex<float>(1e-4);
}

// The identity is solved by its first direction: the second one would be zero.
TEST(Gmres, EndsWhereTheDirectionsEnd) {
  const auto identity = [](const Array<1, double>& v) -> Array<1, double> { return v; };
  const Array<1, double> b(std::vector<double>{3, 1, 4});
  const Iterated<double> found = gmres(identity, b, 1e-14, 100);
  EXPECT_TRUE(found.converged);
  EXPECT_EQ(found.iterations, 1);
  EXPECT_LE(double(max_val(abs(found.x - b))), 1e-14);
}

TEST(Gmres, BadInput) {
  const auto a = convection<double>(5, 0.1);
  EXPECT_NE(message_of([&] { gmres(a, Array<1, double>(4)); }).find("5 by 5"), std::string::npos);
  const Array<1, double> b({5}, 1.0);
  EXPECT_THROW(gmres(a, b, 1e-6, 100, 0), ShapeError);
  EXPECT_THROW(gmres(a, b, 1e-6, -1, 3), ShapeError);
  const Iterated<double> zero = gmres(a, Array<1, double>(5));
  EXPECT_TRUE(zero.converged);
  EXPECT_EQ(zero.iterations, 0);
  EXPECT_TRUE(
      gmres(Sparse<double>::from_dense(Array<2, double>(0, 0)), Array<1, double>(0)).converged);
  const Iterated<double> nan = gmres(a, Array<1, double>({5}, NAN));
  EXPECT_FALSE(nan.converged);
  // Neither the zero matrix nor a projection reaches these right sides.
  EXPECT_FALSE(gmres(a - a, b).converged);
  const auto projected = [](const Array<1, double>& v) -> Array<1, double> {
    return cond(index(v.shape(), 0) < 2, v, 0.0);
  };
  const Iterated<double> nearest = gmres(projected, b, 1e-9, 1000);
  EXPECT_FALSE(nearest.converged);
  EXPECT_LE(nearest.iterations, 10);
}

// Sums of squares of these right sides are 0, subnormal or infinite.
TEST(SparseMatrices, RightSidesOfAnyMagnitude) {
  const auto a =
      Sparse<double>::from_dense(Array<2, double>(std::vector<double>{4, 1, 1, 3}, 2, 2));
  const auto narrow =
      Sparse<float>::from_dense(Array<2, float>(std::vector<float>{4, 1, 1, 3}, 2, 2));
  const auto expect = [](const auto& found, double scale, double share) {
    EXPECT_TRUE(found.converged) << scale;
    const auto x = found.x.to_vector();
    EXPECT_NEAR(double(x[0]) / scale * 11, 1, share) << scale;
    EXPECT_NEAR(double(x[1]) / scale * 11, 7, share) << scale;
  };
  for (const double scale : {1.0, 1e-200, 1e200, 1e-305, 3e307}) {
    const Array<1, double> b(std::vector<double>{scale, 2 * scale});
    expect(conjugate_gradients(a, b, 1e-12), scale, 1e-9);
    expect(gmres(a, b, 1e-12), scale, 1e-9);
  }
  for (const float scale : {1.0f, 1e-25f, 1e25f, 1e-37f, 3e37f}) {
    const Array<1, float> b(std::vector<float>{scale, 2 * scale});
    expect(conjugate_gradients(narrow, b, 1e-5), double(scale), 1e-3);
    expect(gmres(narrow, b, 1e-5), double(scale), 1e-3);
  }
}

TEST(SparseMatrices, AreSubtracted) {
  const auto a = convection<double>(6, 0.3), b = convection<double>(6, -0.2);
  EXPECT_EQ((a - b).to_dense().to_vector(), (a.to_dense() - b.to_dense()).to_vector());
  EXPECT_EQ((-a).to_dense().to_vector(), (-a.to_dense()).to_vector());
  EXPECT_THROW(a - convection<double>(5, 0), ShapeError);
}

}  // namespace
}  // namespace tutti::test
