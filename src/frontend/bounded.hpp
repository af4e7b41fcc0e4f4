// Laziness has bounds. The counts kept in nodes are upper bounds; only when they pass a limit is
// the graph walked to see whether it is true, and then not again before it can have grown by a
// quarter. Arrays that the program holds itself do not count: to compute would not free them.
#pragma once
#include <span>

#include "tutti/detail/graph.hpp"

namespace tutti::detail {

// Evaluates nodes that were made together, if what is pending below them has grown too large.
void keep_bounded(std::span<const NodeRef> nodes);

}  // namespace tutti::detail
