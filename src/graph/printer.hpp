// Prints the graph: one line a node, producers first. For explain(), logs and failing tests.
#pragma once
#include <span>
#include <string>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::ir {

// Requires graph_mutex().
TUTTI_EXPORT std::string print(std::span<const NodeRef> roots);

const char* boundary_name(Boundary::Kind kind);
// "[i1 + 2, 3*i0] clamp": the coordinates that are read from an array of this rank, in terms of
// those of the result.
std::string map_text(const AffineMap& map, int rank);
// Returns the same without the boundary rule.
std::string coordinates_text(const AffineMap& map, int rank);

}  // namespace tutti::ir
