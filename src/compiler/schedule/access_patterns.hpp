// How a kernel reads memory along its rows, as far as strategies depend on it.
#pragma once
#include "passes/kernel.hpp"
#include "target/gpu_tuning.hpp"

namespace tutti::schedule {

// Whether a load is of the element at the very point of the domain, or the same for all points.
bool in_order(const passes::Kernel& kernel, const passes::Load& load);
bool all_in_order(const passes::Kernel& kernel);

// Whether a load is at an index that the kernel computes from data.
bool at_computed_index(const passes::Kernel& kernel, const passes::Load& load);
bool any_at_computed_index(const passes::Kernel& kernel);

// Neighbours in a column are neighbours in memory, neighbours in a row are not.
bool walks_across_rows(const passes::Kernel& kernel, const passes::Load& load);
bool any_walks_across_rows(const passes::Kernel& kernel);

// Whether elements of one array are read at several offsets.
bool has_stencil(const passes::Kernel& kernel);

// Elements of a wide access, by the widest type of the kernel.
int wide_lanes(const passes::Kernel& kernel, const target::GpuTuning& gpu);

// Elements of an access to a vector that is read in order: fewer where many arrays are read.
int linear_lanes(const passes::Kernel& kernel, const target::GpuTuning& gpu);

}  // namespace tutti::schedule
