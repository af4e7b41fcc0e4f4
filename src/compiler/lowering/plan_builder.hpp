// From groups of nodes to the steps of a plan: each group becomes a kernel, a
// product, a primitive, another shape of the same elements, or nothing where it
// has no elements. Values are numbered in the order of the nodes; totals of the
// tiles of a reduction come after them.
#pragma once
#include <functional>
#include <memory>

#include "compiler/graph_passes/form_kernels.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

// What happens to kernels on the way.
struct KernelPasses {
  std::function<void(compiler::Kernel&)> prepare;   // once it is lowered
  std::function<void(compiler::Kernel&)> schedule;  // once it is complete otherwise
};

// Groups come in an order in which they can run. Plan::value_of is by node of
// the graph.
std::unique_ptr<compiler::Plan> build_plan(const compiler::Graph& graph,
                                           const compiler::Materialised& memory,
                                           const std::vector<compiler::Group>& groups,
                                           const target::Target& target, KernelPasses passes);

}  // namespace tutti::compiler
