// Operations on complex arrays against std::complex: mixed operands, division near the ends of the
// range, comparisons, choices, reductions, products of matrices, memory of others, programs.
#include <gtest/gtest.h>
#include <tutti/tutti.hpp>

#include <cmath>
#include <complex>
#include <random>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using Single = std::complex<float>;
using Complex = std::complex<double>;

std::vector<Complex> random_numbers(size_t count, uint32_t seed, double range = 2) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> part(-range, range);
  std::vector<Complex> result(count);
  for (Complex& z : result) z = {part(generator), part(generator)};
  return result;
}

void expect_near(const std::vector<Complex>& found, const std::vector<Complex>& wanted,
                 double relative) {
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_LE(std::abs(found[i] - wanted[i]), relative * std::abs(wanted[i]) + 1e-300)
        << "element " << i << ": " << found[i] << ", not " << wanted[i];
}

TEST(ComplexOperations, MixWithRealOperands) {
  const std::vector<Complex> z = random_numbers(20, 1), w = random_numbers(20, 2);
  std::vector<double> x;
  for (const Complex& number : w) x.push_back(number.real());
  const Array<1, Complex> a(z), b(w);
  const Array<1, double> r(x);
  const Complex c(0.5, -3);
  std::vector<Complex> wanted(z.size());
  const auto check = [&](const Array<1, Complex>& found, auto exact) {
    for (size_t i = 0; i < z.size(); ++i) wanted[i] = exact(i);
    expect_near(found.to_vector(), wanted, 1e-14);
  };
  check(a + r, [&](size_t i) { return z[i] + x[i]; });
  check(r - a, [&](size_t i) { return x[i] - z[i]; });
  check(r * c, [&](size_t i) { return x[i] * c; });
  check(c - r, [&](size_t i) { return c - x[i]; });
  check(c / a, [&](size_t i) { return c / z[i]; });
  check(2 / a, [&](size_t i) { return 2.0 / z[i]; });
  check(a / r, [&](size_t i) { return z[i] / x[i]; });
  check(a / b, [&](size_t i) { return z[i] / w[i]; });
  check(pow(a, 3), [&](size_t i) { return z[i] * z[i] * z[i]; });
  check(pow(a, -2), [&](size_t i) { return 1.0 / (z[i] * z[i]); });
  check(pow(a, c), [&](size_t i) { return std::pow(z[i], c); });
  check(pow(a, 0.5), [&](size_t i) { return std::sqrt(z[i]); });
  check(pow(2.0, a), [&](size_t i) { return std::pow(2.0, z[i]); });
  check(polar(r, 0.25), [&](size_t i) { return x[i] * std::polar(1.0, 0.25); });
  check(polar(2.0, r), [&](size_t i) { return std::polar(2.0, x[i]); });
  check(sign(a), [&](size_t i) { return z[i] / std::abs(z[i]); });
  static_assert(std::is_same_v<decltype(Array<1, int>(3) * Single(1, 2)), Array<1, Single>>);
  static_assert(std::is_same_v<decltype(Array<1, float>(3) * c), Array<1, Single>>);
}

// A real operand has no imaginary part, so infinities and the signs of zeros are kept.
TEST(ComplexOperations, RealOperandsStayReal) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Array<1, Complex> a(std::vector<Complex>{{infinity, 1}, {1, -0.0}});
  const std::vector<Complex> scaled = (a * 2.0).to_vector(), more = (a + 1.0).to_vector();
  EXPECT_EQ(scaled[0], Complex(infinity, 2));
  EXPECT_TRUE(std::signbit(more[1].imag()));
  EXPECT_EQ((a / 2.0).to_vector()[0], Complex(infinity, 0.5));
}

TEST(ComplexOperations, BroadcastParts) {
  const Array<1, Complex> row(random_numbers(3, 4));
  const Array<2, double> grid({2, 3}, 1.5);
  const Array<2, Complex> sums = row + grid;
  EXPECT_EQ(sums.shape(), Shape<2>(2, 3));
  EXPECT_EQ(sums.to_vector()[4], row.to_vector()[1] + 1.5);
  EXPECT_EQ((grid - row).imag().shape(), Shape<2>(2, 3));
  const Array<2, Complex> column(random_numbers(2, 5), 2, 1);
  EXPECT_EQ((column + grid).imag().shape(), Shape<2>(2, 3));
  EXPECT_THROW((row + Array<1, double>(4)), ShapeError);
}

// The squares of these divisors overflow or vanish.
template <class T>
void divide_extremes(T large, T small) {
  using Z = std::complex<T>;
  const std::vector<Z> p = {
      {large, large}, {large, -large}, {small, small}, {1, 2}, {large, small}};
  const std::vector<Z> q = {
      {large, large}, {large / 2, 1}, {small, -small}, {large, 0}, {0, large}};
  const std::vector<Z> found = (Array<1, Z>(p) / Array<1, Z>(q)).to_vector();
  for (size_t i = 0; i < p.size(); ++i) {
    const Z exact(std::complex<long double>(p[i]) / std::complex<long double>(q[i]));
    EXPECT_LE(std::abs(found[i] - exact), 8 * std::numeric_limits<T>::epsilon() * std::abs(exact))
        << p[i] << " / " << q[i] << " gives " << found[i];
  }
  EXPECT_TRUE(std::isfinite(abs(Array<1, Z>(p)).to_vector()[0]));
}
TEST(ComplexOperations, DivideWithoutOverflow) {
  divide_extremes<double>(1e300, 1e-300);
  divide_extremes<float>(1e37f, 1e-36f);
}

TEST(ComplexOperations, CompareAndChoose) {
  const std::vector<Complex> z{{1, 0}, {1, 2}, {0, 0}};
  const Array<1, Complex> a(z);
  const auto flags = [](const Array<1, bool>& f) {
    const std::vector<bool> found = f.to_vector();
    return std::vector<int>(found.begin(), found.end());
  };
  EXPECT_EQ(flags(a == Complex(1, 2)), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(flags(1.0 == a), (std::vector<int>{1, 0, 0}));
  EXPECT_EQ(flags(a != Array<1, double>(std::vector<double>{1, 1, 1})),
            (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(flags(Array<1, double>(3) == Complex(0, 0)), (std::vector<int>{1, 1, 1}));
  const Array<1, bool> mask(std::vector<bool>{true, false, true});
  EXPECT_EQ(cond(mask, a, Complex(0, 9)).to_vector(),
            (std::vector<Complex>{{1, 0}, {0, 9}, {0, 0}}));
  EXPECT_EQ(cond(mask, 7.0, a).to_vector(), (std::vector<Complex>{{7, 0}, {1, 2}, {7, 0}}));
  EXPECT_EQ(cond(mask, Complex(1, 1), Complex(2, 2)).to_vector()[1], Complex(2, 2));
  EXPECT_EQ(select(real(a), a, -a).to_vector()[1], Complex(1, 2));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(flags(is_nan(Array<1, Complex>(std::vector<Complex>{{1, nan}, {1, 1}}))),
            (std::vector<int>{1, 0}));
}

TEST(ComplexOperations, Reduce) {
  const std::vector<Complex> z = random_numbers(1000, 7, 1.1);
  const Array<2, Complex> a(z, 10, 100);
  Complex total = 0, product = 1;
  for (const Complex& number : z) total += number;
  std::vector<Complex> rows(10, 1);
  for (size_t i = 0; i < z.size(); ++i) rows[i / 100] *= z[i];
  for (const Complex& row : rows) product *= row;
  EXPECT_LE(std::abs(mean(a).item() - total / 1000.0), 1e-14);
  expect_near(tutti::product(a, 1).to_vector(), rows, 1e-12);
  expect_near({tutti::product(a).item()}, {product}, 1e-11);
  expect_near({tutti::product(a, {0, 1}).item()}, {product}, 1e-11);
  EXPECT_EQ(mean(a, 0).shape(), Shape<1>(100));
  EXPECT_EQ(tutti::product(Array<2, Complex>(0, 3), 0).to_vector(), std::vector<Complex>(3, 1));
  EXPECT_EQ(tutti::product(Array<1, Complex>()).item(), Complex(1, 0));
  const Array<1, Complex> line(std::vector<Complex>{{1, 1}, {2, 2}, {3, 3}});
  EXPECT_EQ(sum_scan(line).to_vector()[2], Complex(6, 6));
  const Array<1, int> offsets(std::vector<int>{0, 2, 3});
  EXPECT_EQ(segmented_sum(line, offsets).to_vector()[0], Complex(3, 3));
}

TEST(ComplexOperations, MultiplyMatrices) {
  const std::vector<Complex> p = random_numbers(6, 8), q = random_numbers(6, 9);
  const Array<2, Complex> a(p, 2, 3), b(q, 3, 2);
  std::vector<Complex> wanted(4);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 2; ++j)
      for (size_t k = 0; k < 3; ++k) wanted[2 * i + j] += p[3 * i + k] * q[2 * k + j];
  expect_near(inner_product(a, b).to_vector(), wanted, 1e-13);
  expect_near(matmul(a, b).to_vector(), wanted, 1e-13);
  expect_near(einsum<2>("ij,jk->ik", a, b).to_vector(), wanted, 1e-13);
  EXPECT_LE(std::abs(trace(matmul(a, b)).item() - (wanted[0] + wanted[3])), 1e-13);
  const Array<1, Complex> x(random_numbers(3, 10));
  const Complex square = inner_product(conj(x), x);
  EXPECT_NEAR(square.real(), double(sum(norm(x))), 1e-13);
  EXPECT_NEAR(square.imag(), 0, 1e-13);
  const std::vector<Complex> outer = outer_product(x, x).to_vector(), elements = x.to_vector();
  EXPECT_LE(std::abs(outer[5] - elements[1] * elements[2]), 1e-14);
  EXPECT_EQ(conjugate_transpose(a).to_vector()[1], std::conj(p[3]));
  const Array<2, Complex> m = matmul(conjugate_transpose(a), a) + Array<2, Complex>(eye<double>(3));
  const std::vector<Complex> back = matmul(m, solve(m, x)).to_vector();
  expect_near(back, elements, 1e-12);
  const std::vector<Complex> one = matmul(m, inverse(m)).to_vector();
  EXPECT_LE(std::abs(one[0] - 1.0) + std::abs(one[1]), 1e-12);
  EXPECT_THROW(matmul(a, a), ShapeError);
}

TEST(ComplexOperations, ReadMemoryOfOthers) {
  std::vector<Single> memory{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  EXPECT_EQ((Array<1, Single>::view(memory) * Single(0, 1)).to_vector()[1], Single(-4, 3));
  const auto turned = Array<2, Single>::view(memory.data(), Shape<2>(2, 2), Shape<2>(1, 2));
  EXPECT_EQ(turned.to_vector(), (std::vector<Single>{{1, 2}, {5, 6}, {3, 4}, {7, 8}}));
  const auto kept = Array<1, Single>::view(std::vector<Single>{{9, 1}});
  EXPECT_EQ(kept.to_vector()[0], Single(9, 1));
  EXPECT_EQ((Array<1, Single>(memory.data(), Shape<1>(4)).to_vector()), memory);
  EXPECT_EQ((Array<1, Single>(std::span<const Single>(memory)).to_vector()), memory);
  EXPECT_THROW((Array<1, Single>(memory, 5)), ShapeError);
}

TEST(ComplexOperations, PartsAreAssignedTo) {
  Array<2, Single> m(Shape<2>(3, 3), Single(1, 1));
  m[0] = Single(5, 6);
  m(whole, 2) = 7.0f;
  m(1, range(0, 2)) *= Single(0, 1);
  EXPECT_EQ(m.to_vector(),
            (std::vector<Single>{{5, 6}, {5, 6}, 7, {-1, 1}, {-1, 1}, 7, {1, 1}, {1, 1}, 7}));
  Array<1, Single> line = m[0];
  const Array<1, int> at(std::vector<int>{2, 0});
  EXPECT_EQ(line[at].to_vector()[1], Single(5, 6));
  line[at] = Single(0, 2);
  EXPECT_EQ(line.to_vector(), (std::vector<Single>{{0, 2}, {5, 6}, {0, 2}}));
  EXPECT_EQ(pad(line, {{1, 0}}, Single(3, 4)).to_vector()[0], Single(3, 4));
  Array<1, Complex> z(std::vector<Complex>{1, 2, 3, 4, 5, 6});
  z(range(0, 3)) += z(range(3, 6));
  z(from(4)) *= Array<1, Complex>({2}, Complex(0, 1));
  EXPECT_EQ(z.to_vector(), (std::vector<Complex>{5, 7, 9, 4, {0, 5}, {0, 6}}));
  Array<2, Complex> square({2, 2}, Complex(1, 1));
  square[0] -= square[1];
  EXPECT_EQ(square.to_vector(), (std::vector<Complex>{0, 0, {1, 1}, {1, 1}}));
}

// A constant that is a real number has no imaginary part.
TEST(ComplexOperations, HaveBoundaries) {
  Array<1, Single> line(std::vector<Single>{{1, 2}, {3, 4}});
  const Boundary five = Boundary::constant(5), both = Boundary::constant(Value2f(5, 6));
  EXPECT_EQ(shift(line, {1}, five).to_vector(), (std::vector<Single>{{5, 0}, {1, 2}}));
  EXPECT_EQ(shift(line, {1}, both).to_vector(), (std::vector<Single>{{5, 6}, {1, 2}}));
  EXPECT_EQ(rotate(line, {1}).to_vector(), (std::vector<Single>{{3, 4}, {1, 2}}));
  EXPECT_EQ(expand(line, {{1, 0}}, five).to_vector()[0], Single(5, 0));
  const Array<1, int> at(std::vector<int>{7, 0});
  EXPECT_EQ(gather(line, five, at).to_vector(), (std::vector<Single>{{5, 0}, {1, 2}}));
  EXPECT_EQ(gather(line, at).to_vector()[0], Single(3, 4));
  line.boundary(five);
  EXPECT_EQ(line[at].to_vector(), (std::vector<Single>{{5, 0}, {1, 2}}));
  const Array<2, Single> square(Shape<2>(2, 2), Single(1, 1));
  EXPECT_EQ(gather(square, five, at, at).to_vector()[0], Single(5, 0));
}

// A program reads elements as std::complex<Value1f>, and sees the array that the variable has when
// it runs.
TEST(ComplexOperations, ProgramsReadElements) {
  Array<1, Single> table(std::vector<Single>{{1, 2}, {3, -1}});
  const Program squared = program([&](Value1i i) {
    const std::complex<Value1f> z = table[i];
    const std::complex<Value1f> square = z * z;
    return Value2f(square.real(), square.imag());
  });
  const Array<1, int> at(std::vector<int>{1, 0});
  const Array<1, Value2f> found = squared(at);
  EXPECT_EQ((Array<1, Single>(found).to_vector()), (std::vector<Single>{{8, -6}, {-3, 4}}));
  table = Array<1, Single>(std::vector<Single>{{0, 1}, {0, 2}});
  const Array<1, Value2f> again = squared(at);
  EXPECT_EQ((Array<1, Single>(again).to_vector()), (std::vector<Single>{{-4, 0}, {-1, 0}}));
}

TEST(ComplexOperations, HaveTheBitsOfTheInterpreter) {
  std::vector<Single> p, q;
  for (const Complex& z : random_numbers(700, 11)) p.emplace_back(z);
  for (const Complex& z : random_numbers(700, 12, 1e18)) q.emplace_back(z);
  const Array<1, Single> a(p), b(q);
  expect_same([&] { return (a / b).real() + pow(a, 5).imag(); });
  expect_same([&] { return product(Array<1, Single>(a * 0.9f)).imag(); });
  expect_same([&] { return cond(a == b, a, 2.0f / a).real() * abs(b); });
}

TEST(ComplexOperations, AreTransformedOfRealNumbers) {
  const Array<1, double> wave(std::vector<double>{1, 2, 3, 4, 5});
  expect_near(fft(wave).to_vector(), fft(Array<1, Complex>(wave)).to_vector(), 1e-15);
}

}  // namespace
}  // namespace tutti::test
