// Decides which nodes get their elements into memory: the paper's break nodes. All others are
// computed inside the kernels that use them.
// In: a graph. Out: for each node, why it is in memory, or nothing.
#pragma once
#include <string>

#include "compiler/graph_passes/graph.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

struct Materialised {
  std::vector<bool> in_memory;
  std::vector<std::string> reason;    // for explain()
  std::vector<bool> tiled;            // stencils whose points share what they have in common
  std::vector<bool> short_reduction;  // of a few elements for each of many results
};

// The matrix of which this node is the transpose, or -1: products read it as it is.
int transposed_matrix(const Graph& graph, int i);

Materialised decide_materialisation(const Graph& graph, const target::Target& target);

// Rewriting leaves nodes that no result needs any more: nothing is computed for them.
void drop_unused(const Graph& graph, Materialised& memory);

}  // namespace tutti::compiler
