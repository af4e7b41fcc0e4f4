// Nodes that are computed together: the outputs of one application of a program. Reading one of
// them computes all others that are still referenced, in the same kernel.
#pragma once
#include <mutex>
#include <vector>

#include "core/process/fork.hpp"
#include "graph/node.hpp"

namespace tutti::ir {

class SiblingOutputs {
 public:
  void add(Node& node);
  void forget(const Node& node);
  // Returns the nodes that still exist; none in a child of fork() whose list is incomplete.
  std::vector<NodeRef> nodes();

 private:
  ForkMutex mutex_;
  std::vector<Node*> nodes_;
};

void link_siblings(std::span<const NodeRef> nodes);

// Adds the pending nodes that are computed together with these. Requires graph_mutex().
void add_companions(std::vector<NodeRef>& nodes);

}  // namespace tutti::ir
