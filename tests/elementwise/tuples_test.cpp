// Arrays of Value<N, T>: every operation works on the components one by one; scalars, arrays of
// scalars and Values spread over them.
#include "support/compare.hpp"
#include "support/values.hpp"

namespace tutti::test {
namespace {

template <int N, class T>
std::vector<Value<N, T>> tuples(int64_t n, int seed) {
  std::vector<Value<N, T>> result(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i)
    for (int c = 0; c < N; ++c)
      result[static_cast<size_t>(i)].set(
          c, static_cast<T>(static_cast<float>((i * 31 + c * 17 + seed) % 97)));
  return result;
}

template <class V>
class Tuples : public testing::Test {};
using TupleTypes = testing::Types<Value2f, Value3f, Value4f, Value2d, Value3i, Value4ub, Value2h>;
TYPED_TEST_SUITE(Tuples, TupleTypes);

TYPED_TEST(Tuples, AreComputedByComponent) {
  using V = TypeParam;
  using T = typename V::scalar;
  constexpr int N = V::size;
  const auto a = tuples<N, T>(100, 1), b = tuples<N, T>(100, 5);
  const Array<2, V> x(a, 4, 25), y(b, 4, 25);
  const Array<2, T> s(plain<T>(100), 4, 25);
  const auto number = plain<T>(100);
  const auto each = [&](auto f) {
    std::vector<V> result(100);
    for (size_t i = 0; i < 100; ++i)
      for (int c = 0; c < N; ++c)
        result[i].set(c, static_cast<T>(f(a[i].get(c), b[i].get(c), number[i], c)));
    return result;
  };
  V weights;
  for (int c = 0; c < N; ++c) weights.set(c, static_cast<T>(static_cast<float>(c + 1)));
  expect_values([&] { return x + y; }, each([](T p, T q, T, int) { return p + q; }));
  expect_values([&] { return x * s; }, each([](T p, T, T r, int) { return p * r; }));
  expect_values([&] { return s + y; }, each([](T, T q, T r, int) { return r + q; }));
  expect_values([&] { return x * weights; }, each([](T p, T, T, int c) {
                  return p * static_cast<T>(static_cast<float>(c + 1));
                }));
  expect_values([&] { return max(x, y) + T(2); },
                each([](T p, T q, T, int) { return (p > q ? p : q) + T(2); }));
  expect_values([&] { return cond(s > T(50), x, y); },
                each([](T p, T q, T r, int) { return r > T(50) ? p : q; }));
  expect_values(
      [&] {
        return rotate(x, {1, 0}).component(N - 1) + section(y, {{0, 4}, {24, 25, -1}}).component(0);
      },
      [&] {
        std::vector<T> result;
        for (size_t i = 0; i < 100; ++i)
          result.push_back(
              static_cast<T>(a[(i + 75) % 100].get(N - 1) + b[i / 25 * 25 + 24 - i % 25].get(0)));
        return result;
      }());
}

TYPED_TEST(Tuples, SurviveTheRoundTrip) {
  using V = TypeParam;
  const auto a = tuples<V::size, typename V::scalar>(33, 2);
  const Array<1, V> x(a);
  EXPECT_EQ(x.to_vector(), a);
  std::vector<V> copy(33);
  x.copy_to(copy);
  EXPECT_EQ(copy, a);
  EXPECT_EQ((Array<1, V>(Shape<1>(33), a[5]).to_vector()), std::vector<V>(33, a[5]));
}

TEST(Tuples, JoinAndTakeApart) {
  const Array<1, float> r(plain<float>(20)), g = r + 1.0f, b = r * 2.0f;
  const Array<1, Value3f> colour = join(r, g, b);
  EXPECT_TRUE(same(read(g), read(colour.component(1))));
  EXPECT_TRUE(same(read(b * 2.0f), read((colour + colour).component(2))));
  EXPECT_EQ(colour.to_vector()[3], (Value3f{r.to_vector()[3], g.to_vector()[3], b.to_vector()[3]}));
}

TEST(Tuples, ReduceByComponent) {
  const auto a = tuples<3, float>(1000, 3);
  const Array<1, Value3f> x(a);
  Value3f want;
  for (const auto& v : a) want += v;
  const Value3f total = sum(x);
  EXPECT_EQ(total, want);
  expect_same([&] { return max_val(Array<2, Value3f>(a, 10, 100), 0); });
}

TEST(Tuples, CompareToTuplesOfBool) {
  const Array<1, Value2f> x(std::vector<Value2f>{{1, 5}, {3, 2}});
  const Array<1, Value2bool> more = x > 2.0f;
  expect_values([&] { return x > 2.0f; }, std::vector<Value2bool>{{false, true}, {true, false}});
  EXPECT_EQ(cond(more.component(0), 1.0f, 0.0f).to_vector(), (std::vector<float>{0, 1}));
}

TEST(Tuples, OfOneAreScalars) {
  const Array<1, Value1f> one(std::vector<float>{1, 2});
  const Array<1, float> same_thing = one;
  EXPECT_EQ((same_thing + one).to_vector(), (std::vector<float>{2, 4}));
}

}  // namespace
}  // namespace tutti::test
