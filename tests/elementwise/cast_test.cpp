// Casts between all pairs of element types: compiled against interpreted, and against the rule
// restated here: integers wrap, floating point truncates and saturates, NaN gives 0, non-zero is
// true.
#include "support/compare.hpp"
#include "support/values.hpp"

#include <cmath>

namespace tutti::test {
namespace {

TEST(Cast, AllPairsOfTypes) {
  for_each_type([](auto from) {
    using From = typename decltype(from)::type;
    const Array<1, From> a(mixed<From>(500, 5));
    const Array<1, From> special(interesting<From>());
    for_each_type([&](auto to) {
      using To = typename decltype(to)::type;
      SCOPED_TRACE(std::string(name(element_type<From>)) + " to " + name(element_type<To>));
      expect_same([&] { return cast<To>(a); });
      expect_same([&] { return cast<To>(special); });
    });
  });
}

// A floating-point number as an integer, by the rule.
template <class To>
To truncated(double value) {
  using L = std::numeric_limits<To>;
  if (std::isnan(value)) return 0;
  const double whole = std::trunc(value);
  if (whole >= std::ldexp(1.0, L::digits)) return L::max();
  if (whole < (std::is_signed_v<To> ? -std::ldexp(1.0, L::digits) : 0.0)) return L::min();
  return static_cast<To>(whole);
}

TEST(Cast, FloatingPointToIntegerSaturates) {
  for_each_type([](auto from) {
    using From = typename decltype(from)::type;
    if constexpr (detail::kind<From> == 2)
      for_each_type([](auto to) {
        using To = typename decltype(to)::type;
        if constexpr (detail::kind<To> == 1) {
          SCOPED_TRACE(std::string(name(element_type<From>)) + " to " + name(element_type<To>));
          const std::vector<From> values = mixed<From>(500, 6);
          std::vector<To> want;
          for (From v : values) want.push_back(truncated<To>(convert_element<double>(v)));
          expect_values([&] { return cast<To>(Array<1, From>(values)); }, want);
        }
      });
  });
}

TEST(Cast, IntegersWrapAndBoolIsZeroOrNot) {
  for_each_type([](auto from) {
    using From = typename decltype(from)::type;
    const std::vector<From> values = mixed<From>(500, 7);
    std::vector<bool> truth;
    for (From v : values) truth.push_back(convert_element<double>(v) != 0);
    expect_values([&] { return cast<bool>(Array<1, From>(values)); }, truth);
    if constexpr (detail::kind<From> < 2) {
      std::vector<int8_t> narrow;
      std::vector<uint32_t> wide;
      for (From v : values) {
        narrow.push_back(static_cast<int8_t>(static_cast<uint64_t>(v) & 0xff));
        wide.push_back(static_cast<uint32_t>(static_cast<uint64_t>(v)));
      }
      expect_values([&] { return cast<int8_t>(Array<1, From>(values)); }, narrow);
      expect_values([&] { return cast<uint32_t>(Array<1, From>(values)); }, wide);
    }
  });
}

TEST(Cast, ByConstructionAndOfConstants) {
  const Array<1, float> a(std::vector<float>{-1.7f, 2.5f, 3e9f});
  expect_values([&] { return Array<1, int>(a); }, std::vector<int>{-1, 2, 2147483647});
  expect_values([&] { return cast<uint8_t>(Array<1, float>(Shape<1>(3), 300.0f)); },
                std::vector<uint8_t>{255, 255, 255});
  expect_values([&] { return Array<1, Value2f>(a).component(1); },
                std::vector<float>{-1.7f, 2.5f, 3e9f});
  expect_values([&] { return cast<Value2i>(Array<1, Value2f>(a)).component(0); },
                std::vector<int>{-1, 2, 2147483647});
}

// Where the float on the way to a half is known to be exact, the code generator would call a
// function.
TEST(Cast, DoublesThatAreFloatsToHalf) {
  const Array<1, float> f = plain_array<1>({200});
  const Array<1, half> h = cast<half>(f);
  const Array<1, double> d = cast<double>(f), e = cast<double>(h);
  f.evaluate(), h.evaluate();
  expect_same([&] { return cast<half>(cast<double>(f)); });
  expect_same([&] { return cast<half>(cast<double>(h)); });
  expect_same([&] { return cast<half>(cond(f > 1.0f, cast<double>(f), cast<double>(h))); });
  expect_same([&] { return cast<half>(max(cast<double>(f), cast<double>(h))); });
  expect_same([&] { return cast<half>(-cast<double>(f)) + cast<half>(abs(cast<double>(f))); });
  expect_same([&] { return cast<half>(copysign(cast<double>(f), cast<double>(h))); });
  expect_same([&] { return cast<half>(cast<double>(f > 1.0f)) * cast<half>(floor(d)) + h; });
  expect_same([&] { return cast<half>(cast<double>(cast<int8_t>(f))) - cast<half>(e * 2.0); });
  expect_same([&] { return cast<half>(cond(f > 1.0f, 2.5, cast<double>(f))); });
  expect_same([&] { return cast<half>(cond(f > 1.0f, 2.5, 1.5)); });
}

}  // namespace
}  // namespace tutti::test
