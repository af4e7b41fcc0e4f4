// Random graphs on several ranks give the bits that one rank gives. TUTTI_TEST_RANK_GRAPHS and
// TUTTI_TEST_SEED ask for more graphs and other ones. A graph that differs is shrunk and printed.
#include "support/random_graph.hpp"
#include "core/convert.hpp"
#include "ranks/on_ranks.hpp"
#include "support/seeds.hpp"
#include "support/shrink.hpp"

namespace tutti::test {
namespace {

std::vector<Elements> results_of(const Recipe& recipe) {
  const std::vector<NodeRef> roots = build(recipe);
  detail::evaluate(roots);
  std::vector<Elements> results;
  for (const NodeRef& root : roots) results.push_back(read(root));
  return results;
}

std::string difference_on(const Recipe& recipe, int count) {
  const std::vector<Elements> want = results_of(recipe);
  std::string found;
  std::mutex mutex;
  try {
    ranks::run_on_threads(count, [&] {
      const std::vector<Elements> got = results_of(recipe);
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
  EXPECT_EQ(difference_on(recipe, 3), "");
}

TEST(RanksRandomGraphs, GiveTheBitsOfOneRank) {
  const WithSettings same_sums([](Settings& s) { s.reproducible = true; });
  const SplitFrom small(64);
  compare_seeds({"TUTTI_TEST_RANK_GRAPHS", 150, "graphs on ranks"}, [](uint64_t seed) {
    const int counts[] = {2, 3, 4, 7};
    const int count = counts[seed % 4];
    const Recipe recipe = RandomGraph(seed).recipe();
    const std::string different = difference_on(recipe, count);
    if (different.empty()) return testing::AssertionSuccess();
    const Recipe least = shrink(
        recipe, [&](const Recipe& candidate) { return !difference_on(candidate, count).empty(); });
    return testing::AssertionFailure() << count << " ranks, " << different << "\n"
                                       << to_cpp(least) << "  // " << difference_on(least, count);
  });
}

}  // namespace
}  // namespace tutti::test
