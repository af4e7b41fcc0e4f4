// Decides where to split a kernel that would be too large. The nodes below a root are visited in
// program order. After each of them some values are live: made before, used later. Storing those
// splits the kernel there. Loops of the program keep few values live between steps, so they are
// split there.
#pragma once
#include "compiler/graph_passes/graph.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

struct Limits {
  double operations, loads, rows;  // as expanded_size.hpp counts them
};

// Returns the values to store so that the rest of the kernel of `root` stays within the limits.
// Chooses those with the fewest bytes for the work that they save. Empty if no cut fits.
TUTTI_EXPORT std::vector<int> cheapest_frontier(const Graph& graph,
                                                const std::vector<bool>& in_memory, int root,
                                                const Limits& limits);

}  // namespace tutti::compiler
