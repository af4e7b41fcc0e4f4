// Turns a group into a kernel: pushes transformations to the loads, composing their coordinate maps
// and boundary rules, and writes the computation as a list of instructions.
// A rule that cannot matter (the coordinate stays inside) disappears. A constant boundary becomes a
// choice between the value and the constant at the place where the rule was written, so it may be
// pushed through any operation.
#pragma once
#include "compiler/graph_passes/form_kernels.hpp"
#include "compiler/kernel/kernel.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

// value_of: for each node in memory its value number; leaves and others -1. Of a primitive: the
// kernel that computes some of its inputs, an output each.
Kernel lower(const Graph& graph, const Materialised& memory, const Group& group,
             const std::vector<int>& value_of, const target::Target& target,
             std::vector<size_t> inputs = {0});

}  // namespace tutti::compiler
