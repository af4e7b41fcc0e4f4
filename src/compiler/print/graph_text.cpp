// Prints graphs and groups of nodes: a line for each node, with the reason if it is materialised.
#include "compiler/print/print.hpp"
#include "graph/printer.hpp"
#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using compiler::Graph;
using compiler::GraphNode;
using ir::Kind;

std::string operation_text(const Graph& graph, const GraphNode& node) {
  const auto input_rank = [&] {
    return graph.nodes[static_cast<size_t>(node.inputs[0])].shape.rank;
  };
  switch (node.kind) {
    case Kind::leaf:
      return "leaf " + std::to_string(node.slot);
    case Kind::constant:
      return "constant scalar " + std::to_string(node.slot);
    case Kind::index:
      return "index " + std::to_string(node.get<ir::IndexAxis>().axis);
    case Kind::elementwise:
      return ir::op_name(node.op);
    case Kind::affine:
      return std::string(node.map->name) + " " + ir::map_text(*node.map, input_rank());
    case Kind::gather:
      return std::string("gather ") + ir::boundary_name(node.map->boundary);
    case Kind::reduce: {
      std::string text = ir::reduction_name(node.reduction);
      for (int axis = 0; axis < input_rank(); ++axis)
        if (node.get<ir::ReducedAxes>().has(axis)) text += " axis " + std::to_string(axis);
      return text;
    }
    case Kind::program:
      return "program output " + std::to_string(node.get<ir::ProgramOutput>().number);
    case Kind::recurrence: {
      const auto step = node.get<ir::RecurrenceStep>();
      return "recurrence output " + std::to_string(step.output) + " axis " +
             std::to_string(step.axis) + (step.backward ? " backward" : "");
    }
    case Kind::fourier_lines:
      return ir::kind_name(node.kind) + ir::lines_text(node.get<ir::FourierLines>());
    default:
      if (!ir::is_combining_primitive(node.kind)) return ir::kind_name(node.kind);
      return std::string(ir::kind_name(node.kind)) + " " + ir::reduction_name(node.reduction) +
             (node.payload == ir::Payload(ir::ScanForm::exclusive) ? " exclusive" : "");
  }
}

std::string node_text(const Graph& graph, size_t i) {
  const GraphNode& node = graph.nodes[i];
  std::string text = "%" + std::to_string(i) + " = " + type_text(node.type, node.shape) + " " +
                     operation_text(graph, node);
  for (int input : node.inputs) text += " %" + std::to_string(input);
  const bool fills = node.map && node.map->boundary == Boundary::Kind::constant;
  if (fills) text += " beyond: scalar " + std::to_string(node.slot);
  for (const GraphNode::Selected& s : node.selected)
    text += " axis " + std::to_string(s.axis) + ": scalar " + std::to_string(s.slot);
  if (node.keep) text += ", kept";
  if (node.gathered_often) text += ", gathered often";
  if (node.repeats_step) text += ", repeats a step";
  return text;
}

std::string roots_text(const Graph& graph) {
  std::string text = "results";
  for (int root : graph.roots) text += " %" + std::to_string(root);
  return text + "\n";
}

}  // namespace

std::string type_text(ElementType type, const detail::Extents& shape) {
  return name(type) + detail::to_string(shape);
}

std::string print(const Graph& graph) {
  std::string text;
  for (size_t i = 0; i < graph.nodes.size(); ++i) text += node_text(graph, i) + "\n";
  return text + roots_text(graph);
}

std::string print(const Graph& graph, const compiler::Materialised& memory) {
  std::string text;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    text += node_text(graph, i);
    if (memory.in_memory[i])
      text += ", in memory" + (memory.reason[i].empty() ? "" : ": " + memory.reason[i]);
    text += "\n";
  }
  return text + roots_text(graph);
}

std::string print(const std::vector<compiler::Group>& groups) {
  static constexpr const char* kinds[] = {"map",     "reduce", "recurrence",
                                          "product", "alias",  "primitive"};
  static_assert(std::size(kinds) == static_cast<size_t>(Group::Kind::primitive) + 1);
  std::string text;
  for (const compiler::Group& group : groups) {
    text += kinds[static_cast<size_t>(group.kind)];
    for (int node : group.nodes) text += " %" + std::to_string(node);
    text += "\n";
  }
  return text;
}

}  // namespace tutti::compiler
