// Memory access patterns of a kernel along its rows, and loops of its programs, on which the choice
// of a strategy depends.
#pragma once
#include "compiler/kernel/kernel.hpp"
#include "target/gpu_tuning.hpp"

namespace tutti::schedule {

// Returns whether a load reads the element at the point of the domain, or the same for all points.
bool in_order(const compiler::Kernel& kernel, const compiler::Load& load);
bool all_in_order(const compiler::Kernel& kernel);

// Returns whether a load reads at an index that the kernel computes from data.
bool at_computed_index(const compiler::Kernel& kernel, const compiler::Load& load);
bool any_at_computed_index(const compiler::Kernel& kernel);

// Returns whether neighbours in a row are not contiguous in memory, as in a transpose.
bool walks_across_rows(const compiler::Kernel& kernel, const compiler::Load& load);
bool any_walks_across_rows(const compiler::Kernel& kernel);

// Returns whether the row index into an array larger than `cached_bytes` is computed. Neighbours in
// a row of the result may then read many rows, but neighbours in a column read the same cache
// lines.
bool any_gathers_across_rows(const compiler::Kernel& kernel, int64_t cached_bytes);

// Returns whether a kernel reads elements of one array at several offsets.
bool has_stencil(const compiler::Kernel& kernel);

// Returns whether a program of the kernel has a loop.
bool has_loops(const compiler::Kernel& kernel);

// Returns the number of elements in a wide access, by the widest type of the kernel.
int wide_lanes(const compiler::Kernel& kernel, const target::GpuTuning& gpu);

// Returns the number of elements in an access to a vector that is read in order. It is lower if
// many arrays are read.
int linear_lanes(const compiler::Kernel& kernel, const target::GpuTuning& gpu);

}  // namespace tutti::schedule
