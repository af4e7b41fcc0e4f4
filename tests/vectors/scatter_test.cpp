// Scatters: every collision rule and type, indices outside, several axes, many values for one
// index.
#include <tutti/keywords.hpp>

#include "support/compare.hpp"
#include "support/values.hpp"

#include <numeric>

namespace tutti::test {
namespace {

constexpr Collision collisions[] = {Collision::any, Collision::sum,   Collision::min,
                                    Collision::max, Collision::first, Collision::last};

TEST(Scatter, EveryCollisionAndType) {
  std::mt19937 random(3);
  for (const int64_t n : {0, 1, 100, 50000}) {
    std::vector<int32_t> places;
    for (int64_t i = 0; i < n; ++i)
      places.push_back(static_cast<int32_t>(random() % 1100) - 50);  // some lie outside
    const Array<1, int32_t> indices(places);
    const Array<1, int64_t> wide(indices);
    wide.evaluate();
    for_each_type([&](auto tag) {
      using T = typename decltype(tag)::type;
      const Array<1, T> base(mixed<T>(1000, 1)), values(mixed<T>(n, 2));
      for (const Collision collision : collisions) {
        if (std::is_same_v<T, bool> && collision == Collision::sum) continue;
        SCOPED_TRACE(std::to_string(static_cast<int>(collision)) + " " + name(element_type<T>));
        expect_same([&] { return scatter(base, indices, values, collision); });
        EXPECT_TRUE(same(read(scatter(base, indices, values, collision)),
                         read(scatter(base, wide, values, collision))));
      }
    });
  }
}

TEST(Scatter, AgainstPlainLoops) {
  const int64_t n = 20000;
  std::vector<int32_t> places, numbers = plain<int32_t>(n);
  for (int64_t i = 0; i < n; ++i) places.push_back(static_cast<int32_t>(i * i % 777));
  std::vector<int32_t> sums(700, 5), last(700, 5), first(700, 5), least(700, 5);
  std::vector<bool> seen(700, false);
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto at = static_cast<size_t>(places[i]);
    if (at >= 700) continue;
    sums[at] += numbers[i];
    last[at] = numbers[i];
    if (!seen[at]) first[at] = numbers[i];
    seen[at] = true;
    least[at] = std::min(least[at], numbers[i]);
  }
  const Array<1, int32_t> base(Shape<1>(700), 5), indices(places), values(numbers);
  expect_values([&] { return scatter(base, indices, values, Collision::sum); }, sums);
  expect_values([&] { return scatter(base, indices, values, Collision::last); }, last);
  expect_values([&] { return scatter(base, indices, values); }, last);
  expect_values([&] { return scatter(base, indices, values, Collision::first); }, first);
  expect_values([&] { return scatter(base, indices, values, Collision::min); }, least);
}

TEST(Scatter, FloatSumsFollowTheOrderOfTheValues) {
  const int64_t n = 100000;
  std::vector<float> numbers;
  std::vector<int32_t> places;
  for (int64_t i = 0; i < n; ++i) {
    numbers.push_back(1.0f / static_cast<float>(i + 1));
    places.push_back(static_cast<int32_t>(i % 10 == 0 ? i % 70 : 3));  // one place is hot
  }
  std::vector<float> want(70, 0.25f);
  for (size_t i = 0; i < numbers.size(); ++i) want[static_cast<size_t>(places[i])] += numbers[i];
  const Array<1, float> base(Shape<1>(70), 0.25f), values(numbers);
  const Array<1, int32_t> indices(places);
  expect_values([&] { return scatter(base, indices, values, Collision::sum); }, want);
}

TEST(Scatter, IntoMatrices) {
  const Array<2, float> base(Shape<2>(30, 40), 1.0f);
  const Array<1, int32_t> rows(std::vector<int32_t>{0, 29, 30, 7, 7}),
      columns(std::vector<int32_t>{0, 39, 1, -1, 8});
  const Array<1, float> values(std::vector<float>{2, 3, 4, 5, 6});
  const detail::NodeRef indices[] = {rows.node(), columns.node()};
  const auto build = [&] {
    return Array<2, float>(
        detail::scatter(base.node(), indices, values.node(), Collision::any, Location::current()));
  };
  expect_same(build);
  const std::vector<float> got = build().to_vector();
  EXPECT_EQ(got[0], 2);
  EXPECT_EQ(got[1199], 3);
  EXPECT_EQ(got[7 * 40 + 8], 6);
  EXPECT_EQ(std::accumulate(got.begin(), got.end(), 0.0f), 1200.0f + 1 + 2 + 5);
}

// What a CPU computes as it goes: nothing but the results is stored.
TEST(Scatter, ComputesValuesAndIndices) {
  const int64_t n = 300001;  // several rounds, and a rest
  const Array<1, uint8_t> pixels(plain<uint8_t>(n));
  const Array<1, float> weights(mixed<float>(n, 5));
  const Array<1, int32_t> counts(Shape<1>(256), 0);
  const Array<1, float> sums(Shape<1>(5000), 0.5f);
  const auto bin = [&] { return cast<int32_t>(pixels); };
  const auto spread = [&] { return (index(Shape<1>(n), 0) * 7919) % 5011 - 5; };
  expect_same(
      [&] { return scatter(counts, bin(), Array<1, int32_t>(Shape<1>(n), 1), Collision::sum); });
  expect_same([&] { return scatter(counts, bin(), spread(), Collision::max); });
  for (const Collision collision : collisions) {
    SCOPED_TRACE(std::to_string(static_cast<int>(collision)));
    expect_same([&] { return scatter(sums, spread(), weights * 3.0f, collision); });
    expect_same([&] { return scatter(sums, cast<int64_t>(spread()), weights, collision); });
  }
}

// One value for all indices is counted. Bytes stay below 256 elements, unless they pass a signed
// type.
TEST(Scatter, CountsIndices) {
  const int64_t n = 100003;
  const Array<1, uint8_t> bytes(mixed<uint8_t>(n, 8));
  const Array<1, int32_t> spread = (index(Shape<1>(n), 0) * 7919) % 300 - 20;
  spread.evaluate();
  const auto count = [&](const Array<1, int32_t>& at, int64_t bins, auto value) {
    using T = decltype(value);
    return scatter(Array<1, T>(Shape<1>(bins), T{3}), at, Array<1, T>(Shape<1>(n), value),
                   Collision::sum);
  };
  for (const int64_t bins : {1, 100, 255, 256, 257, 4000}) {
    SCOPED_TRACE(bins);
    expect_same([&] { return count(cast<int32_t>(bytes), bins, int32_t{1}); });
    expect_same([&] { return count(cast<int32_t>(cast<int8_t>(bytes)), bins, int64_t{-5} << 40); });
    expect_same([&] { return count(spread, bins, uint8_t{77}); });
    expect_same([&] { return count(spread, bins, 0.1f); });
  }
}

// Small results pass from thread to thread, ranges of large ones stay with a thread.
TEST(Scatter, IntoSmallAndLargeResults) {
  const int64_t n = 200'003;
  const Array<1, float> values(mixed<float>(n, 9));
  for (const int64_t bins : {1, 3, 16, 700, 65'536, 65'537, 300'000}) {
    const Array<1, float> base(Shape<1>(bins), 0.25f);
    const Array<1, int32_t> at =
        (index(Shape<1>(n), 0) * 7919) % static_cast<int32_t>(bins + 2) - 1;
    at.evaluate();
    for (const Collision collision : collisions) {
      SCOPED_TRACE(std::to_string(bins) + " " + std::to_string(static_cast<int>(collision)));
      expect_same([&] { return scatter(base, at, values, collision); });
    }
  }
}

// A thread that finds no memory does not leave others waiting for their turn.
TEST(Scatter, EndsWhenMemoryEnds) {
  const int64_t n = 300'001;
  const Array<1, float> values(mixed<float>(n, 9)), base(Shape<1>(1000), 0.25f);
  const Array<1, int32_t> at = (index(Shape<1>(n), 0) * 7919) % 1000;
  at.evaluate();
  const auto sums = [&] { return scatter(base, at, values, Collision::sum); };
  const Elements want = read(sums());
  int failed = 0;
  for (int64_t step = 0; step < 24; ++step) {
    const int64_t room = 10'000 + step * 200'000;
    trim_pool();
    const Array<1, float> x = sums();
    {
      const WithSettings limited([&](Settings& s) {
        s.threads = 6;
        s.max_bytes = statistics().bytes_in_use + room;
      });
      try {
        x.evaluate();
      } catch (const OutOfMemory&) {
        ++failed;
      }
    }
    EXPECT_TRUE(same(want, read(x))) << room;
  }
  EXPECT_GT(failed, 0);
}

TEST(Scatter, ComputesIndicesOfSeveralAxes) {
  const Shape<2> image(311, 257);
  const Array<2, float> base(Shape<2>(50, 60), 1.0f);
  const Array<2, int32_t> rows = index(image, 0) % 53 - 1, columns = (index(image, 1) * 3) % 64;
  const Array<2, float> values(mixed<float>(image.size(), 6), image);
  for (const Collision collision : collisions) {
    SCOPED_TRACE(std::to_string(static_cast<int>(collision)));
    expect_same([&] {
      const Array<2, int32_t> r = rows + 1, c = columns - 1;
      const detail::NodeRef indices[] = {r.node(), c.node()};
      return Array<2, float>(detail::scatter(base.node(), indices, (values + 1.0f).node(),
                                             collision, Location::current()));
    });
  }
}

// An index that several scatters use, and values of a program with a loop.
TEST(Scatter, SharesWhatItComputes) {
  const int64_t n = 40000;
  const Array<1, float> x(mixed<float>(n, 7));
  const Array<1, float> zeros(Shape<1>(64), 0.0f);
  const Program steps = BEGIN {
    In<Value1i> i;
    Out<Value1i> count = 0;
    Value1i rest = i;
    WHILE(rest > 1) {
      rest = rest / 2;
      count += 1;
    }
    ENDWHILE;
  }
  END;
  const auto build = [&](int which) {
    const Array<1, int32_t> where = steps(index(Shape<1>(n), 0));
    const Array<1, float> a = scatter(zeros, where, x, Collision::sum);
    const Array<1, float> b = scatter(zeros, where, x * x, Collision::sum);
    const Array<1, float> c = scatter(zeros, where, x, Collision::last);
    return which == 0 ? a + b * c : which == 1 ? a : c;
  };
  for (int which = 0; which < 3; ++which) expect_same([&] { return build(which); });
}

}  // namespace
}  // namespace tutti::test
