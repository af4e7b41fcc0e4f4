// Reductions over blocks, such as the sums of 8 x 8 pixels, read a reshape of an image. This pass
// reshapes what the image is computed from instead: arrays in memory, which have other shapes
// without being moved. So the reduction computes its elements itself, and the image is not stored.
// In: a graph without common subexpressions. Out: the same values, with other nodes.
#pragma once
#include "compiler/graph_passes/graph.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

// Updates `stands_for`, the node that has the value of each collected node. Returns whether the
// graph was changed.
bool sink_reshapes(Graph& graph, const target::Target& target, std::vector<int>& stands_for);

}  // namespace tutti::compiler
