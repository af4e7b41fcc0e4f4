// Gathers at places that follow from the coordinates of the result alone: a[i + 1, 2 * j] over a
// grid of i and j. They are transformations, which fuse and are loaded as whole vectors.
#pragma once
#include <optional>

#include "ir/node.hpp"

namespace tutti::ir {

// The coordinates that these index arrays (int32, of one shape) hold, if each is a multiple of one
// coordinate and an offset; `name`, boundary and fill are left open.
std::optional<AffineMap> affine_map_of(std::span<const NodeRef> indices);

}  // namespace tutti::ir
