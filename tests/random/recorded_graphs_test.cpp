// Random graphs as bodies that are recorded over arrays: several runs of the compiled body against
// the same steps by the interpreter, to the bit. A source of the graph is a variable if another
// node has its type and shape; that node is its next value.
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/node.hpp"
#include "support/compare.hpp"
#include "support/graph_recipe.hpp"
#include "support/random_graph.hpp"
#include "support/test_settings.hpp"

namespace tutti::test {
namespace {

constexpr int runs = 3;

// A source, and the step that computes its next value.
struct Variable {
  int source, next;
};

std::vector<Variable> variables_of(const Recipe& recipe, std::mt19937_64& random) {
  const std::vector<NodeRef> nodes = build_all(recipe);
  std::vector<Variable> result;
  for (int i = 0; i < static_cast<int>(nodes.size()); ++i) {
    if (recipe.steps[static_cast<size_t>(i)].kind != Step::Kind::source) continue;
    const NodeRef& source = nodes[static_cast<size_t>(i)];
    std::vector<int> alike;
    for (int k = 0; k < static_cast<int>(nodes.size()); ++k) {
      const NodeRef& node = nodes[static_cast<size_t>(k)];
      if (k != i && node->type == source->type && node->shape == source->shape) alike.push_back(k);
    }
    if (!alike.empty()) result.push_back({i, alike[random() % alike.size()]});
  }
  return result;
}

// Decompositions of matrices may read elements (LAPACK, pivots, convergence), which bodies that are
// recorded refuse.
bool may_read_elements(const Step& step) {
  return step.kind == Step::Kind::library &&
         step.numbers.at(0) == static_cast<int64_t>(Library::matrix);
}

class Body {
 public:
  Body(const Recipe& recipe, const std::vector<Variable>& variables)
      : recipe_(recipe), variables_(variables) {
    for (const Variable& v : variables)
      values_.push_back(build_step(recipe.steps[static_cast<size_t>(v.source)], {}));
  }

  void step() {
    std::vector<NodeRef> nodes;
    size_t next = 0;
    for (size_t i = 0; i < recipe_.steps.size(); ++i) {
      if (next < variables_.size() && variables_[next].source == static_cast<int>(i))
        nodes.push_back(values_[next++]);
      else
        nodes.push_back(build_step(recipe_.steps[i], nodes));
    }
    for (size_t k = 0; k < variables_.size(); ++k)
      values_[k] = nodes[static_cast<size_t>(variables_[k].next)];
  }

  std::vector<detail::RecordedVariable> recorded_variables() {
    std::vector<detail::RecordedVariable> result;
    for (NodeRef& value : values_)
      result.push_back({.type = value->type,
                        .array = &value,
                        .node = [&value]() -> const NodeRef& { return value; },
                        .assign = [&value](NodeRef node) { value = std::move(node); }});
    return result;
  }

  std::vector<Elements> values() const {
    detail::evaluate(values_);
    std::vector<Elements> result;
    for (const NodeRef& value : values_) result.push_back(read(value));
    return result;
  }

 private:
  const Recipe& recipe_;
  const std::vector<Variable>& variables_;
  std::vector<NodeRef> values_;
};

// The values after each run.
std::vector<std::vector<Elements>> interpreted(const Recipe& recipe,
                                               const std::vector<Variable>& variables) {
  const WithSettings with([](Settings& s) {
    s.interpret = true;
    s.reproducible = true;
  });
  Body body(recipe, variables);
  std::vector<std::vector<Elements>> result;
  for (int run = 0; run < runs; ++run) {
    body.step();
    result.push_back(body.values());
  }
  return result;
}

// What differs, or nothing.
std::string difference(const Recipe& recipe, const std::vector<Variable>& variables, int threads) {
  const std::vector<std::vector<Elements>> expected = interpreted(recipe, variables);
  const WithSettings with([&](Settings& s) {
    s.threads = threads;
    s.reproducible = true;
  });
  Body body(recipe, variables);
  const Recorded recorded(detail::LocatedBody([&] { body.step(); }), body.recorded_variables());
  for (int run = 0; run < runs; ++run) {
    recorded();
    const std::vector<Elements> got = body.values();
    for (size_t k = 0; k < variables.size(); ++k)
      if (const auto result = same(expected[static_cast<size_t>(run)][k], got[k]); !result)
        return "run " + std::to_string(run + 1) + ", step " + std::to_string(variables[k].next) +
               " as the next value of step " + std::to_string(variables[k].source) + ": " +
               result.message();
  }
  return "";
}

TEST(RandomRecordings, GiveWhatTheirStepsGive) {
  const int64_t graphs = number_setting("TUTTI_TEST_RECORDINGS", 300);
  const int64_t first = first_seed();
  int64_t compared = 0, without_variables = 0;
  int failures = 0;
  for (int64_t seed = first; seed < first + graphs && failures < 3; ++seed) {
    const Recipe recipe = RandomGraph(static_cast<uint64_t>(seed)).recipe();
    if (std::ranges::any_of(recipe.steps, may_read_elements)) continue;
    std::mt19937_64 random(static_cast<uint64_t>(seed));
    const std::vector<Variable> variables = variables_of(recipe, random);
    if (variables.empty()) {
      ++without_variables;
      continue;
    }
    const int threads[] = {1, 2, 5};
    const std::string different = difference(recipe, variables, threads[seed % 3]);
    if (!different.empty()) {
      ++failures;
      ADD_FAILURE() << "seed " << seed << ", " << threads[seed % 3] << " threads, " << different
                    << "\n"
                    << to_cpp(recipe);
    }
    ++compared;
  }
  if (graphs >= 100) {
    EXPECT_LT(without_variables, graphs * 3 / 4);
  }
  std::printf("%lld random recordings compared\n", static_cast<long long>(compared));
}

}  // namespace
}  // namespace tutti::test
