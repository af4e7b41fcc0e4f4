// Loops that a program has unrolled, such as one over 32 candidates that keeps the best so far:
// their steps are the same operations, each on what the step before has left. A kernel holds the
// code of a step once (reroll_loops.hpp), so all steps but the first cost it nothing.
#pragma once
#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

// Marks the nodes of all steps but the first (GraphNode::again); false if there are none.
bool mark_unrolled_loops(Graph& graph);

}  // namespace tutti::compiler
