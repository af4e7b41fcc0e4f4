// The bounds on laziness: a pending graph that has grown too large is computed although its
// elements were not requested.
// The counts in nodes are upper bounds. When one passes a limit, the pending graph is walked and
// counted exactly. It is walked again once it may have grown by a quarter. Where a graph is cut
// depends on the graph alone, not on what was built before it.
#pragma once
#include <span>

#include "graph/node.hpp"

namespace tutti::engine {

// Evaluates nodes that were made together if the graph below them exceeds
// TUTTI_MAX_PENDING or TUTTI_MAX_PENDING_BYTES. Arrays that the program references do
// not count, because evaluation would not free them.
void keep_bounded(std::span<const detail::NodeRef> nodes);

// Evaluates and resets the counts of this thread, so that a program that builds the same graph
// again is cut at the same nodes.
void evaluate_anew(std::span<const detail::NodeRef> nodes);

// Decides whether a value of a nested program has too many pending operations to stay lazy. The
// limit is about one level of a returning recursion: then all levels have the same structure and
// share a plan.
bool is_long_chain(const detail::NodeRef& node);

}  // namespace tutti::engine
