// Which operations share a kernel, as explain() reports it before anything runs.
#include "support/compare.hpp"
#include "support/values.hpp"

#include <algorithm>
#include <sstream>

namespace tutti::test {
namespace {

template <class... A>
size_t kernels(const A&... arrays) {
  return explain(arrays...).kernels().size();
}

// How often an operation is computed, over all kernels.
int64_t times(const Explanation& explained, const std::string& operation) {
  int64_t result = 0;
  for (const auto& kernel : explained.kernels())
    result += std::count(kernel.operations.begin(), kernel.operations.end(), operation);
  return result;
}

class Explain : public testing::Test {
 protected:
  const ScopedDevice cpu_{"cpu"};  // a GPU has another cost model
  const Array<2, float> a = plain_array<2>({64, 100}), b = plain_array<2>({64, 100}) + 1.0f;
  void SetUp() override { b.evaluate(); }
};

TEST_F(Explain, ElementwiseGraphsAreOneKernel) {
  const auto x = sqrt(a * a + b * b), y = cond(x > 2.0f, x / (a + 1.0f), -x);
  EXPECT_EQ(kernels(y), 1u) << explain(y);
  EXPECT_EQ(explain(y).kernels()[0].bytes_read, 2 * 64 * 100 * 4);
  EXPECT_EQ(explain(y).kernels()[0].bytes_written, 64 * 100 * 4);
}

TEST_F(Explain, KernelsOfATemporaryAreValues) {
  std::vector<std::string> operations;
  for (const Explanation::Kernel& kernel : explain(sqrt(a) + b).kernels()) {
    EXPECT_FALSE(kernel.strategy.empty());
    operations.insert(operations.end(), kernel.operations.begin(), kernel.operations.end());
  }
  EXPECT_EQ(operations, (std::vector<std::string>{"sqrt", "add"}));
  const std::string& graph = explain(sqrt(a) + b).graph();
  EXPECT_NE(graph.find("sqrt"), std::string::npos) << graph;
}

// Of an array of which a part is read, that part counts.
TEST_F(Explain, SectionsCountForWhatIsRead) {
  const auto bytes = [](const auto& x) { return explain(x).kernels().at(0).bytes_read; };
  EXPECT_EQ(bytes(section(a, {{10, 5}, {0, 100}}) + 1.0f), 5 * 100 * 4);
  EXPECT_EQ(bytes(section(a, {{0, 8, 3}, {99, 20, -2}}) * 2.0f), 8 * 20 * 4);
  EXPECT_EQ(bytes(drop_dimension(section(a, {{7, 1}, {0, 100}}), 0) + 1.0f), 100 * 4);
  EXPECT_EQ(bytes(section(a, {{0, 9}, {0, 10}}) + section(a, {{1, 9}, {1, 10}})), 10 * 11 * 4);
  EXPECT_EQ(bytes(section(a, {{0, 2}, {0, 10}}) + section(a, {{1, 2}, {5, 10}})), 2 * 20 * 4)
      << "not more than is loaded";
  EXPECT_EQ(bytes(section(a, {{20, 30}, {0, 100}}) + section(b, {{20, 30}, {0, 100}})),
            2 * 30 * 100 * 4);
  EXPECT_EQ(bytes(shift(a, {3, 0}) + a), 64 * 100 * 4) << "all of it";
  EXPECT_EQ(bytes(sum(section(a, {{0, 2}, {0, 10}}))), 2 * 10 * 4);
  const Array<1, float> line(std::vector<float>(100'000, 1.0f));
  EXPECT_EQ(bytes(sum(section(line, {{5, 50'000}}))), 50'000 * 4) << "by totals of tiles";
  EXPECT_EQ(bytes(gather(line, Array<1, int>(std::vector<int>{5, 9, 3}))), 3 * 4 + 3 * 4);
}

TEST_F(Explain, TransformationsFuse) {
  EXPECT_EQ(kernels(rotate(a + b, {0, 1}) * shift(a - b, {1, 0})), 1u);
  EXPECT_EQ(kernels(section(transpose(a * 2.0f), {{0, 50, 2}, {63, 64, -1}}) + 1.0f), 1u);
  EXPECT_EQ(kernels(pad(expand(a, {{1, 1}, {2, 2}}), {{1, 1}, {1, 1}}, 0.0f) * 3.0f), 1u);
  EXPECT_EQ(kernels(gather(a + 1.0f, index<2>({64, 100}, 0), index<2>({64, 100}, 1) * 2)), 1u);
}

TEST_F(Explain, PlacesThatAreAResultAreGatheredAtInTheSameKernel) {
  const Array<1, float> table(std::vector<float>(1000, 1.0f));
  const Array<1, int> order(std::vector<int>(100, 7));
  const Array<1, int> places = gather(order, index<1>({200}, 0) / 2);
  const Array<1, float> found = gather(table, places);
  EXPECT_EQ(kernels(places, found), 1u) << explain(places, found);
  EXPECT_EQ(kernels(places, gather(places, places)), 2u) << "what is looked up in must be there";
}

TEST_F(Explain, BlurOfTwoPassesIsTwoKernels) {
  const Array<2, float> image = plain_array<2>({300, 400});
  Array<2, float> x(image.shape(), 0.0f), y(image.shape(), 0.0f);
  for (int i = -2; i <= 2; ++i) x += shift(image, {0, i}) * 0.2f;
  for (int i = -2; i <= 2; ++i) y += shift(x, {i, 0}) * 0.2f;
  EXPECT_EQ(kernels(y), 2u) << explain(y);
}

TEST_F(Explain, ReplicateCutsWhatIsDear) {
  const Array<1, float> row = plain_array<1>({1000});
  const auto cheap = replicate(row + 1.0f, {50000});
  const auto expensive = replicate(pow(tgamma(row), sin(row)), {50000});
  EXPECT_EQ(kernels(cheap), 1u) << explain(cheap);
  EXPECT_EQ(kernels(expensive), 2u) << explain(expensive);
  EXPECT_EQ(explain(expensive).kernels()[0].shape, "{1000}");
}

TEST_F(Explain, WhatIsSharedIsComputedOnce) {
  const auto explained = explain((a + b) * (a + b));  // two nodes, one value
  EXPECT_EQ(explained.kernels().size(), 1u);
  EXPECT_EQ(times(explained, "add"), 1) << explained;
  EXPECT_EQ(times(explained, "multiply"), 1);
  const auto c = exp(a);
  EXPECT_EQ(times(explain(c + c * c), "exp"), 1);
}

TEST_F(Explain, DifferentConstantsAreNotShared) {
  expect_same([&] { return (a + 1.0f) * (a + 2.0f) - (a + 1.0f); });
  expect_same([&] { return shift(a, {0, 1}) - shift(a, {0, 2}); });
  expect_same([&] {
    return shift(a, {0, 9}, Boundary::constant(1)) - shift(a, {0, 9}, Boundary::constant(2));
  });
  EXPECT_EQ(times(explain((a + 1.0f) * (a + 2.0f)), "add"), 2);
}

TEST_F(Explain, EqualIntegersAreOne) {
  const auto i = cast<int32_t>(a);
  const auto twice = [&](int first, int second) { return (i + first) * (i + second); };
  EXPECT_EQ(times(explain(twice(3, 3)), "add"), 1);
  EXPECT_EQ(times(explain(twice(3, 4)), "add"), 2);
  // The plan of one is not taken for the other, whichever comes first.
  expect_same([&] { return twice(3, 3); });
  expect_same([&] { return twice(3, 4); });
  expect_same([&] { return twice(5, 5); });
}

TEST_F(Explain, SiblingsAreOneKernel) {
  const auto x = a + b, y = a * b, z = x - y;
  EXPECT_EQ(kernels(x, y, z), 1u) << explain(x, y, z);
  evaluate(x, y, z);
  EXPECT_TRUE(same(read(a + b), read(x)));
  EXPECT_TRUE(same(read((a + b) - a * b), read(z)));
}

TEST_F(Explain, TuplesAreOneKernel) {
  const Array<2, Value3f> colour = join(a, b, a + b);
  EXPECT_EQ(kernels(colour * 2.0f + Value3f{1, 2, 3}), 1u);
}

TEST_F(Explain, ReductionsEndAKernel) {
  const auto x = a / sum(a);
  EXPECT_EQ(kernels(x), 2u) << explain(x);
  EXPECT_EQ(explain(x).kernels()[0].name, "reduce");
  EXPECT_EQ(explain(x).kernels()[1].name, "map");
  EXPECT_EQ(kernels(inner_product(a, transpose(b))), 1u);  // reads b as it is
}

TEST_F(Explain, SaysWhyInWords) {
  const auto explained = explain(shift(a, {0, 1}) + a);
  const auto& kernel = explained.kernels().at(0);
  EXPECT_EQ(kernel.operations, (std::vector<std::string>{"shift {0, 1}", "add"}));
  EXPECT_EQ(kernel.reason, "it is a result");
  std::ostringstream out;
  out << explained;
  for (const char* text :
       {"kernel 1 of 1", "shift {0, 1}", "add", "25.0 KB", "whole rows", "it is a result"})
    EXPECT_NE(out.str().find(text), std::string::npos) << text << " in\n" << out.str();
  a.evaluate();
  EXPECT_EQ(explain(a).text(), "nothing to compute\n");
}

TEST_F(Explain, RunsNothing) {
  const auto before = statistics();
  explain(sqrt(a + b));
  EXPECT_EQ(statistics().kernel_launches, before.kernel_launches);
  EXPECT_EQ(statistics().kernels_compiled, before.kernels_compiled);
}

// A kernel has limits: a graph beyond them is cut, and right.
TEST_F(Explain, LongGraphsAreCut) {
  const WithSettings patient([](Settings& s) { s.max_pending_operations = 1 << 20; });
  const auto build = [&] {
    Array<2, float> x = a;
    for (int i = 0; i < 2500; ++i) x = x * 1.001f + b;
    return x;
  };
  const size_t count = kernels(build());
  EXPECT_GT(count, 2u);
  EXPECT_LT(count, 50u);
  std::vector<float> want = a.to_vector();
  const std::vector<float> other = b.to_vector();
  for (int i = 0; i < 2500; ++i)
    for (size_t k = 0; k < want.size(); ++k) {
      const float product = want[k] * 1.001f;
      want[k] = product + other[k];
    }
  expect_values(build, want);
}

TEST_F(Explain, WideGraphsAreCut) {
  const WithSettings patient([](Settings& s) { s.max_pending_operations = 1 << 20; });
  const auto build = [&] {
    Array<2, float> x = a;
    for (int i = 0; i < 300; ++i) x = x + rotate(a, {i % 64, i % 100}) * static_cast<float>(i);
    return x;
  };
  EXPECT_GT(kernels(build()), 1u);
  expect_same(build);
}

// Which kernel reads what another has left, also under another shape, and who asked for it.
TEST_F(Explain, NamesWhatKernelsNeedAndTheirLines) {
  const Array<1, float> rows = sum(exp(a), {1}), columns = sum(exp(a), {0});
  const Explanation explained = explain(sum(reshape(rows, Shape<2>(8, 8)), {0}) * max_val(columns));
  ASSERT_GE(explained.kernels().size(), 3u) << explained;
  EXPECT_TRUE(explained.kernels()[0].needs.empty());
  EXPECT_FALSE(explained.kernels().back().needs.empty()) << explained;
  size_t needs = 0;
  for (const auto& kernel : explained.kernels()) {
    for (const int k : kernel.needs) EXPECT_LT(k, &kernel - explained.kernels().data());
    needs += kernel.needs.size();
    ASSERT_FALSE(kernel.lines.empty());
    EXPECT_NE(kernel.lines[0].find("explain_test.cpp:"), std::string::npos);
  }
  EXPECT_GE(needs, explained.kernels().size() - 2);
}

TEST_F(Explain, AsJsonGraphAndPage) {
  const Explanation explained = explain(sum(sqrt(a * a + b), {1}) / 3.0f);
  EXPECT_NE(explained.json().find("\"operations\": [\"multiply\""), std::string::npos)
      << explained.json();
  EXPECT_NE(explained.json().find("\"needs\": [0]"), std::string::npos) << explained.json();
  EXPECT_NE(explained.dot().find("k1 -> k2;"), std::string::npos) << explained.dot();
  EXPECT_NE(explained.html().find("<svg"), std::string::npos);
  EXPECT_NE(explained.html().find("id=\"k2\""), std::string::npos);
  EXPECT_EQ(explained.html().find("http"), std::string::npos) << "needs no network";
}

TEST_F(Explain, PagesOfLargeGraphsStaySmall) {
  Array<2, float> x = a;
  for (int i = 0; i < 400; ++i) x = shift(exp(x * 0.5f), {1, 0}) + shift(x, {0, 1}) * 0.5f;
  const Explanation explained = explain(x);
  EXPECT_GT(explained.kernels().size(), 10u);
  EXPECT_LT(explained.html().size(), 1u << 20);
}

}  // namespace
}  // namespace tutti::test
