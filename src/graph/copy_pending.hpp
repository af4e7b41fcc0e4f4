// A copy of a pending graph: nodes of its own over the same buffers. It stays as it is when the
// original is computed and lets go of its inputs.
#pragma once
#include <span>
#include <vector>

#include "graph/node.hpp"

namespace tutti::ir {

// All pending nodes below the roots and their leaves, producers first. Requires the graph lock.
std::vector<NodeRef> pending_order(std::span<const NodeRef> roots);

// What stands for each of the roots. The copy holds the buffers of the leaves, so nothing writes
// over them. Requires the graph lock.
std::vector<NodeRef> copy_pending(std::span<const NodeRef> roots);

// The operation of a node on other inputs, with results of another type and shape.
NodeRef copy_node(const Node& node, ElementType type, const Extents& shape,
                  std::span<const NodeRef> inputs);

}  // namespace tutti::ir
