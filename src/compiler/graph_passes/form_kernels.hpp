// Groups materialised nodes, one group for each kernel, product or primitive: siblings of one
// shape, values and their point-wise consumers, reductions of one shape. In: a graph and the
// materialised nodes. Out: groups in an order in which they can run.
#pragma once
#include "compiler/graph_passes/materialise.hpp"

namespace tutti::compiler {

struct Group {
  enum class Kind : uint8_t { map, reduce, recurrence, product, alias, primitive };
  Kind kind{};
  std::vector<int> nodes;
  // Short reductions: a map computes each result, with an instruction for each of its elements.
  bool unrolled = false;
};

std::vector<Group> group_kernels(const Graph& graph, const Materialised& memory,
                                 const target::Target& target);

}  // namespace tutti::compiler
