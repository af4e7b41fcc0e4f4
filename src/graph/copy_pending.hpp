// Copies a pending graph: new nodes over the same buffers. The copy stays unchanged when the
// original is computed and releases its inputs.
#pragma once
#include <span>
#include <vector>

#include "graph/node.hpp"

namespace tutti::ir {

// Returns all pending nodes below the roots and their leaves, depth first: a node follows its
// inputs, which keep their order. Equal graphs give equal lists. Requires the graph lock.
std::vector<NodeRef> pending_order(std::span<const NodeRef> roots);

// Returns the copies of the roots. They hold the buffers of the leaves, so nothing overwrites
// those; instead of the leaf variables[i] they read values[i]. Requires the graph lock.
std::vector<NodeRef> copy_pending(std::span<const NodeRef> roots,
                                  std::span<const NodeRef> variables = {},
                                  std::span<const BufferRef> values = {});

// Returns the operation of a node on other inputs, with another type and shape of the result.
NodeRef copy_node(const Node& node, ElementType type, const Extents& shape,
                  std::span<const NodeRef> inputs);

}  // namespace tutti::ir
