// The part of a graph that one rank computes: ordinary nodes over its own elements. Input: a
// pending graph and the boxes that are wanted of some nodes. Output: the boxes that are needed of
// split leaves and, after give() of each, the nodes for the wanted boxes.
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
  void propagate();  // derives the needs of the leaves; call it after all want()

  // A leaf and the box that this rank needs, of size 0 if it needs nothing. All ranks have the same
  // leaves in the same order.
  struct Leaf {
    std::shared_ptr<SplitArray> array;
    Box needed;
    size_t place;
  };
  std::vector<Leaf> leaves() const;
  // Supplies the elements of a leaf: a node that holds this box.
  void give(const Leaf& leaf, NodeRef held, const Box& box);

  void build();  // call it after give() of all leaves
  NodeRef part(const NodeRef& node, const Box& box) const;

  // Nodes whose input is gathered, for warnings: node and bytes.
  struct Gathered {
    const Node* node;
    int64_t bytes;
  };
  const std::vector<Gathered>& gathered() const { return gathered_; }

 private:
  // Returns the local copy of a node that is not computed from split arrays. Such nodes are copied
  // too: if one rank computed the original and another did not, later graphs would differ.
  NodeRef copy_of(const NodeRef& node) const;
  // Returns a transformation that reads a held box of its input directly; null if there is none.
  NodeRef transformed(const Node& node, const Box& box) const;

  const PendingGraph& graph_;
  std::vector<std::optional<Box>> boxes_;
  std::vector<NodeRef> local_;
  std::vector<Gathered> gathered_;
};

}  // namespace tutti::ranks
