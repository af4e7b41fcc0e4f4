#include "compiler/graph_passes/detect_unrolled_loops.hpp"

#include <algorithm>

#include "compiler/cost_constants.hpp"
#include "compiler/graph_passes/find_repetition.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

class Steps {
 public:
  explicit Steps(Graph& graph) : graph_(graph), nodes_(graph.nodes) {}

  void mark() {
    put_in_order();
    if (order_.size() < cost::least_rolled) return;
    std::vector<uint64_t> words;
    for (int i : order_) words.push_back(word_of(nodes_[i]));
    const auto period = find_period(words, cost::least_steps);
    if (!period) return;
    period_ = begin_where_little_is_alive(*period, last_uses());
    if (!alike()) return;
    for (int at = period_.first + period_.length; at < period_.end(); ++at)
      nodes_[order_[at]].repeats_step = true;
    graph_.has_unrolled_loop = true;
  }

 private:
  // Lists the nodes that the results depend on, in program order.
  void put_in_order() {
    std::vector<bool> used(nodes_.size(), false);
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
      if (nodes_[i].keep) used[i] = true;
      if (used[i])
        for (int input : nodes_[i].inputs) used[input] = true;
    }
    place_.assign(nodes_.size(), -1);
    for (int i : in_program_order(graph_))
      if (used[i] && nodes_[i].kind != Kind::leaf) {
        place_[i] = static_cast<int>(order_.size());
        order_.push_back(i);
      }
  }

  static uint64_t word_of(const GraphNode& node) {
    return static_cast<uint64_t>(node.kind) | static_cast<uint64_t>(node.op) << 8 |
           static_cast<uint64_t>(node.type) << 16 | static_cast<uint64_t>(node.shape.rank) << 24 |
           static_cast<uint64_t>(node.inputs.size()) << 32;
  }

  std::vector<int> last_uses() const {
    std::vector<int> last(order_.size(), -1);
    for (int at = 0; at < static_cast<int>(order_.size()); ++at)
      for (int input : nodes_[order_[at]].inputs)
        if (place_[input] >= 0) last[place_[input]] = at;
    return last;
  }

  // Checks that all steps have the same data flow: operands are values of the same step, of the
  // step before, or from before the loop. Values of the step before are read at the same point
  // only.
  bool alike() const {
    if (period_.steps < cost::least_steps) return false;
    for (int at = period_.first; at < period_.end(); ++at) {
      const GraphNode& node = nodes_[order_[at]];
      if (node.keep && at + period_.length < period_.end()) return false;
      if (node.kind != Kind::elementwise && node.kind != Kind::cast && node.kind != Kind::affine &&
          node.kind != Kind::constant)
        return false;
      const int begin = at - (at - period_.first) % period_.length;
      for (size_t k = 0; k < node.inputs.size(); ++k) {
        const int input = place_[node.inputs[k]];
        const bool from_before = input >= period_.first && input < begin;
        if (from_before && (node.kind == Kind::affine || input < begin - period_.length))
          return false;
        if (begin < period_.first + 2 * period_.length) continue;
        const GraphNode& earlier = nodes_[order_[at - period_.length]];
        const int before = place_[earlier.inputs[k]];
        if (input < period_.first ? node.inputs[k] != earlier.inputs[k]
                                  : input != before + period_.length)
          return false;
      }
    }
    return true;
  }

  Graph& graph_;
  std::vector<GraphNode>& nodes_;
  std::vector<int> order_, place_;  // nodes by position and the reverse
  Period period_;
};

}  // namespace

void mark_unrolled_loops(Graph& graph) { Steps(graph).mark(); }

void unmark_unrolled_loops(Graph& graph) {
  for (GraphNode& node : graph.nodes) node.repeats_step = false;
  graph.has_unrolled_loop = false;
}

}  // namespace tutti::compiler
