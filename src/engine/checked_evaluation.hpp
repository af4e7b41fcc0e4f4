// Evaluations that check for faults (core/settings/checks.hpp). The flags are computed in the same
// evaluation as the results, on the same device. If one is set, the graph is interpreted to find
// the operation to blame.
#pragma once
#include <functional>
#include <span>

#include "graph/node.hpp"

namespace tutti::engine {

// Computes the nodes, together with flags, by run(nodes). Throws CheckError if one of `faults`
// occurred; the nodes have their buffers then.
void evaluate_checked(std::span<const detail::NodeRef> nodes, int faults,
                      const std::function<void(std::span<const detail::NodeRef>)>& run);

}  // namespace tutti::engine
