#include "compiler/graph_passes/sink_reshapes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "compiler/cost_model.hpp"
#include "compiler/graph_passes/materialise.hpp"
#include "compiler/lowering/split_axes.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

// A block of fewer elements along the inner axis would fill too few lanes of the computation.
constexpr int64_t least_inner_extent = 4;
// Elements may be computed again by other kernels, in the old shape.
constexpr double most_cost = 32;

class Sinking {
 public:
  Sinking(const Graph& graph, const target::Target& target) : old_(graph.nodes), target_(target) {
    find_reshapes_for_reductions(graph);
  }

  bool finds_any() const { return std::find(sinks_.begin(), sinks_.end(), true) != sinks_.end(); }

  // Returns the new nodes. new_place() says where the old ones are.
  std::vector<GraphNode> run() {
    for (int i = 0; i < static_cast<int>(old_.size()); ++i) {
      const auto at = static_cast<size_t>(i);
      if (sinks_[at]) {
        place_.push_back(reshaped(old_[at].inputs[0], old_[at].shape));
        continue;
      }
      GraphNode copy = old_[at];
      for (int& input : copy.inputs) input = place_[static_cast<size_t>(input)];
      if (copy.place < 0) copy.place = i;
      place_.push_back(add(std::move(copy)));
    }
    return std::move(new_);
  }
  int new_place(int old) const { return place_[static_cast<size_t>(old)]; }

 private:
  void find_reshapes_for_reductions(const Graph& graph) {
    sinks_.assign(old_.size(), false);
    const auto reshapes = [](const GraphNode& node) { return node.kind == Kind::reshape; };
    if (std::ranges::none_of(old_, reshapes)) return;
    std::vector<bool> only_reduced(old_.size(), true), reduced(old_.size(), false);
    for (const GraphNode& node : old_)
      for (int input : node.inputs) {
        const bool reduces = node.kind == Kind::reduce && !is_short_reduction(graph, node, target_);
        (reduces ? reduced : only_reduced)[static_cast<size_t>(input)] = reduces;
      }
    for (size_t i = 0; i < old_.size(); ++i) {
      const GraphNode& node = old_[i];
      if (node.kind != Kind::reshape || node.keep || !reduced[i] || !only_reduced[i]) continue;
      const GraphNode& input = old_[static_cast<size_t>(node.inputs[0])];
      sinks_[i] = node.shape.rank > 0 && node.shape[node.shape.rank - 1] >= least_inner_extent &&
                  is_computed(input) && split_axes(input.shape, node.shape) &&
                  is_pointwise(node.inputs[0]);
    }
  }

  static bool is_computed(const GraphNode& node) {
    return (node.kind == Kind::elementwise || node.kind == Kind::cast) && !node.keep;
  }
  // Returns whether a node is in memory, whatever is decided later.
  static bool is_stored(const GraphNode& node) {
    return node.keep || node.kind == Kind::leaf || node.kind == Kind::reduce ||
           node.kind == Kind::inner_product || node.kind == Kind::recurrence ||
           ir::is_primitive(node.kind);
  }

  // Decides whether a value is computed point by point, at little cost, from arrays in memory of
  // its own shape and from scalars.
  bool is_pointwise(int root) const {
    double cost = 0;
    std::vector<int> stack{root}, seen;
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      if (std::find(seen.begin(), seen.end(), i) != seen.end()) continue;
      seen.push_back(i);
      const GraphNode& node = old_[static_cast<size_t>(i)];
      if (is_scalar(i) || node.kind == Kind::constant || is_stored(node)) continue;
      cost += own_cost(node).cost;
      if (!is_computed(node) || cost > most_cost) return false;
      for (int input : node.inputs)
        if (!is_scalar(input) && !(old_[static_cast<size_t>(input)].shape == node.shape))
          return false;
      stack.insert(stack.end(), node.inputs.begin(), node.inputs.end());
    }
    return true;
  }
  bool is_scalar(int i) const { return old_[static_cast<size_t>(i)].shape.rank == 0; }

  // Returns the place of an old node's value in another shape.
  int reshaped(int old, const Extents& shape) {
    if (is_scalar(old)) return new_place(old);
    std::vector<int64_t> key(shape.begin(), shape.end());
    key.push_back(old);
    if (const auto found = reshaped_.find(key); found != reshaped_.end()) return found->second;
    const GraphNode& node = old_[static_cast<size_t>(old)];
    GraphNode copy;
    if (node.kind == Kind::constant || is_computed(node)) {
      copy = node;
      for (int& input : copy.inputs) input = reshaped(input, shape);
    } else {
      copy.kind = Kind::reshape;
      copy.type = node.type;
      copy.inputs = {new_place(old)};
      copy.number = node.number;
      copy.where = node.where;
    }
    copy.shape = shape;
    if (copy.place < 0) copy.place = old;
    return reshaped_[std::move(key)] = add(std::move(copy));
  }

  int add(GraphNode node) {
    new_.push_back(std::move(node));
    return static_cast<int>(new_.size()) - 1;
  }

  const std::vector<GraphNode>& old_;
  const target::Target& target_;
  std::vector<bool> sinks_;  // by old node: a reshape that is sunk
  std::vector<GraphNode> new_;
  std::vector<int> place_;                        // by old node
  std::map<std::vector<int64_t>, int> reshaped_;  // by shape and old node
};

}  // namespace

bool sink_reshapes(Graph& graph, const target::Target& target, std::vector<int>& stands_for) {
  Sinking sinking(graph, target);
  if (!sinking.finds_any()) return false;
  std::vector<GraphNode> nodes = sinking.run();
  for (int& place : stands_for) place = sinking.new_place(place);
  for (int& root : graph.roots) root = sinking.new_place(root);
  graph.nodes = std::move(nodes);
  return true;
}

}  // namespace tutti::compiler
