// The rows of an array that a kernel reads for some rows of its domain, as sorted ranges.
#pragma once
#include <optional>

#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

// Returns the coordinate at row (dim 0) or column (dim 1) x, or nothing if it does not advance by
// one element per row or column.
std::optional<int64_t> coordinate_at(const Kernel& kernel, int index, int dim, int64_t x);

// Returns whether a boundary rule wraps the coordinate around.
bool wraps_around(const Kernel& kernel, int index);

// Returns the rows of a source that a kernel over rows and columns reads to compute `rows`.
// Requires that its rows advance by one per row.
RowRanges rows_read(const Kernel& kernel, const Load& load, const RowRange& rows);

void merge(RowRanges& into, const RowRanges& more);
int64_t total(const RowRanges& ranges);

}  // namespace tutti::compiler
