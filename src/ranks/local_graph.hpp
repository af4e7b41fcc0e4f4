// What one rank computes of a graph: ordinary nodes over its own elements. In: a pending graph and
// the boxes that are wanted of some nodes. Out: boxes that are needed of split leaves, and, once
// those are here, the nodes for the wanted boxes.
#pragma once
#include <optional>

#include "ranks/needs.hpp"
#include "ranks/pending_graph.hpp"

namespace tutti::ranks {

class LocalGraph {
 public:
  explicit LocalGraph(const PendingGraph& graph)
      : graph_(graph), boxes_(graph.order().size()), local_(graph.order().size()) {}

  void want(const Node& node, const Box& box);
  void propagate();  // wants to the leaves; after all wants

  // A leaf and what is needed of it, in the order of the graph. The same leaves on all ranks; a box
  // of size 0 where this rank needs nothing.
  struct Leaf {
    std::shared_ptr<SplitArray> array;
    Box needed;
    size_t place;
  };
  std::vector<Leaf> leaves() const;
  // The elements of a leaf are here, in a node that holds this box.
  void give(const Leaf& leaf, NodeRef held, const Box& box);

  void build();  // after all leaves were given
  NodeRef part(const NodeRef& node, const Box& box) const;

  // Nodes whose input is gathered, for warnings: node and bytes.
  struct Gathered {
    const Node* node;
    int64_t bytes;
  };
  const std::vector<Gathered>& gathered() const { return gathered_; }

 private:
  // Nodes that no split array is below are copied too: if one rank computed them as a whole and
  // another did not, the graphs of the ranks would differ from then on.
  const NodeRef& copy_of(const NodeRef& node) const;

  const PendingGraph& graph_;
  std::vector<std::optional<Box>> boxes_;
  std::vector<NodeRef> local_;
  std::vector<Gathered> gathered_;
};

}  // namespace tutti::ranks
