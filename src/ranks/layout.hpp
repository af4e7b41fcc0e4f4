// How an array is split: contiguous parts of one axis, one a rank.
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

// Parts of one axis, in whole tiles of reductions and scans where there are enough of them. Depends
// on the shape and the number of ranks alone.
Layout layout_along(const Extents& shape, int axis, int ranks);

// The usual layout of a shape: the first axis that has an element for every rank.
Layout usual_layout(const Extents& shape, int ranks);

}  // namespace tutti::ranks
