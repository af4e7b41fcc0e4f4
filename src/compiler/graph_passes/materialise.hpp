// Decides which nodes are materialised: the paper's break nodes. All others are computed inside the
// kernels that use them.
// In: a graph. Out: the materialised nodes, each with the reason.
#pragma once
#include <string>

#include "compiler/graph_passes/graph.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

struct Materialised {
  std::vector<bool> in_memory;
  std::vector<std::string> reason;    // for explain()
  std::vector<bool> tiled;            // stencils whose points share common values
  std::vector<bool> short_reduction;  // a few elements for each of many results
};

// Returns the matrix of which this node is the transpose, or -1. Products read it without a copy.
int transposed_matrix(const Graph& graph, int i);

// Decides whether a reduction has few elements for each of many results. Such reductions have no
// work for SIMD lanes within a result, but neighbouring results have.
bool is_short_reduction(const Graph& graph, const GraphNode& node, const target::Target& target);

Materialised decide_materialisation(const Graph& graph, const target::Target& target);

// Drops nodes that no result depends on after rewriting: nothing is computed for them.
void drop_unused(const Graph& graph, Materialised& memory);

}  // namespace tutti::compiler
