// Every pass on small graphs: the printed representation after each of them,
// compared with a file of golden/. After a change that is meant, this command
// writes the files anew, to be read in the diff:
//   TUTTI_TEST_UPDATE_GOLDEN=1 test_compiler --gtest_filter='Golden*'
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/pipeline.hpp"
#include "compiler/print/print.hpp"
#include "support/compare.hpp"
#include "support/golden.hpp"
#include "support/plan_of.hpp"

namespace tutti::test {
namespace {

using Line = Array<1, float>;
using Image = Array<2, float>;

std::string text_of(std::span<const detail::NodeRef> roots, const target::Target& target,
                    const std::string& passes) {
  std::lock_guard lock(ir::graph_mutex());
  compiler::Collected collected;
  EXPECT_TRUE(compiler::collect(roots, collected));
  std::string text;
  compiler::run_pipeline(compiler::copy_graph(collected), target,
                         compiler::Dump(passes, [&](const std::string& part) { text += part; }));
  return text;
}

class Golden : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(TUTTI_GOLDEN)) GTEST_SKIP() << "the source tree is not there";
  }

  // After all passes, for a GPU and a CPU.
  template <class A>
  void check(const std::string& name, const A& array) {
    check(name + ".gpu", array, target::h200, "all");
    check(name + ".cpu", array, target::avx512, "all");
  }
  // After one of them.
  template <class A>
  void check(const std::string& name, const A& array, const target::Target& target,
             const std::string& passes) {
    compare(name, text_of(array.nodes(), target, passes));
  }

 private:
  static void compare(const std::string& name, const std::string& have) {
    expect_golden(std::filesystem::path(TUTTI_GOLDEN) / (name + ".txt"), have,
                  "test_compiler --gtest_filter='Golden*'");
  }
};

Line line(int n = 1000) { return Line(std::vector<float>(static_cast<size_t>(n), 1.0f)); }
Image image(int rows, int columns) {
  return Image(std::vector<float>(static_cast<size_t>(rows) * columns, 1.0f), rows, columns);
}

// Nodes are made one by one: the order in which operands are evaluated is the host compiler's.

TEST_F(Golden, SumOfNorms) {
  const Line a = line(), b = line();
  const Line aa = a * a, bb = b * b, squares = aa + bb, norms = sqrt(squares);
  check("sum_of_norms", sum(norms));
}

TEST_F(Golden, CommonSubexpressions) {
  const Line a = line(), b = a + a, c = a + a;
  check("common_subexpressions", b * c);
}

TEST_F(Golden, AxesAreJoined) {
  const Image a = image(30, 40);
  check("axes_are_joined", a * 2.0f);
}

TEST_F(Golden, Stencil) {
  const Image a = image(300, 400), right = shift(a, {0, 1}),
              down = shift(a, {1, 0}, Boundary::wrap()), pair = right + a;
  check("stencil", pair + down);
}

TEST_F(Golden, TilesOfAReduction) {
  const Line twice = line(20'000) * 2.0f;
  check("tiles_of_a_reduction", sum(twice));
}

TEST_F(Golden, Transpose) {
  const Image turned = transpose(image(30, 400));
  check("transpose", turned * 2.0f);
}

TEST_F(Golden, GatheredValues) {
  const Line table = line(), numbers = line();
  const Array<1, int> indices = cast<int>(numbers);
  check("gather", gather(table, Boundary::clamp(), indices));
}

// Tuples that are gathered again and again are read from an interleaved copy.
TEST_F(Golden, InterleavedTuples) {
  const Array<1, Value2f> pairs(std::vector<Value2f>(4096, {1, 2}), 4096);
  pairs.evaluate();
  for (const detail::NodeRef& part : pairs.nodes())
    while (!part->buffer->is_gathered_often()) part->buffer->note_gathered();
  const Array<1, int> at = index<1>({4096}, 0), half_of_it = at / 2, third = at / 3;
  const Array<1, Value2f> first = gather(pairs, half_of_it), second = gather(pairs, third);
  const Array<1, Value2f> both = first + second;
  check("interleaved_tuples", both, target::h200, "interleave_tuples");
}

TEST_F(Golden, ScanAndItsConsumer) {
  const Line twice = line() * 2.0f, scanned = sum_scan(twice);
  check("scan_and_consumer", scanned + 1.0f);
}

// The second reads the array that it is written to, so its values are stored first.
TEST_F(Golden, WrittenSections) {
  const Image a = image(300, 400), row = image(1, 400), twice = row * 2.0f;
  const auto write = [](const Image& base, int64_t first, const Image& values) {
    const Range ranges[] = {{first, 1, 1}, {0, 400, 1}};
    return Image(std::array{detail::write_section(base.node(), ranges, values.node(), {})});
  };
  const Image once = write(a, 7, twice), above = section(once, {{7, 1, 1}, {0, 400, 1}}),
              sum = above + row;
  check("written_sections", write(once, 8, sum));
}

TEST_F(Golden, Product) {
  const Image a = image(20, 30), b = image(40, 30), turned = transpose(b),
              product = inner_product(a, turned);
  check("product", product + 1.0f);
}

TEST_F(Golden, RowBlocks) {
  const Image a = image(2000, 2000), x = sin(a), above = shift(x, {1, 0}), y = x + above,
              below = shift(y, {-1, 0}), large = exp(y);
  check("row_blocks", large + below);
}

// The best of many candidates, in a loop of the program that leaves no trace in the graph.
Image best_of(int candidates) {
  const WithSettings patient([](Settings& s) { s.max_pending_operations = 1 << 20; });
  const Image left = image(256, 256), right = image(256, 256);
  Image least(left.shape(), 1e30f), best(left.shape(), 0.0f);
  for (int d = 0; d < candidates; ++d) {
    const Image moved = shift(right, {0, d}), difference = left - moved, cost = abs(difference);
    const Array<2, bool> better = cost < least;
    best = cond(better, static_cast<float>(d), best);
    least = min(cost, least);
  }
  return best;
}

// The steps but the first are marked in the graph; the kernel keeps one of them.
TEST_F(Golden, UnrolledLoop) {
  check("marked_loop", best_of(40), target::h200, "detect_unrolled_loops");
  const Image best = best_of(250);
  check("rerolled_loop", best, target::h200, "reroll_loops");
  check("unrolled_loop", best, target::h200, "normalise_kernel");
}

// A reduction over blocks reads the arrays that its image is computed from.
TEST_F(Golden, ReductionOverBlocks) {
  const Image twice = image(64, 64) * 2.0f;
  check("reduction_over_blocks", sum(reshape(twice, Shape<4>(8, 8, 8, 8)), {1, 3}));
}

// The loop of a program is one instruction of its kernel.
TEST_F(Golden, CapturedProgram) {
  const Program halvings = program([](Value1f x) {
    Value1i count = 0;
    TUTTI_WHILE(x >= 1.0f) {
      x *= 0.5f;
      count += 1;
    }
    TUTTI_ENDWHILE;
    return count;
  });
  const Array<1, int> counts = halvings(line());
  check("captured_program", counts);
}

// The norms of rows of different lengths are a sum over segments, and a map over its results.
TEST_F(Golden, NestedEach) {
  const Seq<Seq<float>> rows = std::vector<std::vector<float>>{{3, 4}, {}, {5, 12}};
  const auto norms = each(rows, [](Seq<float> row) { return sqrt(sum(row * row)); });
  check("nested_each", norms.to_array());
}

// Of one pass alone, and of what a pass leaves as it was.
TEST(Dump, PrintsOnePass) {
  const Line a = line();
  std::lock_guard lock(ir::graph_mutex());
  compiler::Collected collected;
  const Line b = a + 1.0f;
  ASSERT_TRUE(compiler::collect(b.nodes(), collected));
  std::vector<std::string> printed;
  compiler::run_pipeline(compiler::copy_graph(collected), target::avx512,
                         compiler::Dump("common_subexpressions",
                                        [&](const std::string& text) { printed.push_back(text); }));
  ASSERT_EQ(printed.size(), 1u);
  EXPECT_EQ(printed[0], "---- graph after common_subexpressions\nunchanged\n");
}

// A pass that changes nothing in all golden files has no test.
TEST_F(Golden, ShowEveryPass) {
  std::string all;
  for (const auto& file : std::filesystem::directory_iterator(TUTTI_GOLDEN)) {
    std::ifstream text(file.path());
    all += std::string(std::istreambuf_iterator<char>(text), {}) + "\n";
  }
  for (const char* pass : compiler::pass_names()) {
    const std::string title = std::string(" after ") + pass + "\n";
    bool changed = false;
    for (size_t at = all.find(title); at != std::string::npos; at = all.find(title, at + 1))
      changed = changed || all.compare(at + title.size(), 10, "unchanged\n") != 0;
    EXPECT_TRUE(changed) << pass;
  }
}

TEST(Dump, NamesOfPassesAreUnique) {
  std::vector<std::string> names;
  for (const char* name : compiler::pass_names()) names.emplace_back(name);
  EXPECT_GT(names.size(), 8u);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace tutti::test
