// Finds long code that a kernel would repeat although it loads a result of the kernel that has
// computed it. In y[t] = f(y[t - 1], y[t - 2]), or with a sum over all steps beside them, every
// kernel would contain the code of all kernels before it.
// In: a graph and the nodes that are materialised so far. Out: the next node to materialise.
#pragma once
#include <set>

#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

class RepeatedCode {
 public:
  // Code is long from `most_operations` on. `own_rules` are nodes that are never reported. The
  // vectors are read at each call, so later changes count.
  RepeatedCode(const Graph& graph, const std::vector<bool>& in_memory,
               const std::vector<double>& operations, const std::vector<bool>& own_rules,
               double most_operations)
      : nodes_(graph.nodes),
        in_memory_(in_memory),
        operations_(operations),
        own_rules_(own_rules),
        most_operations_(most_operations),
        computed_by_(graph.nodes.size()) {}

  // Returns the last node that the kernel of a materialised node would repeat. If there is none,
  // notes the code of this kernel and returns -1.
  int find_in_kernel_of(int root);

  // Returns the materialised nodes whose kernels are known to compute a node.
  const std::set<int>& kernels_with(int node) const { return computed_by_[node]; }

 private:
  // The nodes that a kernel computes, and the materialised nodes that it loads.
  struct Contents {
    std::set<int> computed;
    std::vector<int> loaded;
  };
  Contents contents_of(int root) const;
  bool is_long(int i) const;
  std::set<int> available_to(const Contents& contents, int first) const;

  const std::vector<GraphNode>& nodes_;
  const std::vector<bool>& in_memory_;
  const std::vector<double>& operations_;
  const std::vector<bool>& own_rules_;
  const double most_operations_;
  std::vector<std::set<int>> computed_by_;
};

}  // namespace tutti::compiler
