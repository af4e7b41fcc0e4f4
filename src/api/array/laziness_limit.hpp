// The bound on laziness. The counts kept in nodes are upper bounds. When one passes a limit the
// pending graph is walked and counted exactly; it is walked again when it can have grown by a
// quarter. Arrays that the program holds do not count, because evaluation would not free them.
// Where a graph is cut depends on the graph alone, not on what was built before it.
#pragma once
#include <span>

#include "tutti/detail/graph.hpp"

namespace tutti::detail {

// Evaluates nodes that were made together, if what is pending below them has grown too large.
void keep_bounded(std::span<const NodeRef> nodes);

}  // namespace tutti::detail
