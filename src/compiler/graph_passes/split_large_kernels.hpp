// Where to cut a kernel that would be too large. The nodes below a root are looked at in the order
// in which the program made them; after each of them some values are alive: made before, used
// later. Storing those splits the kernel there. Loops of the program keep little alive from one
// step to the next, and that is where they are cut.
#pragma once
#include "compiler/graph_passes/graph.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

struct Limits {
  double operations, loads, rows;  // as expanded_size.hpp counts them
};

// The values to store so that what is left of the kernel of `root` stays within the limits; those
// that take the fewest bytes for the work they save. Nothing if there are none.
TUTTI_EXPORT std::vector<int> cheapest_frontier(const Graph& graph,
                                                const std::vector<bool>& in_memory, int root,
                                                const Limits& limits);

}  // namespace tutti::compiler
