#include "compiler/graph_passes/shared_stencils.hpp"

#include <algorithm>
#include <set>

#include "compiler/cost_constants.hpp"
#include "compiler/cost_model.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

class StencilSearch {
 public:
  StencilSearch(const Graph& graph, const target::Target& target, const Uses& uses)
      : graph_(graph), nodes_(graph.nodes), target_(target), uses_(uses) {
    result_.shared.assign(nodes_.size(), false);
    result_.expensive.assign(nodes_.size(), false);
  }

  SharedStencils run() {
    std::vector<bool> only_shifted(nodes_.size(), true);
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
      const GraphNode& node = nodes_[i];
      result_.shared[i] = only_shifted[i] && tiles_over(node.shape) && is_fused(node);
      const bool shares_inputs =
          result_.shared[i] &&
          (node.kind == Kind::affine ? is_shift(node) : node.kind != Kind::gather);
      for (int input : node.inputs)
        if (!shares_inputs) only_shifted[input] = false;
    }
    find_expensive();
    return std::move(result_);
  }

 private:
  // Finds values that are cheaper to store than to recompute at the edges of register tiles. Their
  // consumers load them.
  void find_expensive() {
    std::vector<double> cost(nodes_.size(), cost::load);
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      const GraphNode& node = nodes_[i];
      if (!is_fused(node) || node.keep || result_.expensive[i]) continue;
      cost[i] = own_cost(node).cost;
      for (int input : node.inputs) {
        // Stencil offsets share their input; other users share a value that is computed once.
        const int uses = (node.kind == Kind::affine ? uses_.affine : uses_.identity)[input];
        cost[i] += cost[input] / std::max(1, uses);
      }
      if (!result_.shared[i] || uses_.affine[i] == 0 ||
          cost::halo_share * cost[i] <= traffic(target_.costs, node))
        continue;
      const int stored = only_shifted_below(i);
      result_.expensive[stored] = true;
      cost[stored] = cost::load;
      i = stored;  // later costs decrease: continue from here
    }
  }

  // If a stencil is computed from a single other value with stencil offsets, returns that one: it
  // costs nearly the same and may have other users. Otherwise returns the stencil itself.
  int only_shifted_below(int i) const {
    std::set<int> shifted;
    std::vector<int> stack(nodes_[i].inputs);
    while (!stack.empty()) {
      const int at = below_transformations(graph_, stack.back());
      stack.pop_back();
      if (!is_fused(nodes_[at]) || nodes_[at].keep || result_.expensive[at]) continue;
      if (uses_.affine[at] > 0)
        shifted.insert(at);
      else
        stack.insert(stack.end(), nodes_[at].inputs.begin(), nodes_[at].inputs.end());
    }
    return shifted.size() == 1 && result_.shared[*shifted.begin()] ? *shifted.begin() : i;
  }

  // Returns whether a node shifts by a few elements along the two axes of register tiles. Values
  // shifted along other axes are recomputed for every shift, which takes longer than storing them
  // (docs/decisions/0013-register-tiles.md).
  bool is_shift(const GraphNode& node) const {
    const Extents& from = nodes_[node.inputs[0]].shape;
    if (from.rank != node.shape.rank || !node.selected.empty()) return false;
    for (int axis = 0; axis < from.rank; ++axis) {
      const ir::AxisMap& m = node.map->axes[axis];
      const int64_t farthest = axis < from.rank - 2 ? 0 : cost::farthest_offset;
      if (m.axis != axis || m.stride != 1 || m.offset < -farthest || m.offset > farthest)
        return false;
    }
    return true;
  }

  static bool tiles_over(const Extents& shape) {
    const int inner = shape.rank - 1;
    return inner >= 0 && shape[inner] >= cost::least_tiled && shape.size() >= cost::small_domain;
  }

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const target::Target& target_;
  const Uses& uses_;
  SharedStencils result_;
};

}  // namespace

SharedStencils find_shared_stencils(const Graph& graph, const target::Target& target,
                                    const Uses& uses) {
  const size_t n = graph.nodes.size();
  if (!target.shares_stencils) return {std::vector<bool>(n), std::vector<bool>(n)};
  return StencilSearch(graph, target, uses).run();
}

bool is_fused(const GraphNode& node) {
  return node.kind == Kind::elementwise || node.kind == Kind::cast || node.kind == Kind::affine ||
         node.kind == Kind::gather;
}

}  // namespace tutti::compiler
