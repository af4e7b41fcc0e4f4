// The bound on laziness for nodes that the functions of arrays make.
#pragma once
#include <span>

#include "tutti/detail/graph.hpp"

namespace tutti::detail {

// Evaluates nodes that were made together if the pending graph has become too large. Nodes of a
// capture, and of a body that is being recorded, cannot be evaluated: there are no elements yet.
void bound_pending(std::span<const NodeRef> nodes);

}  // namespace tutti::detail
