// Detects loops that a program has unrolled, such as one over 32 candidates that keeps the best so
// far. Their steps are the same operations, each on results of the step before. A kernel contains
// the code of one step (reroll_loops.hpp), so all steps but the first cost it nothing.
#pragma once
#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

// Marks the nodes of all steps but the first (GraphNode::repeats_step).
void mark_unrolled_loops(Graph& graph);

// For a kernel whose loop cannot be rerolled: all steps cost it code.
void unmark_unrolled_loops(Graph& graph);

}  // namespace tutti::compiler
