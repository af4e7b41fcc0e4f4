// Reshapes that only split axes, such as an image cut into blocks. A coordinate of the input is a
// sum of those of the result, so the reshape is index arithmetic and needs no copy.
#pragma once
#include <optional>
#include <vector>

#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

// Axes [first, last) of the result that make up one axis of the input.
struct SplitAxis {
  int first, last;
};

// Returns an entry for each axis of `from`. Returns nothing if `to` does more than split, or if the
// coordinates of an axis, which are summed as int32, do not fit 32 bits.
inline std::optional<std::vector<SplitAxis>> split_axes(const Extents& from, const Extents& to) {
  std::vector<SplitAxis> result;
  int next = 0;
  for (int64_t extent : from) {
    SplitAxis axis{next, next};
    int64_t covered = 1;
    while (covered < extent && axis.last < to.rank && to[axis.last] > 0) covered *= to[axis.last++];
    if (covered != extent || extent > INT32_MAX) return std::nullopt;
    next = axis.last;
    result.push_back(axis);
  }
  return result;
}

}  // namespace tutti::compiler
