// map, zip_with, reduce, scan, outer and index with user-defined functions: against plain loops
// and the interpreter, on ranks 1 to 3, and fused as explain() reports it.
#include <cmath>
#include <numeric>

#include "support/compare.hpp"
#include "support/values.hpp"
#include "tutti/control.hpp"

namespace tutti::test {
namespace {

using Floats = std::vector<float>;

// Whole numbers: sums are exact in every order.
template <class T = float>
std::vector<T> numbers(int64_t n) {
  std::vector<T> result(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i)
    result[static_cast<size_t>(i)] = static_cast<T>(i * 37 % 101 - 50);
  return result;
}

template <class T, class F>
std::vector<T> mapped(const std::vector<T>& a, F f) {
  std::vector<T> result;
  for (T x : a) result.push_back(f(x));
  return result;
}

template <class T, class F>
std::vector<T> scanned(std::vector<T> a, F f) {
  for (size_t i = 1; i < a.size(); ++i) a[i] = f(a[i - 1], a[i]);
  return a;
}

const auto square = [](auto x) { return x * x; };
const auto plus = [](auto a, auto b) { return a + b; };

// ---- map and zip_with

TEST(Map, AppliesAGenericFunction) {
  const Floats data = numbers(1000);
  const Array<1, float> a(data);
  expect_values([&] { return map(square, a); }, mapped(data, [](float x) { return x * x; }));
  expect_values([&] { return map(square, reshape(a, Shape<3>(10, 20, 5))); },
                mapped(data, [](float x) { return x * x; }));
}

TEST(Map, AppliesAFunctionOnValuesWithControlFlow) {
  const std::vector<int> data = numbers<int>(300);
  const Array<1, int> a(data);
  // How often a number must be halved, or tripled and increased, to become 1.
  const auto steps = [](Value1i x) {
    Value1i n = 0;
    x = abs(x) + 1;
    TUTTI_WHILE(x != 1) {
      TUTTI_IF(x % 2 == 0) { x = x / 2; }
      TUTTI_ELSE { x = 3 * x + 1; }
      TUTTI_ENDIF;
      n += 1;
    }
    TUTTI_ENDWHILE;
    return n;
  };
  std::vector<int> want;
  for (int number : data) {
    int x = std::abs(number) + 1, n = 0;
    for (; x != 1; ++n) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    want.push_back(n);
  }
  expect_values([&] { return map(steps, a); }, want);
  expect_values([&] { return map(steps, reshape(a, Shape<2>(30, 10))); }, want);
}

TEST(ZipWith, TakesAnyNumberOfArrays) {
  const Floats data = numbers(100);
  const Array<1, float> a(data);
  const Array<1, float> b = a + 1.0f, c = a * 2.0f, d = a - 3.0f;
  const auto f = [](auto w, auto x, auto y, auto z) { return w * x - y / (z + 0.5f); };
  expect_same([&] { return zip_with(f, a, b, c, d); });
  const auto g = [](Value1f x, Value1f y) {
    TUTTI_IF(x < y) { x = y; }
    TUTTI_ENDIF;
    return x;
  };
  expect_same([&] { return zip_with(g, a, 0.0f - a); });
  const Floats got = zip_with(g, a, 0.0f - a).to_vector();
  EXPECT_EQ(got, mapped(data, [](float x) { return std::abs(x); }));
  const Array<1, Value2f> pairs = join(a, b);
  const auto dotted = [](Value2f p, Value2f q) { return dot(p, q); };
  expect_same([&] { return zip_with(dotted, pairs, pairs); });
  EXPECT_EQ(zip_with(dotted, pairs, pairs).to_vector()[0], 50.0f * 50.0f + 49.0f * 49.0f);
}

TEST(Map, AProgramIsAFunction) {
  const Array<1, float> a(numbers(10));
  const Program doubled = program([](Value1f x) { return x * 2.0f; });
  const Array<1, float> got = map(doubled, a);
  EXPECT_EQ(got.to_vector(), mapped(numbers(10), [](float x) { return 2 * x; }));
}

// ---- reduce

TEST(Reduce, OfAllElementsAndAlongAxes) {
  const std::vector<int> data = numbers<int>(2 * 30 * 50);
  const Array<3, int> a(data, 2, 30, 50);
  const auto by_values = [](Value1i x, Value1i y) {
    TUTTI_IF(abs(x) < abs(y)) { x = y; }
    TUTTI_ENDIF;
    return x;
  };
  int want = data[0];
  for (int x : data)
    if (std::abs(want) < std::abs(x)) want = x;
  EXPECT_EQ(int(reduce(by_values, a)), want);
  expect_same([&] { return reduce(by_values, a); });
  expect_same([&] { return reduce(by_values, a, 1); });
  expect_same([&] { return reduce(by_values, a, {0, 2}); });
  expect_values([&] { return reduce(plus, a, {0, 2}); }, sum(a, {0, 2}).to_vector());
  expect_values([&] { return reduce(plus, a, 1); }, sum(a, 1).to_vector());
}

TEST(Reduce, KeepsTheOrderOfElements) {
  // (a, b) stands for x -> a x + b; composition does not commute.
  const int64_t n = 1000;
  Array<1, uint32_t> a = cast<uint32_t>(index<1>({n}, 0)) * 2654435761u, b = a * 40503u + 7u;
  const Array<1, Value2ui> maps = join(a, b);
  const auto compose = [](Value2ui f, Value2ui g) {
    return Value2ui(f(0) * g(0), f(1) * g(0) + g(1));
  };
  uint32_t p = 1, q = 0;
  for (const auto& m : maps.to_vector()) q = q * m.get(0) + m.get(1), p = p * m.get(0);
  const Value2ui got = reduce(compose, maps).item();
  EXPECT_EQ(got.get(0), p);
  EXPECT_EQ(got.get(1), q);
  const auto prefixes = scan(compose, maps).to_vector();
  EXPECT_EQ(prefixes.back().get(1), q);
  expect_same([&] { return scan(compose, maps); });
}

template <class F, class G>
void expect_recognised(const F& f, const G& named) {
  const auto mine = f(), theirs = named();
  ASSERT_EQ(explain(mine).kernels().size(), explain(theirs).kernels().size());
  EXPECT_EQ(explain(mine).kernels()[0].name, explain(theirs).kernels()[0].name);
  EXPECT_TRUE(same(read(theirs), read(mine)));
}

TEST(Reduce, RecognisesOperatorsByWhatTheyDo) {
  const Array<1, float> x(mixed<float>(20000, 3));
  const Array<1, int> i(mixed<int>(20000, 4));
  const Array<1, bool> b = i > 0;
  expect_recognised([&] { return reduce(plus, x); }, [&] { return sum(x); });
  expect_recognised([&] { return reduce([](auto p, auto q) { return q + p; }, x); },
                    [&] { return sum(x); });
  expect_recognised([&] { return reduce([](auto p, auto q) { return p * q; }, x); },
                    [&] { return product(x); });
  expect_recognised([&] { return reduce([](auto p, auto q) { return max(p, q); }, x); },
                    [&] { return max_val(x); });
  expect_recognised([&] { return reduce([](auto p, auto q) { return min(p, q); }, i); },
                    [&] { return min_val(i); });
  expect_recognised([&] { return reduce([](auto p, auto q) { return p && q; }, b); },
                    [&] { return all(b); });
  expect_recognised([&] { return reduce([](auto p, auto q) { return p || q; }, b); },
                    [&] { return any(b); });
  expect_recognised([&] { return scan(plus, x); }, [&] { return sum_scan(x); });
  expect_recognised([&] { return scan([](auto p, auto q) { return p ^ q; }, i, Scan::exclusive); },
                    [&] { return bit_xor_scan(i, Scan::exclusive); });
  expect_recognised([&] { return scan([](auto p, auto q) { return max(p, q); }, i); },
                    [&] { return max_scan(i); });
}

// ---- scan

TEST(Scan, OfGeneralOperators) {
  const auto wider = [](Value1i x, Value1i y) {  // the one further from zero, the first of equals
    TUTTI_IF(abs(x) < abs(y)) { x = y; }
    TUTTI_ENDIF;
    return x;
  };
  const auto on_host = [](int x, int y) { return std::abs(x) < std::abs(y) ? y : x; };
  for (const int64_t n : {1, 2, 31, 32, 33, 1000, 1025, 5000}) {
    const std::vector<int> data = numbers<int>(n);
    const Array<1, int> a(data);
    SCOPED_TRACE(n);
    const std::vector<int> want = scanned(data, on_host);
    expect_values([&] { return scan(wider, a); }, want);
    std::vector<int> before{0};
    before.insert(before.end(), want.begin(), want.end() - 1);
    expect_values([&] { return scan(wider, a, Scan::exclusive, 0); }, before);
    EXPECT_THROW(scan(wider, a, Scan::exclusive), TypeError);
  }
  const Array<2, int> rows(numbers<int>(7 * 100), 7, 100);
  expect_same([&] { return scan(wider, rows); });
  const std::vector<int> got = scan(wider, rows).to_vector();
  for (int r = 0; r < 7; ++r) {
    const std::vector<int> all = numbers<int>(700);
    const std::vector<int> row(all.begin() + 100 * r, all.begin() + 100 * (r + 1));
    EXPECT_EQ(std::vector<int>(got.begin() + 100 * r, got.begin() + 100 * (r + 1)),
              scanned(row, on_host));
  }
}

TEST(Scan, ExclusiveSumsBeginWithZero) {
  const Array<1, int> a(std::vector<int>{3, 1, 4, 1, 5});
  EXPECT_EQ(scan(plus, a, Scan::exclusive).to_vector(), (std::vector<int>{0, 3, 4, 8, 9}));
  EXPECT_EQ(scan(plus, a).to_vector(), (std::vector<int>{3, 4, 8, 9, 14}));
}

// ---- outer, index

TEST(Outer, CombinesEveryPair) {
  const Array<1, int> a(std::vector<int>{1, 2, 3}), b(std::vector<int>{10, 20});
  const auto minus = [](auto x, auto y) { return x - y; };
  expect_values([&] { return outer(minus, a, b); }, std::vector<int>{-9, -19, -8, -18, -7, -17});
  const Array<2, int> m(numbers<int>(6), 2, 3);
  const auto table = outer([](Value1i x, Value1i y) { return x * y; }, m, a);
  EXPECT_EQ(table.shape(), (Shape<3>(2, 3, 3)));
  EXPECT_EQ(table.to_vector()[7], numbers<int>(6)[2] * 2);
  expect_same([&] { return sum(outer(minus, m, b), 2); });
}

TEST(Index, IsAnArrayOfRankZero) {
  const Array<2, float> m(numbers(6), 2, 3);
  EXPECT_EQ(float(index(m, {1, 2})), numbers(6)[5]);
  const Array<0, float> x = index(m * 2.0f, {0, 1}) + 1.0f;
  EXPECT_EQ(float(x), 2 * numbers(6)[1] + 1);
  EXPECT_EQ((Array<1, float>(Floats{1, 2}) * x).to_vector(), (Floats{float(x), 2 * float(x)}));
  try {
    (void)index(m, {2, 0});
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("index: {2, 0} is outside of the shape {2, 3}"),
              std::string::npos)
        << error.what();
  }
}

// ---- fusion

TEST(Fusion, RmseIsOnePass) {
  const int64_t n = 1 << 20;
  const Array<1, float> x(numbers(n)), y = (x + 3.0f).evaluate();
  const auto squared = map(square, zip_with([](auto a, auto b) { return a - b; }, x, y));
  const Array<0, float> rmse = sqrt(reduce(plus, squared) / static_cast<float>(n));
  const Explanation plan = explain(rmse);
  EXPECT_EQ(plan.kernels()[0].bytes_read, 2 * n * 4);
  int64_t more = 0;
  for (size_t k = 1; k < plan.kernels().size(); ++k) more += plan.kernels()[k].bytes_read;
  EXPECT_LT(more, 1 << 12);  // sums of tiles
  EXPECT_EQ(float(rmse), 3.0f);
}

TEST(Fusion, GoesThroughSlicesIntoScansAndReductions) {
  const int64_t n = 100'000;
  const Array<1, float> x(numbers(n));
  const Array<1, float> forward = slice(x, 1, n) - slice(x, 0, n - 1);
  EXPECT_EQ(explain(forward).kernels().size(), 1u);
  const auto steps = scan(plus, map(square, forward));
  ASSERT_EQ(explain(steps).kernels().size(), 1u);
  EXPECT_EQ(explain(steps).kernels()[0].bytes_read, n * 4);
  expect_same([&] { return scan(plus, map(square, slice(x, 1, n) - slice(x, 0, n - 1))); });
  expect_same([&] {
    return reduce([](auto a, auto b) { return max(a, b); },
                  transpose(map(square, reshape(x, Shape<2>(100, n / 100)))), 0);
  });
}

TEST(Errors, NameTheOperator) {
  const Array<1, float> none(std::vector<float>{});
  EXPECT_THROW(reduce(plus, none), ShapeError);
  const Array<2, float> m(2, 3);
  try {
    reduce(plus, m, 2);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("reduce: axis 2 of the shape {2, 3}"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace tutti::test
