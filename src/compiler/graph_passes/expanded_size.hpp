// Counts the size of a kernel exactly: a value that is read at several places, such as the offsets
// of a stencil, is an instruction for each of them.
#pragma once
#include <span>

#include "compiler/graph_passes/graph.hpp"

namespace tutti::compiler {

struct ExpandedSize {
  double operations = 0, loads = 0;
  double rows = 0;  // rows of arrays that are read: loads that differ only in the column count once
};

// Counts a kernel that computes the roots for one point. Stops far beyond the limits of kernels.
ExpandedSize expanded_size(const Graph& graph, const std::vector<bool>& in_memory,
                           std::span<const int> roots);

}  // namespace tutti::compiler
