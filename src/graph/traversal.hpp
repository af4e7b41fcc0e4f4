// Walks over the graph mark what they have seen in the nodes themselves (Node::visit): a set of
// nodes beside it would take longer than the walk. Call with graph_mutex() held.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

// The mark of a new walk, which no node has yet.
uint64_t next_traversal();

}  // namespace tutti::ir
