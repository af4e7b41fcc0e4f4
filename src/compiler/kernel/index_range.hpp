// Interval arithmetic on the coordinates of a kernel. In: an index expression and an interval of
// one axis of the domain. Out: an interval that contains every value of the expression there. It is
// exact unless a wrapped coordinate crosses the end of its array.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// A closed interval.
struct IndexRange {
  int64_t first = 0, last = 0;
  bool within(int64_t begin, int64_t end) const { return first >= begin && last < end; }
};

// Returns the values of `index` while axis `dim` of the domain runs through `along`, and all other
// axes through their extents.
IndexRange range_of(const Kernel& kernel, int index, int dim, IndexRange along);

}  // namespace tutti::compiler
