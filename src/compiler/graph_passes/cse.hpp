// Eliminates common subexpressions: nodes that apply the same operation to the same inputs.
// In: a graph. Out: the same graph, in which every use of a duplicate names the first of its kind.
#pragma once
#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

// Returns for each node the node that replaces it.
std::vector<int> eliminate_common_subexpressions(Graph& graph);

}  // namespace tutti::compiler
