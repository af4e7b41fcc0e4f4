#include "compiler/graph_passes/written_sections.hpp"

#include <bit>
#include <set>

#include "compiler/cost_constants.hpp"
#include "compiler/cost_model.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

constexpr int numbered_kernels = 63;
constexpr uint64_t kernel_of_results = uint64_t{1} << numbered_kernels;

bool is_computed(const GraphNode& node) {
  const bool computes = node.kind == Kind::elementwise || node.kind == Kind::cast ||
                        node.kind == Kind::affine || node.kind == Kind::gather;
  return computes && !node.keep;
}

// Returns the cost of an element, without values that only this kernel computes.
double shared_cost(const Graph& graph, const std::vector<uint64_t>& kernels, int node) {
  double total = 0;
  std::vector<int> stack{node};
  std::set<int> seen;
  while (!stack.empty()) {
    const auto at = static_cast<size_t>(stack.back());
    stack.pop_back();
    if (!seen.insert(static_cast<int>(at)).second) continue;
    const GraphNode& here = graph.nodes[at];
    const bool shared = std::popcount(kernels[at]) > 1;
    if (shared && is_computed(here)) total += own_cost(here).cost;
    if (shared && here.kind == Kind::leaf) total += cost::load;
    if (is_computed(here)) stack.insert(stack.end(), here.inputs.begin(), here.inputs.end());
  }
  return total;
}

}  // namespace

bool needs_all_elements(const Graph& graph, const GraphNode& node, size_t input) {
  if (node.kind == Kind::affine)
    return node.shape.size() == graph.nodes[static_cast<size_t>(node.inputs[input])].shape.size();
  return ir::computes_elements(node.kind) && !is_table(node, input) &&
         (node.kind != Kind::gather || input > 0);
}

int written_values(const Graph& graph, const GraphNode& section) {
  int values = section.inputs[0];
  for (const GraphNode* at = &graph.nodes[static_cast<size_t>(values)];
       at->kind == Kind::affine && needs_all_elements(graph, *at, 0);
       at = &graph.nodes[static_cast<size_t>(values)])
    values = at->inputs[0];
  return values;
}

std::vector<uint64_t> kernels_of_nodes(const Graph& graph, const std::vector<bool>& joined) {
  std::vector<uint64_t> kernels(graph.nodes.size(), 0);
  for (size_t i = graph.nodes.size(); i-- > 0;) {  // consumers first
    const GraphNode& node = graph.nodes[i];
    if (node.keep) kernels[i] |= kernel_of_results;
    for (size_t k = 0; k < node.inputs.size(); ++k) {
      uint64_t& of_input = kernels[static_cast<size_t>(node.inputs[k])];
      if (node.kind == Kind::write_section && k == 0)
        of_input |= joined[i] ? kernel_of_results : uint64_t{1} << i % numbered_kernels;
      else if (needs_all_elements(graph, node, k))
        of_input |= kernels[i];
    }
  }
  return kernels;
}

std::vector<bool> joined_sections(const Graph& graph, const target::Target& target) {
  std::vector<bool> joined(graph.nodes.size(), false);
  if (target.shares_stencils) return joined;
  const std::vector<uint64_t> kernels = kernels_of_nodes(graph, joined);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (graph.nodes[i].kind != Kind::write_section) continue;
    const int values = written_values(graph, graph.nodes[i]);
    const GraphNode& node = graph.nodes[static_cast<size_t>(values)];
    joined[i] = is_computed(node) &&
                shared_cost(graph, kernels, values) > traffic(target.costs, node) + cost::load;
  }
  return joined;
}

}  // namespace tutti::compiler
