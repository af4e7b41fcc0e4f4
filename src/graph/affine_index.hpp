// Recognises gathers whose indices depend only on the coordinates of the result: a[i + 1, 2 * j]
// over a grid of i and j. They become transformations, which fuse and are loaded as whole vectors.
#pragma once
#include <optional>

#include "graph/node.hpp"

namespace tutti::ir {

// Returns the map that the index arrays (int32, of one shape) apply to an array of these extents,
// if each is a multiple of one coordinate plus an offset. `name` and fill are not set. Recognises
// boundary rules written in the program: max(i - 1, 0) where coordinates are clamped, (i + 1) %
// extent.
std::optional<AffineMap> affine_map_of(std::span<const NodeRef> indices, const Extents& extents,
                                       Boundary::Kind boundary);

}  // namespace tutti::ir
