#include "support/shrink.hpp"

#include <algorithm>
#include <set>

#include "graph/node.hpp"

namespace tutti::test {
namespace {

// Steps that no root needs go away; positions close up.
Recipe without_unused(const Recipe& recipe) {
  std::vector<bool> used(recipe.steps.size(), false);
  for (int root : recipe.roots) used[static_cast<size_t>(root)] = true;
  for (size_t i = recipe.steps.size(); i-- > 0;)
    if (used[i])
      for (int input : recipe.steps[i].inputs) used[static_cast<size_t>(input)] = true;
  std::vector<int> moved(recipe.steps.size(), -1);
  Recipe result;
  for (size_t i = 0; i < recipe.steps.size(); ++i) {
    if (!used[i]) continue;
    moved[i] = static_cast<int>(result.steps.size());
    Step step = recipe.steps[i];
    for (int& input : step.inputs) input = moved[static_cast<size_t>(input)];
    result.steps.push_back(std::move(step));
  }
  for (int root : recipe.roots) result.roots.push_back(moved[static_cast<size_t>(root)]);
  for (int early : recipe.early)
    if (used[static_cast<size_t>(early)]) result.early.push_back(moved[static_cast<size_t>(early)]);
  return result;
}

class Shrinking {
 public:
  Shrinking(Recipe recipe, const std::function<bool(const Recipe&)>& fails, int tries)
      : best_(without_unused(recipe)), fails_(fails), tries_(tries) {}

  Recipe run() {
    size_t before;
    do {
      before = weight();
      one_root();
      fewer_early();
      skip_steps();
      replace_by_data();
      smaller_numbers();
    } while (weight() < before && tries_ > 0);
    return best_;
  }

 private:
  // Fewer steps first, then smaller numbers.
  size_t weight() const {
    size_t total = 1000000 * best_.steps.size() + 1000 * best_.roots.size() + best_.early.size();
    for (const Step& step : best_.steps) {
      total += step.inputs.size();
      for (int64_t n : step.numbers) total += static_cast<size_t>(n < 0 ? -n : n);
    }
    return total;
  }

  bool take(const Recipe& candidate) {
    if (tries_ <= 0) return false;
    const Recipe smaller = without_unused(candidate);
    try {
      build(smaller);
    } catch (const Error&) {
      return false;  // its shapes or types do not fit
    }
    --tries_;
    if (!fails_(smaller)) return false;
    best_ = smaller;
    return true;
  }

  void one_root() {
    for (size_t r = 0; best_.roots.size() > 1 && r < best_.roots.size(); ++r) {
      Recipe candidate = best_;
      candidate.roots = {best_.roots[r]};
      if (take(candidate)) return;
    }
  }

  void fewer_early() {
    for (size_t i = best_.early.size(); i-- > 0;) {
      Recipe candidate = best_;
      candidate.early.erase(candidate.early.begin() + static_cast<std::ptrdiff_t>(i));
      take(candidate);
    }
  }

  // Users of a step use one of its inputs instead.
  void skip_steps() {
    for (size_t i = best_.steps.size(); i-- > 0;) {
      if (i >= best_.steps.size()) continue;
      const std::vector<int> inputs = best_.steps[i].inputs;
      for (int input : inputs) {
        Recipe candidate = best_;
        const auto redirect = [&](int& position) {
          if (position == static_cast<int>(i)) position = input;
        };
        for (Step& step : candidate.steps)
          for (int& position : step.inputs) redirect(position);
        for (int& root : candidate.roots) redirect(root);
        for (int& early : candidate.early) redirect(early);
        if (take(candidate)) break;
      }
    }
  }

  void replace_by_data() {
    for (size_t i = best_.steps.size(); i-- > 0;) {
      if (i >= best_.steps.size() || best_.steps[i].inputs.empty()) continue;
      Recipe all = best_;
      all.roots = {static_cast<int>(i)};
      const NodeRef node = build(all)[0];
      Recipe candidate = best_;
      Step& step = candidate.steps[i];
      step = Step{};
      step.kind = Step::Kind::source;
      step.type = node->type;
      step.numbers.assign(node->shape.begin(), node->shape.end());
      step.seed = i + 1;
      take(candidate);
    }
  }

  // One number everywhere: extents that must agree go on agreeing.
  void smaller_numbers() {
    std::set<int64_t, std::greater<>> numbers;
    for (const Step& step : best_.steps)
      for (int64_t n : step.numbers)
        if (n > 1) numbers.insert(n);
    for (int64_t n : numbers)
      for (int64_t smaller : {n / 2, n * 3 / 4, n - 1}) {
        Recipe candidate = best_;
        for (Step& step : candidate.steps)
          std::replace(step.numbers.begin(), step.numbers.end(), n, smaller);
        if (take(candidate)) break;
      }
  }

  Recipe best_;
  const std::function<bool(const Recipe&)>& fails_;
  int tries_;
};

}  // namespace

Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails, int tries) {
  return Shrinking(std::move(recipe), fails, tries).run();
}

}  // namespace tutti::test
