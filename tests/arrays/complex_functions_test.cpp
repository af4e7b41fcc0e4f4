// Functions of complex arrays against those of the C++ library, on both sides of branch cuts and
// near the ends of the range. The interpreter gives the bits of compiled code.
#include <tutti/complex_functions.hpp>

#include <cmath>
#include <functional>

#include "support/compare.hpp"

namespace tutti::test {
namespace {

using Complex = std::complex<double>;
using Vector = Array<1, Complex>;

std::vector<Complex> points() {
  const double parts[] = {0.0, -0.0, 0.3, -0.7, 1.0, -1.0, 2.5, -4.0, 1e-9, 20.0};
  std::vector<Complex> result;
  for (const double x : parts)
    for (const double y : parts) result.emplace_back(x, y);
  return result;
}

struct Function {
  const char* name;
  std::function<Vector(const Vector&)> ours;
  std::function<Complex(const Complex&)> exact;
};

std::vector<Function> functions() {
#define ROW(name)                                                                                 \
  {                                                                                               \
    #name, [](const Vector& a) { return name(a); }, [](const Complex& z) { return std::name(z); } \
  }
  return {ROW(sqrt), ROW(exp),  ROW(log),  ROW(sin),  ROW(cos),   ROW(tan),   ROW(asin), ROW(acos),
          ROW(atan), ROW(sinh), ROW(cosh), ROW(tanh), ROW(asinh), ROW(acosh), ROW(atanh)};
#undef ROW
}

TEST(ComplexFunctions, EqualThoseOfTheLibrary) {
  const std::vector<Complex> z = points();
  for (const Function& f : functions()) {
    const std::vector<Complex> found = f.ours(Vector(z)).to_vector();
    for (size_t i = 0; i < z.size(); ++i) {
      const Complex want = f.exact(z[i]);
      if (!std::isfinite(want.real()) || !std::isfinite(want.imag())) continue;
      EXPECT_LE(std::abs(found[i] - want), 1e-14 * std::abs(want) + 1e-300)
          << f.name << " of " << z[i] << " gives " << found[i] << ", not " << want;
      EXPECT_EQ(std::signbit(found[i].imag()), std::signbit(want.imag()))
          << f.name << " of " << z[i] << ": the sign of the imaginary part";
    }
  }
}

TEST(ComplexFunctions, NothingOverflowsOnTheWay) {
  const std::vector<Complex> z = {{1e308, 1e308}, {-1e300, 2e300}, {1e-300, -1e-300}, {3e307, 0.5}};
  for (const Function& f : functions()) {
    const std::string name = f.name;
    if (name != "sqrt" && name != "log" && name[0] != 'a') continue;
    const std::vector<Complex> found = f.ours(Vector(z)).to_vector();
    for (size_t i = 0; i < z.size(); ++i) {
      const Complex want = f.exact(z[i]);
      EXPECT_LE(std::abs(found[i] - want), 1e-13 * std::abs(want)) << name << " of " << z[i];
    }
  }
}

TEST(ComplexFunctions, PowersAndSmallArguments) {
  const std::vector<Complex> z = {{0, 0}, {1, 2}, {-3, 0.5}}, to = {{2, 0}, {0.5, -1}, {0, 0}};
  const std::vector<Complex> powers = pow(Vector(z), Vector(to)).to_vector();
  EXPECT_EQ(powers[0], Complex(0, 0));
  EXPECT_LE(std::abs(powers[1] - std::pow(z[1], to[1])), 1e-14);
  EXPECT_EQ(powers[2], Complex(1, 0));
  const std::vector<Complex> tiny = {{1e-12, 1e-13}};
  EXPECT_LE(std::abs(expm1(Vector(tiny)).to_vector()[0] - (tiny[0] + 0.5 * tiny[0] * tiny[0])),
            1e-28);
  EXPECT_LE(std::abs(log1p(Vector(tiny)).to_vector()[0] - (tiny[0] - 0.5 * tiny[0] * tiny[0])),
            1e-28);
}

TEST(ComplexFunctions, HaveTheBitsOfTheInterpreter) {
  std::vector<std::complex<float>> z;
  for (const Complex& point : points()) z.emplace_back(point);
  const Array<1, std::complex<float>> a(z);
  const auto all = [&] { return (sqrt(a) + exp(a) * log(a)).real() + tanh(asin(a)).imag(); };
  expect_same(all);
}

}  // namespace
}  // namespace tutti::test
