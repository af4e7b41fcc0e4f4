// Names of what was fused into a kernel, for explain().
#include <algorithm>
#include <set>

#include "passes/plan.hpp"

namespace tutti::passes {
namespace {

using ir::Kind;

std::string describe(const Graph& graph, const GraphNode& node) {
  const auto list_axes = [&](uint32_t axes, int rank) {
    std::string text;
    for (int axis = 0; axis < rank; ++axis)
      if (axes >> axis & 1) text += (text.empty() ? "" : ", ") + std::to_string(axis);
    return text;
  };
  switch (node.kind) {
    case Kind::constant:
      return "constant";
    case Kind::index:
      return "index(" + std::to_string(node.axes) + ")";
    case Kind::elementwise:
      return ir::op_name(node.op);
    case Kind::cast:
      return std::string("cast<") + name(node.type) + ">";
    case Kind::affine: {
      std::string text = node.map->name;
      if (text != "shift" && text != "rotate") return text;
      for (int i = 0; i < node.shape.rank; ++i)
        text += (i ? ", " : " {") + std::to_string(-node.map->axes[i].offset);
      return text + "}";
    }
    case Kind::gather:
      return "gather";
    case Kind::reduce:
      return std::string(ir::reduction_name(node.reduction)) + "(axes " +
             list_axes(node.axes, graph.nodes[node.inputs[0]].shape.rank) + ")";
    case Kind::scan:
    case Kind::segmented_reduce:
      return std::string(ir::kind_name(node.kind)) + "(" + ir::reduction_name(node.reduction) + ")";
    case Kind::leaf:
      break;
    default:
      return ir::kind_name(node.kind);
  }
  return "array";
}

}  // namespace

std::vector<Explanation::Kernel> explain(const Plan& plan) {
  std::vector<Explanation::Kernel> result;
  for (const KernelNote& note : plan.notes) {
    Explanation::Kernel kernel = *note.what;
    kernel.shape = detail::to_string(note.shape);
    for (const Source& source : note.reads)
      kernel.bytes_read += source.shape.size() * size_of(source.type);
    for (int value : note.writes) {
      const PlanValue& written = plan.values[static_cast<size_t>(value)];
      kernel.bytes_written += written.elements * size_of(written.type);
    }
    if (!note.writes.empty()) kernel.strategy = strategy_of(plan, note.writes[0]);
    result.push_back(std::move(kernel));
  }
  return result;
}

std::vector<std::string> describe_operations(const Graph& graph, const std::vector<bool>& in_memory,
                                             const std::vector<int>& group) {
  std::set<int> seen(group.begin(), group.end());
  std::vector<int> stack(group.begin(), group.end());
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    for (int input : graph.nodes[i].inputs)
      if (!in_memory[input] && graph.nodes[input].kind != Kind::leaf && seen.insert(input).second)
        stack.push_back(input);
  }
  std::vector<std::string> names;
  for (int i : seen)  // ascending: producers first
    if (graph.nodes[i].kind != Kind::constant || std::count(group.begin(), group.end(), i))
      names.push_back(describe(graph, graph.nodes[i]));
  return names;
}

}  // namespace tutti::passes
