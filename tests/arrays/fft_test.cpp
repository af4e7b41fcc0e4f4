// Complex arrays and Fourier transforms, against sums by definition in double precision.
#include <tutti/concat.hpp>
#include <tutti/fft.hpp>

#include <cmath>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> waves(int64_t n, uint32_t seed) {
  std::vector<Complex> result;
  uint32_t state = seed;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 8) / 8388608.0 - 1.0;
  };
  for (int64_t i = 0; i < n; ++i) {
    const double re = next();
    result.emplace_back(re, next());
  }
  return result;
}

// The transform of each line of n elements, by definition.
std::vector<Complex> by_definition(const std::vector<Complex>& a, int64_t n, int sign = -1) {
  std::vector<Complex> circle;
  for (int64_t k = 0; k < n; ++k) {
    const double angle = sign * 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
    circle.emplace_back(std::cos(angle), std::sin(angle));
  }
  std::vector<Complex> result(a.size());
  for (size_t line = 0; line < a.size(); line += static_cast<size_t>(n))
    for (int64_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (int64_t j = 0; j < n; ++j)
        sum += a[line + static_cast<size_t>(j)] * circle[static_cast<size_t>(j * k % n)];
      result[line + static_cast<size_t>(k)] = sum;
    }
  return result;
}

template <class T>
void expect_near(const std::vector<std::complex<T>>& got, const std::vector<Complex>& want,
                 double tolerance, int64_t n) {
  ASSERT_EQ(got.size(), want.size());
  double worst = 0, greatest = 1e-300;
  for (size_t i = 0; i < got.size(); ++i) {
    worst = std::max(worst, std::abs(Complex(got[i]) - want[i]));
    greatest = std::max(greatest, std::abs(want[i]));
  }
  EXPECT_LE(worst / greatest, tolerance) << "length " << n;
}

const int64_t lengths[] = {1,  2,  3,  4,  5,  6,  7,   8,   9,   10,  11,  12,  13,   15,
                           16, 17, 30, 31, 49, 64, 100, 101, 210, 243, 256, 509, 1000, 1024};

TEST(Fft, EveryKindOfLength) {
  for (const int64_t n : lengths) {
    const std::vector<Complex> data = waves(3 * n, 7);
    const Array<2, Complex> a(data, Shape<2>(3, n));
    const std::vector<Complex> want = by_definition(data, n);
    expect_near(fft(a).to_vector(), want, 1e-14 * std::sqrt(n + 10.0), n);
    expect_near(ifft(fft(a)).to_vector(), data, 1e-14 * std::sqrt(n + 10.0), n);
    std::vector<std::complex<float>> narrow(data.begin(), data.end());
    const Array<2, std::complex<float>> f(narrow, Shape<2>(3, n));
    expect_near(fft(f).to_vector(), want, 1e-6 * std::sqrt(n + 10.0), n);
  }
}

TEST(Fft, SameBitsAsTheInterpreter) {
  for (const int64_t n : {12, 17, 1000, 4096}) {
    const std::vector<Complex> data = waves(4 * n, 3);
    const Array<2, Complex> a(data, Shape<2>(4, n));
    a.evaluate();
    expect_same([&] { return fft(a).real(); });
    expect_same([&] { return ifft(a).imag(); });
  }
  const Array<1, double> long_line = plain_array<1, double>({1 << 15});
  expect_same([&] { return rfft(long_line).imag(); });
}

TEST(Fft, AlongEveryAxis) {
  const Shape<3> shape(6, 5, 8);
  const std::vector<Complex> data = waves(shape.size(), 11);
  const Array<3, Complex> a(data, shape);
  for (int axis = 0; axis < 3; ++axis) {
    Shape<3> order(0, 1, 2);
    std::swap(order[axis], order[2]);
    const auto turned = transpose(a, order);
    const std::vector<Complex> want = by_definition(turned.to_vector(), shape[axis]);
    expect_near(transpose(fft(a, axis), order).to_vector(), want, 1e-14, shape[axis]);
  }
  const Array<3, Complex> all = fftn(a), some = fftn(a, {0, 2});
  expect_near(all.to_vector(), fft(fft(fft(a, 0), 1), 2).to_vector(), 1e-14, 240);
  expect_near(some.to_vector(), fft(fft(a, 2), 0).to_vector(), 1e-14, 48);
  expect_near(ifftn(all).to_vector(), data, 1e-14, 240);
  expect_near(ifftn(some, {0, 2}).to_vector(), data, 1e-14, 48);
}

TEST(Fft, OfRealNumbers) {
  for (const int64_t n : {1, 2, 3, 4, 5, 8, 9, 12, 17, 22, 100, 101, 1024}) {
    std::vector<Complex> data = waves(2 * n, 5);
    std::vector<double> reals;
    for (Complex& z : data) {
      z = z.real();
      reals.push_back(z.real());
    }
    const Array<2, double> a(reals, 2, n);
    std::vector<Complex> want;
    const std::vector<Complex> all = by_definition(data, n);
    for (int64_t line = 0; line < 2; ++line)
      for (int64_t k = 0; k <= n / 2; ++k) want.push_back(all[static_cast<size_t>(line * n + k)]);
    const Array<2, Complex> transformed = rfft(a);
    expect_near(transformed.to_vector(), want, 1e-14 * std::sqrt(n + 10.0), n);
    const std::vector<double> back = irfft(transformed, 1, n).to_vector();
    for (size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], reals[i], 1e-13) << n;
    if (n % 2 == 0) {
      EXPECT_EQ(irfft(transformed).to_vector(), back);
    }
  }
}

TEST(Fft, LongLines) {
  const int64_t n = 1 << 16;
  const std::vector<Complex> data = waves(n, 2);
  const Array<1, Complex> a{data};
  const std::vector<Complex> got = fft(a).to_vector();
  for (const int64_t k : {int64_t{0}, int64_t{1}, int64_t{777}, n / 2, n - 1}) {
    Complex sum = 0;
    for (int64_t j = 0; j < n; ++j)
      sum += data[static_cast<size_t>(j)] *
             std::polar(1.0, -2 * M_PI * static_cast<double>(j * k % n) / static_cast<double>(n));
    EXPECT_LE(std::abs(got[static_cast<size_t>(k)] - sum), 1e-9) << k;
  }
}

TEST(Fft, Shifts) {
  const Array<1, int> even(std::vector<int>{0, 1, 2, 3}), odd(std::vector<int>{0, 1, 2, 3, 4});
  EXPECT_EQ(fftshift(even).to_vector(), (std::vector<int>{2, 3, 0, 1}));
  EXPECT_EQ(fftshift(odd).to_vector(), (std::vector<int>{3, 4, 0, 1, 2}));
  EXPECT_EQ(ifftshift(fftshift(odd)).to_vector(), odd.to_vector());
  const Array<1, Complex> z(waves(5, 1));
  EXPECT_EQ(ifftshift(fftshift(z)).to_vector(), z.to_vector());
}

TEST(Fft, Errors) {
  const Array<2, Complex> a(Shape<2>(3, 0), Complex(0));
  EXPECT_NE(message_of<ShapeError>([&] {
              fft(a);
            }).find("fft: there are no elements along axis 1 of the shape {3, 0} ("),
            std::string::npos);
  EXPECT_EQ(fft(a, 0).shape(), Shape<2>(3, 0));
  const Array<1, Complex> line(waves(5, 1));
  EXPECT_THROW(fft(line, 1), ShapeError);
  EXPECT_THROW(ifft(line, -1), ShapeError);
  EXPECT_THROW(irfft(line, 0, 12), ShapeError);
  EXPECT_THROW(irfft(line, 0, 0), ShapeError);
  const Array<1, Complex> one(waves(1, 1));
  EXPECT_NE(message_of([&] { irfft(one); }).find("of one element, give n = 1"), std::string::npos);
  EXPECT_EQ(irfft(one, 0, 1).size(), 1);
  EXPECT_THROW(detail::real_fft(Array<1, int>(4).node(), 0, {}), TypeError);
}

TEST(ComplexArrays, Operators) {
  const std::vector<Complex> x = waves(1000, 1), y = waves(1000, 2);
  const Array<1, Complex> a(x), b(y);
  const std::vector<Complex> sum_ = (a + b).to_vector(), difference = (a - b).to_vector(),
                             product_ = (a * b).to_vector(), quotient = (a / b).to_vector(),
                             powers = exp(a).to_vector(), logs = log(a).to_vector();
  const std::vector<double> lengths_ = abs(a).to_vector(), angles = arg(a).to_vector();
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(sum_[i], x[i] + y[i]);
    EXPECT_EQ(difference[i], x[i] - y[i]);
    EXPECT_LE(std::abs(product_[i] - x[i] * y[i]), 1e-15);
    EXPECT_LE(std::abs(quotient[i] - x[i] / y[i]), 1e-13 * std::abs(quotient[i]));
    EXPECT_LE(std::abs(powers[i] - std::exp(x[i])), 1e-14);
    EXPECT_LE(std::abs(logs[i] - std::log(x[i])), 1e-13);
    EXPECT_NEAR(lengths_[i], std::abs(x[i]), 1e-15);
    EXPECT_NEAR(angles[i], std::arg(x[i]), 1e-15);
  }
  const Array<1, double> real_factor(std::vector<double>(1000, 2.0));
  EXPECT_EQ((a * real_factor).to_vector(), (a * 2.0).to_vector());
  EXPECT_EQ((Complex(0, 1) * a).real().to_vector(), (-a.imag()).to_vector());
  EXPECT_EQ(conj(conj(a)).to_vector(), x);
  EXPECT_EQ(sum(a).item().real(), sum(a.real()).item());
  EXPECT_TRUE(bool(all(a == a)));
}

TEST(ComplexArrays, MoveLikeOthers) {
  const std::vector<Complex> x = waves(6, 1);
  const Array<2, Complex> a(x, Shape<2>(2, 3));
  EXPECT_EQ(transpose(a).to_vector(), (std::vector<Complex>{x[0], x[3], x[1], x[4], x[2], x[5]}));
  EXPECT_EQ(section(a, {{1, 1}, {2, 3, -1}}).to_vector(), (std::vector<Complex>{x[5], x[4], x[3]}));
  EXPECT_EQ(concat({a, a}).shape(), Shape<2>(4, 3));
  EXPECT_EQ(reshape(a, Shape<1>(6)).to_vector(), x);
  EXPECT_THROW((Array<1, Complex>(Array<1, double>(2), Array<1, double>(3))), ShapeError);
}

}  // namespace
}  // namespace tutti::test
