// Arrays mixed with host scalars and with arrays of other types: which type comes out, and that the
// scalar's side and kind do not matter to the values.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

template <class X>
using ElementOf = typename X::element;
template <class A, class B>
using SumOf = ElementOf<decltype(std::declval<A>() + std::declval<B>())>;

// A scalar adapts to the array unless its kind (bool < integer < floating point) is wider.
static_assert(std::is_same_v<SumOf<Array<1, float>, int>, float>);
static_assert(std::is_same_v<SumOf<Array<1, float>, double>, float>);
static_assert(std::is_same_v<SumOf<Array<1, half>, double>, half>);
static_assert(std::is_same_v<SumOf<Array<1, uint8_t>, int>, uint8_t>);
static_assert(std::is_same_v<SumOf<Array<1, uint8_t>, long long>, uint8_t>);
static_assert(std::is_same_v<SumOf<Array<1, int64_t>, float>, float>);
static_assert(std::is_same_v<SumOf<float, Array<1, int>>, float>);
static_assert(std::is_same_v<SumOf<Array<1, bool>, bool>, int32_t>);
static_assert(std::is_same_v<SumOf<Array<1, bool>, uint8_t>, uint8_t>);
// Two arrays: the wider kind, then the wider type, then unsigned.
static_assert(std::is_same_v<SumOf<Array<1, int64_t>, Array<1, half>>, half>);
static_assert(std::is_same_v<SumOf<Array<1, int8_t>, Array<1, uint8_t>>, uint8_t>);
static_assert(std::is_same_v<SumOf<Array<1, uint8_t>, Array<1, int16_t>>, int16_t>);
static_assert(std::is_same_v<SumOf<Array<2, float>, Array<1, double>>, double>);
static_assert(std::is_same_v<ElementOf<decltype(sqrt(std::declval<Array<1, int>>()))>, double>);
static_assert(std::is_same_v<ElementOf<decltype(std::declval<Array<1, int>>() < 1.5f)>, bool>);
static_assert(decltype(std::declval<Array<1, int>>() + std::declval<Array<3, int>>())::rank == 3);

// `a op s` and `s op a` are what they are when s is an array of the meeting type.
template <class T, class S>
void check_scalar(S s) {
  SCOPED_TRACE(std::string(name(element_type<T>)) + " array with " + name(element_type<S>));
  const Array<1, T> a(plain<T>(37));
  using Meet = detail::MixedWithScalar<T, S>;
  const Array<1, Meet> wide(a), same_everywhere(Shape<1>(37), static_cast<Meet>(s));
  const auto check = [](auto mixed_up, auto plain_form) {
    EXPECT_TRUE(same(read(plain_form()), read(mixed_up())));
    expect_same(mixed_up);
  };
  check([&] { return a + s; }, [&] { return wide + same_everywhere; });
  check([&] { return s - a; }, [&] { return same_everywhere - wide; });
  check([&] { return s / a; }, [&] { return same_everywhere / wide; });
  check([&] { return a * s < s; }, [&] { return wide * same_everywhere < same_everywhere; });
  check([&] { return max(s, a); }, [&] { return max(same_everywhere, wide); });
  check([&] { return cond(a != s, s, a); },
        [&] { return cond(wide != same_everywhere, same_everywhere, wide); });
}

TEST(Scalars, OfEveryKindOnBothSides) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    check_scalar<T>(true);
    check_scalar<T>(uint8_t{3});
    check_scalar<T>(5);
    check_scalar<T>(7LL);
    check_scalar<T>(half(2.5f));
    check_scalar<T>(1.5f);
    check_scalar<T>(2.25);
  });
}

TEST(Scalars, IntegerOperators) {
  const Array<1, int> a(std::vector<int>{1, 2, 3, -4});
  expect_values([&] { return a & 1; }, std::vector<int>{1, 0, 1, 0});
  expect_values([&] { return 8 | a; }, std::vector<int>{9, 10, 11, -4});
  expect_values([&] { return 1 << a; }, std::vector<int>{2, 4, 8, 0});
  expect_values([&] { return a % 2; }, std::vector<int>{1, 0, 1, 0});
  expect_values([&] { return a * 0.5f; }, std::vector<float>{0.5f, 1, 1.5f, -2});
  expect_values([&] { return a && true; }, std::vector<bool>{true, true, true, true});
}

TEST(Scalars, AssignmentKeepsTheType) {
  Array<1, int> a(std::vector<int>{1, 2, 3});
  a += 2;
  a *= a;
  a <<= 1;
  EXPECT_EQ(a.to_vector(), (std::vector<int>{18, 32, 50}));
  Array<1, float> b(std::vector<float>{1, 2, 3});
  b -= 1;
  b /= Array<1, float>(std::vector<float>{1, 2, 4});
  EXPECT_EQ(b.to_vector(), (std::vector<float>{0, 0.5f, 0.5f}));
  Array<1, int> c(std::vector<int>{10});
  c *= 0.25f;  // computed in float, stored as int
  EXPECT_EQ(c.to_vector(), (std::vector<int>{2}));
}

TEST(Scalars, ArraysOfDifferentTypesMeet) {
  for_each_type([](auto left) {
    using L = typename decltype(left)::type;
    const Array<1, L> a(plain<L>(33));
    for_each_type([&](auto right) {
      using R = typename decltype(right)::type;
      SCOPED_TRACE(std::string(name(element_type<L>)) + " with " + name(element_type<R>));
      using Meet = decltype(detail::promote<L, R>());
      const Array<1, R> b(plain<R>(33));
      expect_same([&] { return a - b; });
      EXPECT_TRUE(same(read(Array<1, Meet>(a) * Array<1, Meet>(b)), read(a * b)));
    });
  });
}

TEST(Scalars, RankZeroArraysAreScalars) {
  const Array<1, float> a(std::vector<float>{1, 2, 3});
  const Array<0, float> two = 2.0f;
  expect_values([&] { return a * two; }, std::vector<float>{2, 4, 6});
  expect_values([&] { return two - a; }, std::vector<float>{1, 0, -1});
  EXPECT_EQ((two + two).item(), 4.0f);
  EXPECT_EQ(static_cast<float>(sum(a) * two), 12.0f);
  EXPECT_EQ((Array<0, int>().item()), 0);
}

}  // namespace
}  // namespace tutti::test
