// Random graphs, compiled, against the reference interpreter, to the bit, on several threads.
// TUTTI_TEST_GRAPHS and TUTTI_TEST_SEED ask for more graphs and other ones.
#include <gtest/gtest.h>

#include "core/convert.hpp"
#include "ir/interpreter.hpp"
#include "random/random_graph.hpp"
#include "runtime/stored_graph.hpp"
#include "support/environment.hpp"

namespace tutti::testing {

ElementType RandomGraph::type_of(const NodeRef& a) { return a->type; }

namespace {

using Result = std::vector<std::byte>;

std::vector<Result> evaluate_graph(uint64_t seed, bool interpret, int threads) {
  Settings s = settings();
  s.interpret = interpret;
  s.threads = threads;
  s.reproducible = true;
  set_settings(s);
  const std::vector<NodeRef> roots = RandomGraph(seed).build();
  detail::evaluate(roots);
  std::vector<Result> results;
  for (const NodeRef& root : roots) {
    Result& bytes =
        results.emplace_back(static_cast<size_t>(root->shape.size() * size_of(root->type)));
    detail::copy_to_host(root, bytes.data());
  }
  return results;
}

// Equal to the bit; NaN equals NaN.
bool same(const Result& a, const Result& b, ElementType type) {
  if (a == b) return true;
  return visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool> || std::is_integral_v<T>) {
      return false;
    } else {
      for (size_t i = 0; i < a.size(); i += sizeof(T)) {
        T x, y;
        std::memcpy(&x, a.data() + i, sizeof(T));
        std::memcpy(&y, b.data() + i, sizeof(T));
        const bool both_nan = static_cast<double>(x) != static_cast<double>(x) &&
                              static_cast<double>(y) != static_cast<double>(y);
        if (std::memcmp(&x, &y, sizeof(T)) != 0 && !both_nan) return false;
      }
      return true;
    }
  });
}

TEST(RandomGraphs, AreTheSameAfterStoring) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const std::vector<NodeRef> roots = RandomGraph(seed).build();
    std::lock_guard lock(ir::graph_mutex());
    const std::vector<NodeRef> loaded = runtime::load_graph(runtime::store_graph(roots, "")).roots;
    ASSERT_EQ(ir::interpret(loaded), ir::interpret(roots)) << "seed " << seed;
  }
}

TEST(RandomGraphs, CompiledEqualsInterpreted) {
  const int64_t graphs = test::number_from_environment("TUTTI_TEST_GRAPHS", 1500);
  const int64_t first = test::number_from_environment("TUTTI_TEST_SEED", 1);
  int failures = 0;
  int64_t compared = 0;
  for (int64_t seed = first; seed < first + graphs && failures < 5; ++seed) {
    const auto roots = RandomGraph(static_cast<uint64_t>(seed)).build();
    const std::vector<Result> expected = evaluate_graph(static_cast<uint64_t>(seed), true, 1);
    const int threads[] = {1, 2, 5};
    const std::vector<Result> got =
        evaluate_graph(static_cast<uint64_t>(seed), false, threads[seed % 3]);
    for (size_t r = 0; r < expected.size(); ++r)
      if (!same(expected[r], got[r], roots[r]->type)) {
        ++failures;
        ADD_FAILURE() << "seed " << seed << ", result " << r << " of type " << name(roots[r]->type)
                      << " and shape " << detail::to_string(roots[r]->shape);
        break;
      }
    ++compared;
    if (compared % 500 == 0)
      std::fprintf(stderr, "%lld graphs\n", static_cast<long long>(compared));
  }
  std::printf("%lld random graphs compared\n", static_cast<long long>(compared));
}

}  // namespace
}  // namespace tutti::testing
