// Gathers at indices that follow from the coordinates of the result alone: a[i + 1, 2 * j] over a
// grid of i and j. They are transformations, which fuse and are loaded as whole vectors.
#pragma once
#include <optional>

#include "graph/node.hpp"

namespace tutti::ir {

// The coordinates of an array of these extents that index arrays (int32, of one shape) hold, if
// each is a multiple of one coordinate and an offset; `name` and fill are left open. Rules that
// the program spells out are recognised: max(i - 1, 0) where coordinates are clamped, (i + 1) %
// extent.
std::optional<AffineMap> affine_map_of(std::span<const NodeRef> indices, const Extents& extents,
                                       Boundary::Kind boundary);

}  // namespace tutti::ir
