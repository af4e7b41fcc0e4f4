// Joins two neighbouring axes of a map into one. Exactly, where every load reads both as one; or
// with coordinates that are computed from the joined one, so that short rows fill whole vectors.
#pragma once
#include "compiler/kernel/kernel.hpp"

namespace tutti::compiler {

// Joins all neighbouring axes that every load reads as one.
void join_contiguous_axes(Kernel& kernel);

// Joins the inner axis of a map on a CPU with the one before, while rows are too short for vectors.
// A load that reads both axes as one stays a load of neighbours. Others divide the joined
// coordinate for each lane. Call before normalise_kernel().
void join_short_rows(Kernel& kernel);

}  // namespace tutti::compiler
