// The checks of a pending graph, as nodes of flags in addition to the nodes that they check.
// Kernels compute the flags with everything else. If one is set, the interpreter computes the same
// nodes to find the element (reference/blame.hpp).
#pragma once
#include <span>
#include <vector>

#include "graph/node.hpp"

namespace tutti::ir {

struct FaultCheck {
  int fault;     // core/settings/checks.hpp
  NodeRef node;  // the node whose elements may be faults
  NodeRef bad;   // flags, shaped like the node, or one flag for all of its elements
  // For a node of Kind::program: the number of the faulty statement for each element; else null.
  NodeRef statement{};
};

// Returns the checks in the order of computation: overflow and bounds of every node whose value is
// needed, nan and inf of the roots. A value is not needed where a conditional chooses another one.
// Requires the graph lock.
std::vector<FaultCheck> fault_checks(std::span<const NodeRef> roots, int faults);

}  // namespace tutti::ir
