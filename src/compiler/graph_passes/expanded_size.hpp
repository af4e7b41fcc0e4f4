// The size of a kernel, counted exactly: a value that several uses need, such as the offsets of a
// stencil, is an instruction for each of them.
#pragma once
#include <span>

#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

struct ExpandedSize {
  double operations = 0, loads = 0;
  double rows = 0;  // of arrays that it walks along: loads that differ in their column count once
};

// A kernel that computes the roots for one point. Counting stops far beyond the limits of kernels.
ExpandedSize expanded_size(const Graph& graph, const std::vector<bool>& in_memory,
                           std::span<const int> roots);

}  // namespace tutti::compiler
