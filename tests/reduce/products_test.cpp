// inner_product and outer_product. With `reproducible` the bits are those of the interpreter;
// without, a vendor library may round otherwise and the result is close.
#include "support/compare.hpp"
#include "support/values.hpp"

#include <cmath>

namespace tutti::test {
namespace {

template <int D, class T>
Array<D, T> small_numbers(const Shape<D>& shape, int seed) {
  const float scale = detail::kind<T> == 2 ? 1.0f / 7.0f : 1.0f;
  std::vector<T> values;
  for (int64_t i = 0; i < shape.size(); ++i)
    values.push_back(convert_element<T>(static_cast<float>((i * 31 + seed) % 19 - 9) * scale));
  return Array<D, T>(values, shape);
}

template <class T>
class InnerProduct : public testing::Test {};
using NumberTypes = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t,
                                   uint64_t, half, float, double>;
TYPED_TEST_SUITE(InnerProduct, NumberTypes);

struct Sizes {
  int64_t rows, inner, columns;
};
const Sizes sizes[] = {{1, 1, 1},    {2, 3, 4},    {5, 1, 7},     {1, 300, 1}, {17, 33, 16},
                       {31, 257, 5}, {64, 64, 64}, {100, 513, 3}, {3, 0, 2},   {0, 4, 2}};

TYPED_TEST(InnerProduct, IsReproducible) {
  using T = TypeParam;
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  for (const auto& [m, k, n] : sizes) {
    SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n));
    const auto a = small_numbers<2, T>({m, k}, 1), b = small_numbers<2, T>({k, n}, 2);
    const auto at = small_numbers<2, T>({k, m}, 3), bt = small_numbers<2, T>({n, k}, 4);
    const auto u = small_numbers<1, T>({k}, 5), v = small_numbers<1, T>({k}, 6);
    expect_same([&] { return inner_product(a, b); });
    expect_same([&] { return inner_product(transpose(at), b); });
    expect_same([&] { return inner_product(a, transpose(bt)); });
    expect_same([&] { return inner_product(transpose(at), transpose(bt)); });
    expect_same([&] { return inner_product(a, u); });
    expect_same([&] { return inner_product(u, b); });
    expect_same([&] { return inner_product(u, v); });
    expect_same([&] { return inner_product(a + T(1), b * T(2)) + T(1); });
  }
}

// Whole numbers small enough to be exact in every type and order of summation.
TYPED_TEST(InnerProduct, OfWholeNumbersIsExact) {
  using T = TypeParam;
  for (const bool reproducible : {false, true}) {
    const WithSettings exact([&](Settings& s) { s.reproducible = reproducible; });
    for (const auto& [m, k, n] : sizes) {
      std::vector<T> a, b, want;
      for (int64_t i = 0; i < m * k; ++i) a.push_back(static_cast<T>(static_cast<float>(i % 2)));
      for (int64_t i = 0; i < k * n; ++i)
        b.push_back(static_cast<T>(static_cast<float>(i % 3 == 1)));
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          uint32_t total = 0;
          for (int64_t l = 0; l < k; ++l) total += ((i * k + l) % 2) * ((l * n + j) % 3 == 1);
          want.push_back(static_cast<T>(static_cast<float>(total)));
        }
      if (k > 127 && sizeof(T) == 1) continue;  // would wrap
      SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n));
      expect_values([&] { return inner_product(Array<2, T>(a, m, k), Array<2, T>(b, k, n)); },
                    want);
    }
  }
}

TEST(InnerProduct, WithoutReproducibleIsClose) {
  for (const auto& [m, k, n] : sizes) {
    const auto a = small_numbers<2, float>({m, k}, 1), b = small_numbers<2, float>({k, n}, 2),
               bt = small_numbers<2, float>({n, k}, 4);
    const auto close = [&](auto build) {
      std::vector<float> want;
      {
        const WithSettings s([](Settings& s) { s.interpret = true; });
        want = build().to_vector();
      }
      const WithSettings s([](Settings& s) { s.reproducible = false; });
      const std::vector<float> got = build().to_vector();
      ASSERT_EQ(got.size(), want.size());
      for (size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 1e-5 * (1.0 + static_cast<double>(k))) << i;
    };
    close([&] { return inner_product(a, b); });
    close([&] { return inner_product(a, transpose(bt)); });
  }
}

TEST(InnerProduct, OfHigherRanks) {
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  const auto a = small_numbers<3, float>({4, 5, 6}, 1);
  const auto b = small_numbers<3, float>({6, 3, 2}, 2);
  const auto m = small_numbers<2, float>({6, 7}, 3);
  const auto v = small_numbers<1, float>({6}, 4);
  EXPECT_EQ(inner_product(a, b).shape(), (Shape<4>{4, 5, 3, 2}));
  expect_same([&] { return inner_product(a, b); });
  expect_same([&] { return inner_product(a, m); });
  expect_same([&] { return inner_product(a, v); });
  expect_same([&] { return inner_product(v, b); });
  expect_same([&] { return inner_product(transpose(a, {1, 0, 2}), m); });
}

// More rows than a launch on a GPU has blocks down for, sixteen rows each.
TEST(InnerProduct, OfVeryManyRows) {
  const auto a = small_numbers<2, int32_t>({1100000, 2}, 1);
  const auto b = small_numbers<2, int32_t>({2, 1}, 2);
  expect_same([&] { return inner_product(a, b); });
}

TEST(InnerProduct, OfLargeMatricesOnManyThreads) {
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  const auto a = small_numbers<2, float>({200, 300}, 1), b = small_numbers<2, float>({300, 170}, 2);
  expect_same([&] { return inner_product(a, b); });
  const auto c = small_numbers<2, double>({3, 5000}, 1),
             d = small_numbers<2, double>({5000, 40}, 2);
  expect_same([&] { return inner_product(c, d); });
}

TEST(InnerProduct, OfNothingIsZero) {
  expect_values([] { return inner_product(Array<1, float>(0), Array<1, float>(0)); },
                std::vector<float>{0.0f});
  expect_values([] { return inner_product(Array<2, int>(2, 0), Array<2, int>(0, 2)); },
                std::vector<int>{0, 0, 0, 0});
}

TEST(InnerProduct, OfSpecialValues) {
  const WithSettings exact([](Settings& s) { s.reproducible = true; });
  const Array<2, float> a(mixed<float>(20 * 40, 1), 20, 40), b(mixed<float>(40 * 18, 2), 40, 18);
  expect_same([&] { return inner_product(a, b); });
}

TEST(OuterProduct, OfEveryType) {
  for_each_type([](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!std::is_same_v<T, bool>) {
      const Array<1, T> u(mixed<T>(17, 1)), v(mixed<T>(33, 2));
      expect_same([&] { return outer_product(u, v); });
    }
  });
}

TEST(OuterProduct, OfHigherRanksAndTuples) {
  const Array<1, int> u(std::vector<int>{1, 2});
  const Array<2, int> m(std::vector<int>{1, 2, 3, 4}, 2, 2);
  expect_values([&] { return outer_product(u, m); }, std::vector<int>{1, 2, 3, 4, 2, 4, 6, 8});
  expect_values([&] { return outer_product(m, u); }, std::vector<int>{1, 2, 2, 4, 3, 6, 4, 8});
  EXPECT_EQ(outer_product(m, u).shape(), (Shape<3>{2, 2, 2}));
  const Array<1, Value2f> p(std::vector<Value2f>{{1, 2}, {3, 4}});
  expect_values([&] { return outer_product(p, p); },
                std::vector<Value2f>{{1, 4}, {3, 8}, {3, 8}, {9, 16}});
}

}  // namespace
}  // namespace tutti::test
