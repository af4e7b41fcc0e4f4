// Puts the nodes that are computed into memory together in groups, one for each kernel or product:
// siblings of one shape, values and what is computed from them point by point, reductions of one
// shape. In: a graph and what is in memory. Out: groups in an order in which they can run.
#pragma once
#include "compiler/graph_passes/materialise.hpp"

namespace tutti::compiler {

struct Group {
  enum class Kind : uint8_t { map, reduce, recurrence, product, alias, primitive };
  Kind kind{};
  std::vector<int> nodes;
  // Of short reductions: a map computes each result, with an instruction for each of its elements.
  bool unrolled = false;
};

std::vector<Group> group_kernels(const Graph& graph, const Materialised& memory,
                                 const target::Target& target);

}  // namespace tutti::compiler
