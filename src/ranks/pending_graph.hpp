// The pending nodes below some roots and the leaves below those, as a list: inputs before users.
// It keeps them alive. Every rank has the same list.
#pragma once
#include <unordered_map>
#include <vector>

#include "ranks/split_array.hpp"

namespace tutti::ranks {

class PendingGraph {
 public:
  explicit PendingGraph(std::span<const NodeRef> roots);

  const std::vector<NodeRef>& order() const { return order_; }
  // Returns whether a node is computed from a split array. If not, every rank can compute it alone.
  bool is_split(const Node& node) const { return split_[place(node)]; }
  // Returns the split array of a leaf; null for other nodes.
  const std::shared_ptr<SplitArray>& array_of(const Node& node) const {
    return arrays_[place(node)];
  }
  size_t place(const Node& node) const { return places_.at(&node); }
  // Returns the number of references to a node from within the list.
  int uses(const Node& node) const { return uses_[place(node)]; }
  // Hashes kinds, shapes, types, operations and small constants: all that must agree between ranks.
  uint64_t hash() const;

 private:
  std::vector<NodeRef> order_;
  std::unordered_map<const Node*, size_t> places_;
  std::vector<bool> split_;
  std::vector<int> uses_;
  std::vector<std::shared_ptr<SplitArray>> arrays_;
};

}  // namespace tutti::ranks
