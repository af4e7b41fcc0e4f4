// Sections that are written: every element against plain C++, what is overwritten and what is
// copied, one plan for all sections of a shape, errors.
#include <algorithm>
#include <random>

#include "support/errors.hpp"
#include "support/statistics.hpp"
#include "transform/model.hpp"

namespace tutti::test {
namespace {

using detail::NodeRef;

NodeRef written(const NodeRef& base, const std::vector<Range>& ranges, const NodeRef& values) {
  return detail::write_section(base, ranges, values, std::source_location());
}
template <int D, class T>
Array<D, T> written(const Array<D, T>& base, const std::vector<Range>& ranges,
                    const Array<D, T>& values) {
  return Array<D, T>(std::array{written(base.node(), ranges, values.node())});
}
// The elements of a rank-2 array after an assignment, by loops.
template <class T>
std::vector<T> by_loops(std::vector<T> base, int64_t columns, const std::vector<Range>& r,
                        const std::vector<T>& values) {
  for (int64_t i = 0; i < r[0].count; ++i)
    for (int64_t j = 0; j < r[1].count; ++j)
      base[static_cast<size_t>((r[0].begin + i * r[0].stride) * columns + r[1].begin +
                               j * r[1].stride)] = values[static_cast<size_t>(i * r[1].count + j)];
  return base;
}

const std::vector<std::vector<Range>> sections_of_60_by_70 = {
    {{0, 1, 1}, {0, 70, 1}},   {{59, 1, 1}, {0, 70, 1}}, {{0, 60, 1}, {3, 1, 1}},
    {{7, 5, 1}, {0, 70, 1}},   {{7, 5, 1}, {11, 40, 1}}, {{59, 20, -3}, {69, 35, -2}},
    {{1, 29, 2}, {0, 70, 1}},  {{0, 60, 1}, {0, 70, 1}}, {{30, 1, 1}, {69, 1, 1}},
    {{59, 60, -1}, {0, 70, 1}}};

TEST(WriteSection, EverySizeOfElement) {
  for_each_size_of_type([](auto tag) {
    using T = typename decltype(tag)::type;
    const Array<2, T> base = plain_array<2, T>({60, 70});
    for (const std::vector<Range>& ranges : sections_of_60_by_70) {
      const Array<2, T> values =
          section(base, PerAxis<Range>(std::vector<Range>{
                            {60 - ranges[0].count, ranges[0].count, 1}, {0, ranges[1].count, 1}}));
      expect_values([&] { return written(base, ranges, values); },
                    by_loops(base.to_vector(), 70, ranges, values.to_vector()));
    }
  });
}

TEST(WriteSection, OfDataOfNumbersAndOfWhatIsComputed) {
  const auto a = plain_array<2, float>({60, 70});
  const std::vector<float> before = a.to_vector();
  for (const std::vector<Range>& ranges : sections_of_60_by_70) {
    const Shape<2> part(ranges[0].count, ranges[1].count);
    const Array<2, float> data = plain_array<2, float>(part) + 0.5f;
    const std::vector<float> given = data.to_vector();
    std::vector<float> squares = given;
    for (float& x : squares) x = x * x - 1.0f;
    expect_values([&] { return written(a, ranges, data); }, by_loops(before, 70, ranges, given));
    expect_values([&] { return written(a, ranges, Array<2, float>(part, 7.0f)); },
                  by_loops(before, 70, ranges, std::vector<float>(given.size(), 7.0f)));
    expect_values([&] { return written(a, ranges, Array<2, float>(data * data - 1.0f)); },
                  by_loops(before, 70, ranges, squares));
    EXPECT_EQ(a.to_vector(), before);
  }
}

// What is assigned is computed before anything is written.
TEST(WriteSection, ReadsItsOwnArrayFirst) {
  const auto plain = plain_array<2, int>({64, 50}).to_vector();
  for (const bool pending : {false, true})
    for (const int rows : {1, 3, 40}) {
      Array<2, int> a(plain, 64, 50);
      std::vector<int> expected = plain;
      if (pending) {
        a = a * 2;
        for (int& x : expected) x *= 2;
      }
      const std::vector<int> before = expected;
      slice(a, {2, 0}, {2 + rows, 50}) = slice(std::as_const(a), {1, 0}, {1 + rows, 50}) + 1;
      for (int i = 0; i < rows * 50; ++i)
        expected[static_cast<size_t>(100 + i)] = before[static_cast<size_t>(50 + i)] + 1;
      EXPECT_EQ(a.to_vector(), expected);
    }
  // A vector along itself, in both directions and by reflection.
  std::vector<int> line(1000);
  for (size_t i = 0; i < line.size(); ++i) line[i] = static_cast<int>(i * i % 97);
  for (const Range& from : {Range{0, 100, 1}, Range{2, 100, 1}, Range{100, 100, -1}}) {
    Array<1, int> x(line);
    const Array<1, int> moved = section(x, {from}) + 1;
    x = written(x, {{1, 100, 1}}, moved);
    std::vector<int> expected = line;
    for (int64_t i = 0; i < 100; ++i)
      expected[static_cast<size_t>(1 + i)] =
          line[static_cast<size_t>(from.begin + i * from.stride)] + 1;
    EXPECT_EQ(x.to_vector(), expected);
  }
}

TEST(WriteSection, WritesOverWhatNothingElseNeeds) {
  Array<2, float> a = plain_array<2, float>({100, 80});
  std::vector<float> expected = a.to_vector();
  const Array<2, float> row({1, 80}, 4.0f);
  for (int i = 0; i < 20; ++i) {
    const Statistics before = statistics();
    slice(a, {3 * i, 0}, {3 * i + 1, 80}) = row * static_cast<float>(i);
    a.evaluate();
    const Statistics cost = since(before);
    EXPECT_EQ(cost.plans_built, i == 0 ? 1 : 0);
    EXPECT_EQ(cost.buffers_allocated, 0);
    EXPECT_EQ(cost.buffers_reused_in_place, 1);
    for (int j = 0; j < 80; ++j) expected[static_cast<size_t>(240 * i + j)] = 4.0f * i;
  }
  EXPECT_EQ(a.to_vector(), expected);
}

// What reads an array runs before the array is written over, in whatever order the results are
// asked for.
TEST(WriteSection, ReadersRunBefore) {
  for (const bool readers_first : {false, true}) {
    Array<2, float> a = plain_array<2, float>({100, 80}) * 2.0f;
    std::vector<float> expected = a.to_vector();
    a = a + 1.0f;
    for (float& x : expected) x += 1.0f;
    std::vector<Array<0, float>> totals;
    std::vector<float> wanted;
    for (int i = 0; i < 5; ++i) {
      a = written(a, {{i, 1, 1}, {0, 80, 1}}, Array<2, float>({1, 80}, 10.0f + i));
      totals.push_back(sum(drop_dimension(section(a, {{i, 1, 1}, {0, 80, 1}}), 0)));
      for (int j = 0; j < 80; ++j) expected[static_cast<size_t>(80 * i + j)] = 10.0f + i;
      wanted.push_back(80 * (10.0f + i));
    }
    std::vector<NodeRef> roots{a.node()};
    for (const auto& total : totals) roots.push_back(total.node());
    if (readers_first) std::reverse(roots.begin(), roots.end());
    const Statistics start = statistics();
    detail::evaluate(roots);
    EXPECT_EQ(since(start).buffers_reused_in_place, 5);
    EXPECT_EQ(a.to_vector(), expected);
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(totals[i].item(), wanted[i]);
  }
}

// A section that is computed from its own elements and from elements outside of it: nothing is
// stored, copied or chosen, however large it is.
TEST(WriteSection, UpdatesInPlace) {
  const ScopedDevice cpu("cpu");  // a GPU chooses between old and new elements
  constexpr int64_t n = 80;
  Array<2, float> a = plain_array<2, float>({n, n}) + 100.0f;
  std::vector<float> expected = a.to_vector();
  for (int64_t k = 0; k < 20; ++k) {
    const Statistics before = statistics();
    a(from(k + 1), from(k + 1)) =
        Array<2, float>(a(from(k + 1), from(k + 1))) -
        outer_product(Array<1, float>(a(from(k + 1), k)), Array<1, float>(a(k, from(k + 1))));
    a.evaluate();
    const Statistics cost = since(before);
    EXPECT_EQ(cost.kernel_launches, 1) << "step " << k;
    EXPECT_EQ(cost.buffers_allocated, 0) << "step " << k;
    EXPECT_EQ(cost.buffers_reused_in_place, 1) << "step " << k;
    const auto at = [&](int64_t i, int64_t j) -> float& {
      return expected[static_cast<size_t>(i * n + j)];
    };
    for (int64_t i = k + 1; i < n; ++i)
      for (int64_t j = k + 1; j < n; ++j) at(i, j) -= at(i, k) * at(k, j);
    ASSERT_EQ(a.to_vector(), expected) << "step " << k;
  }
}

// Values that also read another section, a row or a column of their array, inside or outside of the
// section that is written, in an array that nothing else refers to.
TEST(WriteSection, ReadsOtherElementsBeforeTheyAreWritten) {
  const std::vector<int> plain = plain_array<2, int>({60, 70}).to_vector();
  const auto element = [&](int64_t i, int64_t j) { return plain[static_cast<size_t>(i * 70 + j)]; };
  for (const std::vector<Range>& r : sections_of_60_by_70)
    for (const int64_t other : {0, 7, 8, 30, 59})
      for (const bool of_rows : {false, true}) {
        Array<2, int> a(plain, 60, 70);
        const int64_t at = of_rows ? other : other + 3;
        const Array<2, int> line =
            of_rows ? section(a, {{at, 1, 1}, {r[1].begin, r[1].count, r[1].stride}})
                    : section(a, {{r[0].begin, r[0].count, r[0].stride}, {at, 1, 1}});
        a = written(a, r, Array<2, int>(section(a, {r[0], r[1]}) * 3 + line));
        std::vector<int> values;
        for (int64_t i = 0; i < r[0].count; ++i)
          for (int64_t j = 0; j < r[1].count; ++j) {
            const int64_t y = r[0].begin + i * r[0].stride, x = r[1].begin + j * r[1].stride;
            values.push_back(element(y, x) * 3 + (of_rows ? element(at, x) : element(y, at)));
          }
        ASSERT_EQ(a.to_vector(), by_loops(plain, 70, r, values)) << other << of_rows;
      }
}

TEST(WriteSection, BoxesOfThreeAxesInPlace) {
  std::vector<int> expected = plain_array<3, int>({9, 20, 40}).to_vector();
  Array<3, int> a(expected, 9, 20, 40);
  slice(a, {1, 2, 3}, {8, 19, 39}) = slice(std::as_const(a), {1, 2, 3}, {8, 19, 39}) * 2 + 1;
  for (int64_t i = 1; i < 8; ++i)
    for (int64_t j = 2; j < 19; ++j)
      for (int64_t k = 3; k < 39; ++k) {
        int& x = expected[static_cast<size_t>((i * 20 + j) * 40 + k)];
        x = x * 2 + 1;
      }
  EXPECT_EQ(a.to_vector(), expected);
}

TEST(WriteSection, CopiesWhatIsNeededElsewhere) {
  Array<2, float> a = plain_array<2, float>({100, 80});
  const std::vector<float> before = a.to_vector();
  const Array<2, float> kept = a;
  const Statistics start = statistics();
  slice(a, {5, 0}, {6, 80}) = Array<2, float>({1, 80}, 4.0f);
  a.evaluate();
  EXPECT_EQ(since(start).buffers_reused_in_place, 0);
  EXPECT_EQ(kept.to_vector(), before);
  // Needed by what is still to be computed.
  Array<2, float> b = a;
  const Array<2, float> later = a * 2.0f;
  slice(b, {7, 0}, {8, 80}) = Array<2, float>({1, 80}, 5.0f);
  a = Array<2, float>();
  b.evaluate();
  EXPECT_EQ(b.to_vector()[560], 5.0f);
  EXPECT_EQ(later.to_vector()[560], 2.0f * before[560]);
}

TEST(WriteSection, NeverWritesToMemoryOfTheCaller) {
  std::vector<float> memory(8000, 1.0f);
  Array<2, float> a = Array<2, float>::view(memory.data(), Shape<2>(100, 80), Shape<2>(80, 1));
  slice(a, {5, 0}, {6, 80}) = 4.0f;
  EXPECT_EQ(a.to_vector()[400], 4.0f);
  EXPECT_EQ(memory, std::vector<float>(8000, 1.0f));
}

// Where a section lies is no part of the plan, so two sections that coincide in one evaluation may
// be apart in the next.
TEST(WriteSection, OnePlanForSectionsThatCoincideOrNot) {
  const auto work = [](int64_t first, int64_t second, int64_t read) {
    const Array<1, int> base(std::vector<int>(100, 1)), values(std::vector<int>{5, 6, 7});
    const Array<1, int> a = written(base, {{first, 3, 1}}, values),
                        b = written(base, {{second, 3, 1}}, values),
                        c = written(a, {{read, 3, 1}}, values);
    evaluate(a, b, c);
    return std::array{a.to_vector(), b.to_vector(), c.to_vector()};
  };
  const auto expected = [](std::vector<int64_t> begins) {
    std::vector<int> x(100, 1);
    for (const int64_t begin : begins)
      for (int64_t i = 0; i < 3; ++i) x[static_cast<size_t>(begin + i)] = static_cast<int>(5 + i);
    return x;
  };
  work(4, 4, 4);
  const Statistics before = statistics();
  for (const auto& [first, second, third] :
       {std::tuple(4, 4, 4), std::tuple(0, 97, 1), std::tuple(10, 11, 12), std::tuple(9, 9, 50)}) {
    const auto [a, b, c] = work(first, second, third);
    EXPECT_EQ(a, expected({first}));
    EXPECT_EQ(b, expected({second}));
    EXPECT_EQ(c, expected({first, third}));
  }
  EXPECT_EQ(since(before).plans_built, 0);
}

// A variable that is written to at random, read and copied now and then.
TEST(WriteSection, ManyInALoop) {
  std::mt19937_64 random(17);
  const auto pick = [&](int64_t n) { return static_cast<int64_t>(random() % uint64_t(n)); };
  Array<2, int> a = plain_array<2, int>({40, 33});
  std::vector<int> expected = a.to_vector();
  Array<2, int> copy = a;
  std::vector<int> copied = expected;
  for (int step = 0; step < 400; ++step) {
    const int64_t rows = 1 + pick(6), columns = 1 + pick(33);
    const Range down{pick(41 - rows), rows, 1}, across{pick(34 - columns), columns, 1};
    const Range from{pick(41 - rows), rows, 1};
    const std::vector<int> before = expected;
    a = written(a, {down, across}, Array<2, int>(section(a, {from, across}) * 3 + step));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        const int64_t column = across.begin + j;
        expected[static_cast<size_t>((down.begin + i) * 33 + column)] = static_cast<int>(
            static_cast<uint32_t>(before[static_cast<size_t>((from.begin + i) * 33 + column)]) *
                3u +
            static_cast<uint32_t>(step));
      }
    if (pick(3) == 0) a.evaluate();
    if (pick(10) == 0) {
      EXPECT_EQ(copy.to_vector(), copied);
      copy = a;
      copied = expected;
    }
    if (pick(7) == 0) {
      ASSERT_EQ(a.to_vector(), expected) << "step " << step;
    }
  }
  EXPECT_EQ(a.to_vector(), expected);
}

// Each section is written by a kernel of its own. The state that all of them are computed from is
// stored, else the last kernel would compute every step again.
TEST(WriteSection, StepsOfARecurrenceAreComputedOnce) {
  const ScopedDevice cpu("cpu");  // a GPU computes some steps again rather than start a kernel
  constexpr int64_t steps = 40, columns = 8000;
  const auto a = plain_array<2, float>({steps, columns});
  Array<2, float> state({1, columns}, 1.0f), out({steps, columns}, 0.0f);
  std::vector<float> expected, row(columns, 1.0f);
  const std::vector<float> given = a.to_vector();
  for (int64_t k = 0; k < steps; ++k) {
    state = state * 0.5f + section(a, {Range{k, 1}, Range{0, columns}});
    out = written(out, {{k, 1, 1}, {0, columns, 1}}, Array<2, float>(state * 2.0f - 1.0f));
    for (int64_t j = 0; j < columns; ++j) {
      float& x = row[static_cast<size_t>(j)];
      x = x * 0.5f + given[static_cast<size_t>(k * columns + j)];
      expected.push_back(x * 2.0f - 1.0f);
    }
  }
  int64_t products = 0;
  const Explanation explanation = explain(out);
  for (const Explanation::Kernel& kernel : explanation.kernels())
    products += std::ranges::count(kernel.operations, std::string("multiply"));
  EXPECT_LE(products, 3 * steps) << explanation;
  EXPECT_EQ(out.to_vector(), expected);
}

// Two rows of an array that is expensive to compute: the others are not computed for them.
TEST(WriteSection, SectionsOfWhatIsComputedAreComputedAlone) {
  const auto a = plain_array<2, float>({500, 300});
  const Array<2, float> expensive = tgamma(abs(a) + 1.5f);
  Array<2, float> out({2, 300}, 0.0f);
  for (int64_t k = 0; k < 2; ++k)
    out = written(out, {{k, 1, 1}, {0, 300, 1}},
                  Array<2, float>(section(expensive, {Range{200 * k, 1}, Range{0, 300}})));
  const Explanation explanation = explain(out);
  for (const Explanation::Kernel& kernel : explanation.kernels())
    EXPECT_EQ(kernel.shape.find("500"), std::string::npos) << explain(out);
}

TEST(WriteSection, LargeOnesOnAllThreads) {
  const Array<2, float> values = plain_array<2, float>({900, 400});
  const Array<2, float> base({1000, 1000}, 2.0f);
  const std::vector<float> before(1'000'000, 2.0f);
  std::vector<float> given = values.to_vector();
  for (float& x : given) x = x * 0.5f + 1.0f;
  for (const std::vector<Range>& ranges : {std::vector<Range>{{50, 900, 1}, {300, 400, 1}},
                                           {{50, 900, 1}, {3, 400, 2}},
                                           {{949, 900, -1}, {999, 400, -2}}})
    expect_values([&] { return written(base, ranges, Array<2, float>(values * 0.5f + 1.0f)); },
                  by_loops(before, 1000, ranges, given));
}

TEST(WriteSection, IsExplained) {
  const Array<2, float> a = plain_array<2, float>({60, 70});
  const Array<2, float> b = written(a, {{3, 1, 1}, {0, 70, 1}}, Array<2, float>({1, 70}, 1.0f));
  EXPECT_NE(explain(b).graph().find("write_section [i0 + 3, i1]"), std::string::npos)
      << explain(b).graph();
}

TEST(WriteSection, Errors) {
  Array<2, float> a = plain_array<2, float>({6, 7});
  const Array<2, float> row({1, 7}, 1.0f);
  const auto expect_error = [](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  const auto write = [&](const std::vector<Range>& ranges, const NodeRef& values) {
    return written(a.node(), ranges, values);
  };
  expect_error(message_of<ShapeError>([&] { write({{6, 1, 1}, {0, 7, 1}}, row.node()); }),
               "reaches outside");
  expect_error(message_of<ShapeError>([&] { write({{-1, 1, 1}, {0, 7, 1}}, row.node()); }),
               "reaches outside");
  expect_error(message_of<ShapeError>([&] { write({{0, 2, 1}, {0, 7, 1}}, row.node()); }),
               "the part has the shape {2, 7}, what is assigned {1, 7}");
  expect_error(message_of<ShapeError>([&] { write({{0, 1, 1}}, row.node()); }), "1 ranges");
  expect_error(message_of<ShapeError>([&] { write({{0, 1, 1}, {3, 7, 0}}, row.node()); }),
               "collide");
  expect_error(message_of<TypeError>([&] { write({{0, 1, 1}, {0, 7, 1}}, cast<int>(row).node()); }),
               "convert with cast");
  expect_error(message_of<Error>([&] { write({{0, 1, 1}, {0, 7, 1}}, NodeRef()); }), "moved from");
  // Nothing to write.
  EXPECT_EQ(written(a, {{0, 0, 1}, {0, 7, 1}}, Array<2, float>({0, 7}, 1.0f)).to_vector(),
            a.to_vector());
}

}  // namespace
}  // namespace tutti::test
