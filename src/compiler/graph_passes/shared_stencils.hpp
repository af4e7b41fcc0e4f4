// Finds values that a kernel with register tiles (schedule/register_tiles.cpp) computes once for
// all its points, whatever the number of uses. Only the halos of its tiles are recomputed.
// In: a graph and the number of uses of each node. Out: a flag for each node.
#pragma once
#include "compiler/graph_passes/graph.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

// How often nodes are inputs of other nodes.
struct Uses {
  std::vector<int> identity;  // of element-wise operations, at their own coordinates
  std::vector<int> affine;    // of transformations
  std::vector<int> gather;    // of gathers, at computed coordinates
};

struct SharedStencils {
  std::vector<bool> shared;
  // Shared values that are cheaper to store than to recompute at the edges of register tiles. Their
  // consumers load them.
  std::vector<bool> expensive;
};

SharedStencils find_shared_stencils(const Graph& graph, const target::Target& target,
                                    const Uses& uses);

// Returns whether a node can be computed for each point of a kernel that uses it.
bool is_fused(const GraphNode& node);

}  // namespace tutti::compiler
