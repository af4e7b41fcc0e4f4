// The bounds on laziness: when a pending graph has grown so long that it is computed although its
// elements were not asked for.
// The counts kept in nodes are upper bounds. When one passes a limit the pending graph is walked
// and counted exactly; it is walked again when it can have grown by a quarter. Where a graph is cut
// depends on the graph alone, not on what was built before it.
#pragma once
#include <span>

#include "graph/node.hpp"

namespace tutti::engine {

// Evaluates nodes that were made together, if what is pending below them exceeds
// TUTTI_MAX_PENDING_OPERATIONS or TUTTI_MAX_PENDING_BYTES. Arrays that the program holds do not
// count, because evaluation would not free them.
void keep_bounded(std::span<const detail::NodeRef> nodes);

// Evaluates. What is pending afterwards is bounded anew, so that a program that builds the same
// graph again is cut at the same nodes.
void evaluate_anew(std::span<const detail::NodeRef> nodes);

// Whether a value of a nested program was put together from so many operations that it is not worth
// keeping lazy. A level of a recursion on its way up is about as much: then all levels are alike,
// and share a plan.
bool is_long_chain(const detail::NodeRef& node);

}  // namespace tutti::engine
