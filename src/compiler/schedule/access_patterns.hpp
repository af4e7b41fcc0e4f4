// How a kernel reads memory along its rows, as far as strategies depend on it.
#pragma once
#include "compiler/kernel/kernel.hpp"
#include "target/gpu_tuning.hpp"

namespace tutti::schedule {

// Whether a load is of the element at the very point of the domain, or the same for all points.
bool in_order(const compiler::Kernel& kernel, const compiler::Load& load);
bool all_in_order(const compiler::Kernel& kernel);

// Whether a load is at an index that the kernel computes from data.
bool at_computed_index(const compiler::Kernel& kernel, const compiler::Load& load);
bool any_at_computed_index(const compiler::Kernel& kernel);

// Neighbours in a column are neighbours in memory, neighbours in a row are not.
bool walks_across_rows(const compiler::Kernel& kernel, const compiler::Load& load);
bool any_walks_across_rows(const compiler::Kernel& kernel);

// The rows of an array that does not fit into a cache are computed: neighbours in a row of the
// result may need many rows of it, of which neighbours in a column need the same cache lines.
bool any_gathers_across_rows(const compiler::Kernel& kernel, int64_t cached_bytes);

// Whether elements of one array are read at several offsets.
bool has_stencil(const compiler::Kernel& kernel);

// Elements of a wide access, by the widest type of the kernel.
int wide_lanes(const compiler::Kernel& kernel, const target::GpuTuning& gpu);

// Elements of an access to a vector that is read in order: fewer where many arrays are read.
int linear_lanes(const compiler::Kernel& kernel, const target::GpuTuning& gpu);

}  // namespace tutti::schedule
