// How an array is split: contiguous parts of one axis, one for each rank.
#pragma once
#include <vector>

#include "ranks/box.hpp"

namespace tutti::ranks {

struct Layout {
  int axis = 0;
  std::vector<int64_t> offsets;  // of the parts, ranks + 1 of them

  Box part(const Extents& shape, int rank) const {
    Box box = whole(shape);
    box[axis] = {offsets[static_cast<size_t>(rank)], offsets[static_cast<size_t>(rank) + 1]};
    return box;
  }
  bool operator==(const Layout&) const = default;
};

// Splits one axis, in whole tiles of reductions and scans if there are enough of them. The result
// depends only on the shape and the number of ranks.
Layout layout_along(const Extents& shape, int axis, int ranks);

// Returns the usual layout of a shape: along the first axis that has an element for every rank.
Layout usual_layout(const Extents& shape, int ranks);

}  // namespace tutti::ranks
