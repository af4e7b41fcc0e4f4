// Evaluations that look for faults (core/checks.hpp). The flags are computed in the same
// evaluation as the results, on the same device; where one is set, the graph is interpreted to
// find the operation that is to blame.
#pragma once
#include <functional>
#include <span>

#include "graph/node.hpp"

namespace tutti::engine {

// Computes the nodes, and flags beside them, by run(nodes). Throws CheckError if one of `faults`
// was computed; the nodes have their buffers then.
void evaluate_checked(std::span<const detail::NodeRef> nodes, int faults,
                      const std::function<void(std::span<const detail::NodeRef>)>& run);

}  // namespace tutti::engine
