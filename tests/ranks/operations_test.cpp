// Every operation that is distributed gives the bits of one rank, on 1, 2, 3, 4 and 7 ranks.
#include "graph/node.hpp"
#include "ranks/on_ranks.hpp"

namespace tutti::test {
namespace {

using detail::NodeRef;

Array<1, float> numbers(int64_t count) {
  const Array<1, int32_t> i = index(Shape<1>(count), 0);
  return sin(cast<float>(i * 7919 % 10007)) * 100.0f;
}
Array<2, float> picture(int64_t rows, int64_t columns) {
  const Shape<2> shape(rows, columns);
  return sin(cast<float>(index(shape, 0) * 31 + index(shape, 1) * 17));
}

TEST(Ranks, ElementwiseOperations) {
  const SplitFrom small(100);
  expect_same_on_ranks([] { return numbers(100'000) * 2.0f + 1.0f; });
  expect_same_on_ranks([] {
    Array<1, float> a = numbers(100'000);
    a.evaluate();
    return sqrt(a * a + 1.0f) - a;
  });
}

TEST(Ranks, AnArrayIsSplit) {
  const SplitFrom small(1000);
  ranks::run_on_threads(4, [] {
    const Array<1, float> a = numbers(1'000'000);
    const ranks::Part part = ranks::part_of(a);
    EXPECT_FALSE(part.is_whole);
    EXPECT_EQ(part.axis, 0);
    EXPECT_LT(part.end - part.begin, 300'000);
    EXPECT_GT(part.end - part.begin, 200'000);
    EXPECT_EQ(part.begin % 8192, 0);
    const Array<1, float> mine = ranks::local_part(a);
    EXPECT_EQ(mine.size(), part.end - part.begin);
    EXPECT_TRUE(ranks::part_of(numbers(10)).is_whole);
  });
}

TEST(Ranks, Stencils) {
  const SplitFrom small(100);
  for (const Boundary& rule : {Boundary::wrap(), Boundary::clamp(), Boundary::constant(3.0f)})
    expect_same_on_ranks([&] {
      Array<2, float> a = picture(101, 77);
      for (int step = 0; step < 4; ++step) {
        a = (shift(a, {1, 0}, rule) + shift(a, {-1, 0}, rule) + shift(a, {0, 1}, rule) +
             shift(a, {0, -1}, rule) + shift(a, {2, -3}, rule)) *
            0.2f;
        if (step % 2) a.evaluate();
      }
      return a;
    });
}

TEST(Ranks, AHaloIsReceivedInPlace) {
  const SplitFrom small(100);
  expect_same_on_ranks([] {
    Array<2, float> a = picture(300, 64);
    a.evaluate();
    for (int step = 0; step < 5; ++step) {
      a = a + 0.25f * (rotate(a, {1, 0}) - rotate(a, {-1, 0}));
      a.evaluate();
    }
    return a;
  });
}

TEST(Ranks, Reductions) {
  const SplitFrom small(100);
  for (int64_t count : {101, 8192, 100'000, 1'000'003})
    expect_same_on_ranks([&] { return sum(numbers(count)); });
  expect_same_on_ranks([] { return sum(picture(1000, 999)); });
  expect_same_on_ranks([] { return sum(picture(1000, 999), {0}); });
  expect_same_on_ranks([] { return sum(picture(1000, 999), {1}); });
  expect_same_on_ranks([] { return max_val(picture(70'000, 3), {0}); });
  expect_same_on_ranks([] { return product(picture(5, 100'000) * 0.001f + 1.0f, {1}); });
  expect_same_on_ranks([] {
    const Array<1, float> a = numbers(300'000);
    return a / sqrt(sum(a * a));
  });
}

TEST(Ranks, PositionsOfExtremes) {
  const SplitFrom small(100);
  expect_same_on_ranks([] { return arg_max(numbers(300'000)).first; });
  expect_same_on_ranks([] { return arg_min(cast<double>(numbers(300'000))).first; });
}

TEST(Ranks, Scans) {
  const SplitFrom small(100);
  for (Scan form : {Scan::inclusive, Scan::exclusive}) {
    for (int64_t count : {101, 4096, 100'000, 1'000'003})
      expect_same_on_ranks([&] { return sum_scan(numbers(count), form); });
    expect_same_on_ranks([&] { return max_scan(numbers(100'000), form); });
    expect_same_on_ranks([&] { return sum_scan(picture(300, 1001), form); });
  }
}

TEST(Ranks, Sorting) {
  const SplitFrom small(100);
  expect_same_on_ranks([] { return sort(numbers(200'000)); });
  expect_same_on_ranks([] { return sort(numbers(200'000), Order::descending); });
  expect_same_on_ranks([] { return sort_permutation(numbers(200'000)); });
  const auto few = [] { return index(Shape<1>(100'000), 0) * 7919 % 5; };
  expect_same_on_ranks([&] { return sort_by(few(), numbers(100'000)); });
  expect_same_on_ranks([&] { return sort_by(few() * 0, numbers(100'000)); });
}

TEST(Ranks, ScatterAndHistogram) {
  const SplitFrom small(100);
  const auto targets = [] { return index(Shape<1>(100'000), 0) * 7919 % 1013; };
  expect_same_on_ranks([&] { return histogram(targets(), 50); });
  expect_same_on_ranks([&] { return histogram(targets(), 1000); });
  for (Collision rule : {Collision::sum, Collision::min, Collision::first, Collision::last})
    expect_same_on_ranks([&] {
      return scatter(Array<1, float>(Shape<1>(2000), 0.5f), targets(), numbers(100'000), rule);
    });
}

TEST(Ranks, Pack) {
  const SplitFrom small(100);
  expect_same_on_ranks([] {
    const Array<1, float> a = numbers(200'000);
    return pack(a, a > 20.0f);
  });
  expect_same_on_ranks([] {
    const Array<1, float> a = numbers(200'000);
    return pack(a, a > 1000.0f);
  });
  expect_same_on_ranks([] {
    const Array<1, int32_t> i = index(Shape<1>(200'000), 0);
    return sort(pack(i * 3, i < 50'000)) + 1;
  });
}

TEST(Ranks, GathersAndProducts) {
  const SplitFrom small(100);
  const WithSettings same_sums([](Settings& s) { s.reproducible = true; });
  expect_same_on_ranks([] {
    const Array<1, float> table = numbers(50);
    return table[index(Shape<1>(100'000), 0) * 31 % 50];
  });
  expect_same_on_ranks([] {
    Array<1, float> table = numbers(100'000);
    table.evaluate();
    return gather(table, Array<1, int32_t>(index(Shape<1>(5'000), 0) * 31 % 50'001));
  });
  expect_same_on_ranks([] {
    Array<2, float> a = picture(500, 300);
    a.evaluate();
    return inner_product(a, numbers(300));
  });
  expect_same_on_ranks([] { return inner_product(picture(500, 100), picture(100, 70)); });
}

// Every rank has all results. Large matrices are those of LAPACK where it is installed.
TEST(Ranks, MatricesAreDecomposedOnEveryRank) {
  const SplitFrom small(100);
  for (const int64_t n : {8, 50}) {
    const auto matrix = [n] { return cast<double>(picture(n, n)); };
    expect_same_on(3, [&] { return solve(matrix(), Array<1, double>(Shape<1>(n), 1.0)); });
    expect_same_on(3, [&] { return abs(eigenvalues(matrix())); });
  }
}

TEST(Ranks, TransformationsAndParts) {
  const SplitFrom small(100);
  expect_same_on_ranks([] {
    Array<2, float> a = picture(200, 300);
    a.evaluate();
    return transpose(a) * 2.0f;
  });
  expect_same_on_ranks([] {
    Array<2, float> a = picture(200, 300);
    a.evaluate();
    return reshape(a, Shape<2>(150, 400));
  });
  expect_same_on_ranks([] {
    Array<2, float> a = picture(200, 300);
    a.evaluate();
    a(range(20, 120), range(0, 300)) = picture(100, 300);
    return a;
  });
  expect_same_on_ranks([] {
    Array<1, float> a = numbers(100'000);
    a.evaluate();
    return concat({reverse(a), a});
  });
}

// ---- what asks other ranks for elements

Array<1, float> split_numbers(int64_t count) { return ranks::distribute(numbers(count)); }
Array<1, int32_t> scattered(int64_t count, int64_t below) {
  return index(Shape<1>(count), 0) * 7919 % static_cast<int32_t>(below);
}

TEST(Ranks, GathersFromSplitTables) {
  const SplitFrom small(100);
  for (const Boundary& rule : {Boundary::wrap(), Boundary::clamp(), Boundary::constant(3.0f)})
    for (int64_t count : {40, 5'000, 70'000})
      expect_same_on_ranks([&] {
        const Array<1, int32_t> places = scattered(count, 40'000) - 5'000;
        return gather(split_numbers(30'000), rule, places);
      });
  expect_same_on_ranks([] {  // a table that is pending, of two axes, split along the second
    const Array<2, float> table = ranks::distribute(picture(50, 301), 1) * 2.0f;
    const Shape<2> shape(200, 90);
    const Array<2, int32_t> rows = index(shape, 0) * 7 % 53, columns = index(shape, 1) * 11 % 303;
    return gather(table, rows * columns % 50, columns);
  });
  expect_same_on_ranks([] {
    const Array<1, int64_t> places = cast<int64_t>(scattered(9'000, 30'000));
    return gather(split_numbers(30'000), places);
  });
}

NodeRef scatter_into_matrix(const NodeRef& base, const NodeRef& values, Collision rule) {
  const int64_t count = values->shape[0];
  const NodeRef indices[] = {Array<1, int32_t>(scattered(count, 70) - 3).node(),
                             Array<1, int32_t>(scattered(count, 45)).node()};
  return detail::scatter(base, indices, values, rule, {});
}

TEST(Ranks, ScattersIntoMatrices) {
  const SplitFrom small(100);
  for (Collision rule : {Collision::sum, Collision::max, Collision::first, Collision::last})
    for (int64_t values : {50, 20'000})
      expect_same_on_ranks([&] {
        const Array<2, float> base = ranks::distribute(picture(61, 43), rule == Collision::max);
        return Array<2, float>(
            scatter_into_matrix(base.node(), split_numbers(values).node(), rule));
      });
  expect_same_on_ranks([] {  // partial sums
    const Array<2, int32_t> base(Shape<2>(7, 9), 1);
    return Array<2, int32_t>(
        scatter_into_matrix(base.node(), scattered(20'000, 100).node(), Collision::sum));
  });
}

// Offsets of segments of different lengths, some of them empty; the last may be most of the vector.
Array<1, int32_t> some_offsets(int64_t segments, int64_t elements) {
  const Array<1, int32_t> i = index(Shape<1>(segments + 1), 0);
  const Array<1, int32_t> ascending = i * i / 3 % 7 + i * 5;
  const auto most = static_cast<int32_t>(elements), last = static_cast<int32_t>(segments);
  return ranks::distribute(cond(i == last, most, cond(i == 0, 0, min(sort(ascending), most))));
}

TEST(Ranks, SegmentedOperations) {
  const SplitFrom small(100);
  for (int64_t segments : {1, 3, 700, 9'000}) {
    const int64_t elements = 45'001;
    const auto offsets = [&] { return some_offsets(segments, elements); };
    expect_same_on_ranks([&] { return segmented_sum(split_numbers(elements), offsets()); });
    expect_same_on_ranks([&] { return sum_scan(split_numbers(elements), offsets()); });
    expect_same_on_ranks([&] { return segmented_sort(split_numbers(elements), offsets()); });
    expect_same_on_ranks([&] {
      return Array<1, int32_t>(
          detail::sort_permutation(split_numbers(elements).node(), offsets().node(), false, {}));
    });
    expect_same_on_ranks([&] { return element_segments(offsets(), elements); });
  }
}

TEST(Ranks, OffsetsThatDoNotFitAreOneErrorOnAllRanks) {
  const SplitFrom small(100);
  const auto wrong = [] { return segmented_sum(split_numbers(10'000), some_offsets(700, 9'000)); };
  std::string alone;
  try {
    wrong().to_vector();
  } catch (const Error& error) {
    alone = error.what();
  }
  EXPECT_NE(alone, "");
  std::atomic<int> same = 0;
  ranks::run_on_threads(3, [&] {
    try {
      wrong().to_vector();
    } catch (const Error& error) {
      same += error.what() == alone;
    }
  });
  EXPECT_EQ(same, 3);
}

TEST(Ranks, TransformsOfLines) {
  const SplitFrom small(100);
  for (const int axis : {0, 1})
    expect_same_on_ranks([axis] {
      const Array<2, float> real = picture(60, 48);
      return fft(Array<2, std::complex<float>>(real, real * real), axis).imag();
    });
  expect_same_on_ranks([] { return rfft(numbers(1024)).real(); });
  expect_same_on_ranks([] { return rfft(numbers(1013)).imag(); });
}

TEST(Ranks, Searches) {
  const SplitFrom small(100);
  for (int64_t count : {1, 20, 3'000}) {
    expect_same_on_ranks([&] { return top_k(split_numbers(20'000), count).indices; });
    expect_same_on_ranks([&] {
      return lower_bound(sort(split_numbers(20'000)), Array<1, float>(numbers(count) * 1.1f));
    });
  }
}

TEST(Ranks, RecurrencesByLines) {
  const SplitFrom small(100);
  for (int axis : {0, 1})
    for (int split : {0, 1})
      expect_same_on_ranks([&] {
        const Array<2, float> x = ranks::distribute(picture(70, 90), split);
        return recurrence([](auto y, auto v) { return 0.5f * y + v; }, 0.25f, x, axis);
      });
}

TEST(Ranks, AnArrayIsSplitAlongAnyAxis) {
  const SplitFrom small(100);
  for (int first : {0, 1, 2})
    for (int second : {0, 1, 2})
      expect_same_on_ranks([&] {
        const Shape<3> shape(11, 9, 13);
        const Array<3, float> a =
            cast<float>(index(shape, 0) * 100 + index(shape, 1) * 10 + index(shape, 2));
        return ranks::distribute(ranks::distribute(a, first) * 2.0f, second) + 1.0f;
      });
}

// Two small gathers: what the ranks are about to do, and the results of tiles.
TEST(Ranks, ASumTakesTwoGathersAndNoMessages) {
  const SplitFrom small(1000);
  ranks::run_on_threads(4, [] {
    const Array<1, float> a = numbers(1'000'000).evaluate();
    const ranks::Traffic before = ranks::traffic();
    static_cast<void>(sum(a * 2.0f).to_vector());
    EXPECT_EQ(ranks::traffic().gathers - before.gathers, 2);
    EXPECT_EQ(ranks::traffic().messages - before.messages, 0);
  });
}

// Two small gathers for a step, and one message to each neighbour for the halos of both arrays.
TEST(Ranks, HalosOfSeveralArraysTravelTogether) {
  const SplitFrom small(100);
  ranks::run_on_threads(3, [] {
    const Array<2, float> a = picture(300, 64).evaluate(), b = (picture(300, 64) * 2.0f).evaluate();
    const ranks::Traffic before = ranks::traffic();
    const Array<2, float> c =
        shift(a, {1, 0}, Boundary::clamp()) - shift(b, {-1, 0}, Boundary::clamp());
    c.evaluate();
    EXPECT_EQ(ranks::traffic().gathers - before.gathers, 2);
    EXPECT_LE(ranks::traffic().messages - before.messages, 2);
  });
}

TEST(Ranks, ToVectorOnOneRank) {
  const SplitFrom small(100);
  const std::vector<float> want = numbers(100'000).to_vector();
  ranks::run_on_threads(3, [&] {
    const std::vector<float> got = ranks::to_vector_on(1, numbers(100'000));
    if (ranks::rank() == 1)
      EXPECT_EQ(got, want);
    else
      EXPECT_TRUE(got.empty());
  });
}

}  // namespace
}  // namespace tutti::test
