// Common subexpressions: nodes that compute the same from the same inputs become one.
// In: a graph. Out: the same graph, in which every use of a duplicate names the first of its kind.
#pragma once
#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

// Returns for each node the one that stands for it.
std::vector<int> eliminate_common_subexpressions(Graph& graph);

}  // namespace tutti::compiler
