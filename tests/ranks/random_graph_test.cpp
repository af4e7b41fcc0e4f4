// Random graphs on several ranks give the bits that one rank gives. Most sources are split along
// some axis, and some values are computed before others use them, so that operations meet split
// arrays of any layout. TUTTI_TEST_RANK_GRAPHS and TUTTI_TEST_SEED ask for more graphs and other
// ones. A graph that differs is shrunk and printed.
#include "support/random_graph.hpp"
#include "core/elements/convert.hpp"
#include "graph/node.hpp"
#include "ranks/on_ranks.hpp"
#include "support/seeds.hpp"
#include "support/shrink.hpp"

namespace tutti::test {
namespace {

// Draws that are the same on all ranks, whatever else the graph contains.
uint64_t draw(uint64_t seed, size_t step) { return std::mt19937_64(seed * 1'000'003 + step)(); }

std::vector<Elements> results_of(const Recipe& recipe, uint64_t seed) {
  std::vector<NodeRef> nodes;
  for (size_t i = 0; i < recipe.steps.size(); ++i) {
    const Step& step = recipe.steps[i];
    NodeRef node = build_step(step, nodes);
    const uint64_t drawn = draw(seed, i);
    const int rank = node->shape.rank;
    const bool is_data = step.kind == Step::Kind::source || step.kind == Step::Kind::offsets;
    if (is_data && rank > 0 && drawn % 4 != 0)
      node = ranks::detail::distribute(
          node, static_cast<int>(drawn / 4 % static_cast<uint64_t>(rank)), node->where);
    else if (drawn % 4 == 0)
      detail::evaluate({&node, 1});
    nodes.push_back(std::move(node));
  }
  std::vector<NodeRef> roots;
  for (int root : recipe.roots) roots.push_back(nodes[static_cast<size_t>(root)]);
  nodes.clear();
  detail::evaluate(roots);
  std::vector<Elements> results;
  for (const NodeRef& root : roots) results.push_back(read(root));
  return results;
}

std::string difference_on(const Recipe& recipe, int count, uint64_t seed) {
  const std::vector<Elements> want = results_of(recipe, seed);
  std::string found;
  std::mutex mutex;
  try {
    ranks::run_on_threads(count, [&] {
      const std::vector<Elements> got = results_of(recipe, seed);
      std::lock_guard lock(mutex);
      for (size_t r = 0; r < want.size(); ++r)
        if (const auto result = same(want[r], got[r]); !result)
          found = "result " + std::to_string(r) + " of type " + name(want[r].type) + " and shape " +
                  detail::to_string(want[r].shape) + ", rank " + std::to_string(ranks::rank()) +
                  ": " + result.message();
    });
  } catch (const std::exception& e) {
    return std::string("an exception: ") + e.what();
  }
  return found;
}

// Rank 0 has the only tile of the reduction. It must not keep the elements of the shifted array,
// which the other ranks have not computed: their graphs would differ.
TEST(RanksRandomGraphs, AValueThatOneRankComputesStaysPending) {
  const SplitFrom small(64);
  const Recipe recipe{
      {
          {.kind = Step::Kind::source, .numbers = {8, 8}, .type = ElementType::f64, .seed = 657337},
          {.kind = Step::Kind::shift, .inputs = {0}, .numbers = {1, 1}},
          {.kind = Step::Kind::reduce, .inputs = {1}, .numbers = {0, 1}},
      },
      {2, 1}};
  EXPECT_EQ(difference_on(recipe, 3, 0), "");
}

TEST(RanksRandomGraphs, GiveTheBitsOfOneRank) {
  const WithSettings same_sums([](Settings& s) { s.reproducible = true; });
  const SplitFrom small(64);
  compare_seeds({"TUTTI_TEST_RANK_GRAPHS", 150, "graphs on ranks"}, [](uint64_t seed) {
    const int counts[] = {2, 3, 4, 7};
    const int count = counts[seed % 4];
    const Recipe recipe = RandomGraph(seed).recipe();
    const std::string different = difference_on(recipe, count, seed);
    if (different.empty()) return testing::AssertionSuccess();
    const Recipe least = shrink(recipe, [&](const Recipe& candidate) {
      return !difference_on(candidate, count, seed).empty();
    });
    return testing::AssertionFailure()
           << count << " ranks, " << different << "\n"
           << to_cpp(least) << "  // " << difference_on(least, count, seed);
  });
}

}  // namespace
}  // namespace tutti::test
