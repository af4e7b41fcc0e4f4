// Random graphs, compiled, against the reference interpreter, to the bit, on several threads.
// TUTTI_TEST_GRAPHS and TUTTI_TEST_SEED ask for more graphs and other ones; each seed is a graph by
// itself. A graph that differs is shrunk and printed as C++.
#include <gtest/gtest.h>

#include "core/elements/convert.hpp"
#include "engine/stored_graph.hpp"
#include "graph/node.hpp"
#include "random/compare_recipe.hpp"
#include "reference/interpreter.hpp"
#include "support/compare.hpp"
#include "support/plan_of.hpp"
#include "support/random_graph.hpp"
#include "support/shrink.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

std::vector<Elements> evaluate(const Recipe& recipe, bool interpret, int threads) {
  const WithSettings with([&](Settings& s) {
    s.interpret = interpret;
    s.threads = threads;
    s.reproducible = true;
  });
  const std::vector<NodeRef> nodes = build_all(recipe);
  const auto node = [&](int i) { return nodes[static_cast<size_t>(i)]; };
  for (int i : recipe.early) detail::evaluate({{node(i)}});
  std::vector<NodeRef> roots;
  for (int i : recipe.roots) roots.push_back(node(i));
  detail::evaluate(roots);
  std::vector<Elements> results;
  for (const NodeRef& root : roots) results.push_back(read(root));
  return results;
}

}  // namespace

std::optional<std::string> difference(const Recipe& recipe, int threads) {
  const std::vector<Elements> expected = evaluate(recipe, true, 1);
  const std::vector<Elements> got = evaluate(recipe, false, threads);
  for (size_t r = 0; r < expected.size(); ++r)
    if (const auto result = same(expected[r], got[r]); !result)
      return "result " + std::to_string(r) + " of type " + name(expected[r].type) + " and shape " +
             detail::to_string(expected[r].shape) + ": " + result.message();
  return std::nullopt;
}

void expect_interpreted_bits(const Recipe& recipe) {
  for (int threads : {1, 2, 5}) {
    const auto different = difference(recipe, threads);
    EXPECT_FALSE(different) << threads << " threads, " << *different;
  }
}

namespace {

// The smallest graph that still differs, as the body of a test.
std::string shrunk(const Recipe& recipe, int threads) {
  const Recipe small = shrink(
      recipe, [&](const Recipe& candidate) { return difference(candidate, threads).has_value(); });
  return to_cpp(small) + "  // " + difference(small, threads).value_or("no difference any more");
}

TEST(RandomGraphs, AreTheSameAfterStoring) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<NodeRef> roots = RandomGraph(seed).build();
    std::lock_guard lock(ir::graph_mutex());
    const std::vector<NodeRef> loaded = engine::load_graph(engine::store_graph(roots, "")).roots;
    ASSERT_EQ(ir::interpret(loaded), ir::interpret(roots)) << "seed " << seed;
  }
}

TEST(RandomGraphs, CompiledEqualsInterpreted) {
  const int64_t graphs = number_setting("TUTTI_TEST_GRAPHS", 1200);
  const int64_t first = first_seed();
  int failures = 0;
  int64_t compared = 0;
  for (int64_t seed = first; seed < first + graphs && failures < 5; ++seed) {
    const Recipe recipe = RandomGraph(static_cast<uint64_t>(seed)).recipe();
    const int threads[] = {1, 2, 5};
    if (const auto different = difference(recipe, threads[seed % 3])) {
      ++failures;
      ADD_FAILURE() << "seed " << seed << ", " << threads[seed % 3] << " threads, " << *different
                    << "\n"
                    << shrunk(recipe, threads[seed % 3]);
    }
    ++compared;
    if (compared % 500 == 0)
      std::fprintf(stderr, "%lld graphs\n", static_cast<long long>(compared));
  }
  std::printf("%lld random graphs compared\n", static_cast<long long>(compared));
}

// What programs do and operations drawn one by one would not: chains of row blocks that end with
// planes, programs that write, decompositions.
TEST(RandomGraphs, ReachWhatProgramsDo) {
  int planes = 0, deposits = 0, decompositions = 0;
  const auto ends_with_planes = [](const compiler::Step& step) {
    const auto* chain = std::get_if<compiler::ChainStep>(&step);
    if (!chain || chain->rows < 2) return false;
    const compiler::Kernel& last = chain->kernels.back().kernel;
    return last.domain.rank == 2 && last.domain[1] == chain->rows * chain->columns;
  };
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const RandomGraph graph(seed);
    const auto plan = plan_of(graph.build(), target::avx512);
    planes += std::ranges::any_of(plan->steps, ends_with_planes);
    for (const Step& step : graph.recipe().steps) {
      deposits += step.kind == Step::Kind::deposit;
      decompositions += step.kind == Step::Kind::library &&
                        step.numbers[0] == static_cast<int64_t>(Library::matrix);
    }
  }
  EXPECT_GT(planes, 0);
  EXPECT_GT(deposits, 0);
  EXPECT_GT(decompositions, 0);
}

// The same graph with other sections written, and other rows read, where those are arguments.
Recipe with_moved_sections(Recipe recipe, std::mt19937_64& random) {
  std::vector<NodeRef> nodes;
  for (Step& step : recipe.steps) {
    const bool writes = step.kind == Step::Kind::write_section;
    if (writes || step.kind == Step::Kind::section) {
      const Extents& from = nodes[static_cast<size_t>(step.inputs[0])]->shape;
      for (int axis = 0; axis < from.rank; ++axis) {
        int64_t* range = &step.numbers[static_cast<size_t>(3 * axis)];
        if (range[1] == 0 || (!writes && range[1] != 1)) continue;
        const int64_t span = (range[1] - 1) * std::abs(range[2]);
        range[0] = static_cast<int64_t>(random() % static_cast<uint64_t>(from[axis] - span)) +
                   (range[2] < 0 ? span : 0);
      }
    }
    nodes.push_back(build_step(step, nodes));
  }
  return recipe;
}

TEST(RandomGraphs, PlansHoldForOtherSections) {
  const int64_t first = first_seed();
  std::mt19937_64 random(static_cast<uint64_t>(first));
  const int64_t graphs = number_setting("TUTTI_TEST_GRAPHS", 1200) / 10;
  int64_t compared = 0, reused = 0;
  for (int64_t seed = first; compared < graphs; ++seed) {
    const Recipe recipe = RandomGraph(static_cast<uint64_t>(seed)).recipe();
    if (std::none_of(recipe.steps.begin(), recipe.steps.end(),
                     [](const Step& step) { return step.kind == Step::Kind::write_section; }))
      continue;
    evaluate(recipe, false, 2);
    const Recipe other = with_moved_sections(recipe, random);
    const int64_t before = statistics().plans_built;
    const auto different = difference(other, 2);
    ASSERT_FALSE(different) << "seed " << seed << ", " << *different << "\n" << to_cpp(other);
    reused += statistics().plans_built == before;
    ++compared;
  }
  // Where rows coincide in one of the graphs and not in the other, plans differ.
  EXPECT_GT(reused, compared / 2);
}

// Shrunk from seed 1061028061, which GPUs got wrong: see
// codegen/nvptx/ptxas_workarounds/flag_comparisons.hpp.
TEST(RandomGraphs, ComparesSumsOfFlags) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Recipe recipe{
        {
            {.kind = Step::Kind::source, .numbers = {1, 2}, .type = ElementType::u16, .seed = seed},
            {.kind = Step::Kind::cast, .inputs = {0}, .type = ElementType::b8},
            {.kind = Step::Kind::source, .numbers = {1, 2}, .type = ElementType::b8, .seed = seed},
            {.kind = Step::Kind::op, .inputs = {1, 2}, .op = Op::logical_and},
            {.kind = Step::Kind::cast, .inputs = {3}, .type = ElementType::i32},
            {.kind = Step::Kind::shift,
             .inputs = {4},
             .numbers = {-2, 1},
             .rule = Boundary::Kind::clamp},
            {.kind = Step::Kind::op, .inputs = {4, 5}, .op = Op::add},
            {.kind = Step::Kind::op, .inputs = {6, 4}, .op = Op::add},
            {.kind = Step::Kind::cast, .inputs = {7}, .type = ElementType::b8},
            {.kind = Step::Kind::op, .inputs = {3, 8}, .op = Op::less},
        },
        {9, 7, 9}};
    expect_interpreted_bits(recipe);
  }
}

// A graph that "fails" where it sorts: the sort and its inputs are what remains.
TEST(Shrinking, LeavesWhatFails) {
  const auto sorts = [](const Recipe& recipe) {
    return std::any_of(recipe.steps.begin(), recipe.steps.end(),
                       [](const Step& step) { return step.kind == Step::Kind::sort; });
  };
  int shrunk_graphs = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Recipe recipe = RandomGraph(seed).recipe();
    if (!sorts(recipe)) continue;
    std::vector<int> all;
    for (size_t i = 0; i < recipe.steps.size(); ++i) all.push_back(static_cast<int>(i));
    const Recipe small = shrink({recipe.steps, all}, sorts);
    EXPECT_LE(small.steps.size(), 3u) << "seed " << seed;
    EXPECT_TRUE(sorts(small));
    EXPECT_NE(to_cpp(small).find("Step::Kind::sort"), std::string::npos);
    ++shrunk_graphs;
  }
  EXPECT_GT(shrunk_graphs, 10);
}

}  // namespace
}  // namespace tutti::test
