// Finds the operation that caused a fault, after kernels have reported one. The interpreter
// computes the same graph from the same data, as far as the first faulty element needs it.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "graph/node.hpp"

namespace tutti::ir {

// Describes the first of these faults (core/settings/checks.hpp): what happened, the operation, its
// element and operands, the source line, and how the operands were computed. Returns nothing if
// there is none. Overflow and bounds come before nan and inf. The roots are a copy
// (graph/copy_pending.hpp) with buffers on the host. Requires the graph lock.
std::optional<std::string> blame(std::span<const NodeRef> roots, int faults);

}  // namespace tutti::ir
