// Turns groups of nodes into the steps of a plan. Each group becomes a kernel, a product, a
// primitive, an alias under another shape, or nothing where it has no elements. Values are numbered
// in the order of the nodes; totals of reduction tiles come after them.
#pragma once
#include <functional>
#include <memory>

#include "compiler/graph_passes/form_kernels.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

// The passes over each kernel.
struct KernelPasses {
  std::function<void(compiler::Kernel&)> prepare;   // after lowering
  std::function<void(compiler::Kernel&)> schedule;  // once everything else is complete
};

// Groups are in an order in which they can run. Plan::value_of is indexed by node of the graph.
std::unique_ptr<compiler::Plan> build_plan(const compiler::Graph& graph,
                                           const compiler::Materialised& memory,
                                           const std::vector<compiler::Group>& groups,
                                           const target::Target& target, KernelPasses passes);

}  // namespace tutti::compiler
