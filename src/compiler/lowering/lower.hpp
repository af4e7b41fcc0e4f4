// Turns a group into a kernel: pushes transformations to the loads, composing their coordinate maps
// and boundary rules, and writes the computation as a list of instructions.
// A rule whose coordinate always stays inside disappears. A constant boundary becomes a choice
// between the value and the constant where the rule was written, so a transformation may be pushed
// through any operation.
#pragma once
#include "compiler/graph_passes/form_kernels.hpp"
#include "compiler/kernel/kernel.hpp"
#include "target/target.hpp"

namespace tutti::compiler {

// value_of holds the value number of each node in memory, and -1 for others. For a primitive, the
// kernel computes `inputs`, with one output for each.
Kernel lower(const Graph& graph, const Materialised& memory, const Group& group,
             const std::vector<int>& value_of, const target::Target& target,
             std::vector<size_t> inputs = {0});

}  // namespace tutti::compiler
