#include "compiler/graph_passes/split_large_kernels.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/graph_passes/expanded_size.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

class Frontier {
 public:
  Frontier(const Graph& graph, const std::vector<bool>& in_memory, int root)
      : graph_(graph), nodes_(graph.nodes), in_memory_(in_memory), root_(root) {
    collect();
    find_last_uses();
  }

  std::vector<int> cheapest(const Limits& limits) {
    const double all = left_after({}).operations;
    std::vector<int> best;
    double least = 0;
    for (const Cut& cut : cuts()) {
      // Even if it saved all operations, neither this cut nor a later one would be cheaper.
      if (!best.empty() && cut.bytes > least) break;
      const ExpandedSize left = left_after(cut.nodes);
      if (left.operations > limits.operations || left.loads > limits.loads ||
          left.rows > limits.rows)
        continue;
      const double cost = cut.bytes * all / std::max(1.0, all - left.operations);
      if (!best.empty() && cost >= least) continue;
      // The stored values are computed by one kernel too.
      if (expanded_size(graph_, in_memory_, cut.nodes).operations > limits.operations) continue;
      best = cut.nodes;
      least = cost;
    }
    return best;
  }

 private:
  // Lists the nodes that the kernel would compute, in program order.
  void collect() {
    std::set<int> seen;
    std::vector<int> stack{root_};
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      if (in_memory_[i] || nodes_[i].kind == Kind::leaf || !seen.insert(i).second) continue;
      stack.insert(stack.end(), nodes_[i].inputs.begin(), nodes_[i].inputs.end());
    }
    for (int i : in_program_order(graph_))
      if (seen.count(i)) order_.push_back(i);
  }

  // A transformation is not a use of its input, but its readers are. The root counts as a use,
  // whatever its kind.
  void find_last_uses() {
    for (int at = 0; at < static_cast<int>(order_.size()); ++at) {
      if (nodes_[order_[at]].kind == Kind::affine && order_[at] != root_) continue;
      for (int input : nodes_[order_[at]].inputs)
        last_use_[below_transformations(graph_, input)] = at;
    }
  }

  struct Cut {
    std::vector<int> nodes;
    double bytes;
  };

  // Returns the values live after each node as cuts: fewest bytes first, then the later.
  std::vector<Cut> cuts() const {
    std::vector<Cut> result;
    std::vector<int> alive;
    for (int at = 0; at < static_cast<int>(order_.size()); ++at) {
      if (storable(order_[at])) alive.push_back(order_[at]);
      std::erase_if(alive, [&](int node) { return last_use_.at(node) <= at; });
      if (!alive.empty()) result.push_back({alive, bytes_of(alive)});
    }
    std::reverse(result.begin(), result.end());
    std::stable_sort(result.begin(), result.end(),
                     [](const Cut& a, const Cut& b) { return a.bytes < b.bytes; });
    return result;
  }

  bool storable(int i) const { return i != root_ && ir::computes_elements(nodes_[i].kind); }

  double bytes_of(const std::vector<int>& alive) const {
    double bytes = 0;
    for (int node : alive)
      bytes += size_of(nodes_[node].type) * static_cast<double>(nodes_[node].shape.size());
    return bytes;
  }

  ExpandedSize left_after(const std::vector<int>& cut) const {
    std::vector<bool> stored = in_memory_;
    for (int node : cut) stored[node] = true;
    return expanded_size(graph_, stored, std::span(&root_, 1));
  }

  const Graph& graph_;
  const std::vector<GraphNode>& nodes_;
  const std::vector<bool>& in_memory_;
  const int root_;
  std::vector<int> order_;
  std::map<int, int> last_use_;  // by node: a position in the order
};

}  // namespace

std::vector<int> cheapest_frontier(const Graph& graph, const std::vector<bool>& in_memory, int root,
                                   const Limits& limits) {
  return Frontier(graph, in_memory, root).cheapest(limits);
}

}  // namespace tutti::compiler
