// Walks over the graph mark visited nodes in the nodes themselves (Node::visit): a separate set of
// nodes would take longer than the walk. Requires graph_mutex().
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

// Returns the mark of a new walk, which no node has yet.
uint64_t next_traversal();

}  // namespace tutti::ir
