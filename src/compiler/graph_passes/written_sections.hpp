// Sections that are written by kernels of their own, such as the parts of a stack. Finds the
// kernels that would compute a node, and sections whose values one kernel should compute.
#pragma once
#include <vector>

#include "compiler/graph_passes/graph.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

// Whether a kernel that computes a node computes all elements of its input, too.
bool needs_all_elements(const Graph& graph, const GraphNode& node, size_t input);

// What the values of a written section are computed as: below transformations of all elements.
int written_values(const Graph& graph, const GraphNode& section);

// By node: the kernels that would compute it if nothing but the results and the values of joined
// sections were in memory, a bit for each. Those of written sections never share one; all results
// share one.
std::vector<uint64_t> kernels_of_nodes(const Graph& graph, const std::vector<bool>& joined);

// By node: written sections whose values one kernel computes with those of others, because each
// would compute again what they share, for longer than it takes to store the values. None on GPUs,
// where that was not measured.
std::vector<bool> joined_sections(const Graph& graph, const target::Target& target);

}  // namespace tutti::compiler
