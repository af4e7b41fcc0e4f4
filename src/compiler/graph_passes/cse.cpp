#include "compiler/graph_passes/cse.hpp"

#include <algorithm>
#include <map>

#include "program/program.hpp"

namespace tutti::compiler {
namespace {

using ir::Kind;

// Returns the identity of node i. The positions of written sections are arguments of the plan, so
// no two writes are known to be equal.
std::vector<int64_t> identity_of(const GraphNode& node, int i) {
  std::vector<int64_t> id{static_cast<int64_t>(node.kind),
                          static_cast<int64_t>(node.op),
                          static_cast<int64_t>(node.reduction),
                          static_cast<int64_t>(node.type),
                          ir::number_of(node.payload),
                          node.slot,
                          node.shape.rank};
  id.insert(id.end(), node.shape.begin(), node.shape.end());
  id.insert(id.end(), node.inputs.begin(), node.inputs.end());
  if (node.program) id.push_back(node.program->id);
  if (node.kind == Kind::write_section) id.push_back(i);
  if (node.map) {
    id.push_back(static_cast<int64_t>(node.map->boundary));
    for (const ir::AxisMap& m : node.map->axes) id.insert(id.end(), {m.axis, m.stride, m.offset});
  }
  for (const GraphNode::Selected& s : node.selected) id.insert(id.end(), {s.axis, s.slot});
  return id;
}

// Returns the node x of operations that undo each other exactly, -(-x), !!x or ~~x, or -1.
int undone(const Graph& graph, const GraphNode& node) {
  if (node.kind != Kind::elementwise) return -1;
  if (node.op != Op::negate && node.op != Op::logical_not && node.op != Op::bit_not) return -1;
  const GraphNode& input = graph.nodes[node.inputs[0]];
  return input.kind == Kind::elementwise && input.op == node.op ? input.inputs[0] : -1;
}

// Returns the value of a choice between equal values or of min(x, x) and the like, or -1.
int without_effect(const GraphNode& node) {
  if (node.kind != Kind::elementwise) return -1;
  if (node.op == Op::choose && node.inputs[1] == node.inputs[2]) return node.inputs[1];
  const bool idempotent = node.op == Op::min || node.op == Op::max || node.op == Op::bit_and ||
                          node.op == Op::bit_or || node.op == Op::logical_and ||
                          node.op == Op::logical_or;
  return idempotent && node.inputs[0] == node.inputs[1] ? node.inputs[0] : -1;
}

}  // namespace

std::vector<int> eliminate_common_subexpressions(Graph& graph) {
  std::vector<int> stands_for(graph.nodes.size());
  std::map<std::vector<int64_t>, int> seen;
  for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
    GraphNode& node = graph.nodes[i];
    for (int& input : node.inputs) input = stands_for[input];
    int same = undone(graph, node);
    if (same < 0) same = without_effect(node);
    // A rank-0 input is broadcast to all elements: it replaces only nodes of its own shape.
    if (same < 0 || !(graph.nodes[same].shape == node.shape))
      same = seen.emplace(identity_of(node, i), i).first->second;
    stands_for[i] = same;
    graph.nodes[same].number = std::min(graph.nodes[same].number, node.number);
    if (node.keep) graph.nodes[same].keep = true;
  }
  for (int& root : graph.roots) root = stands_for[root];
  return stands_for;
}

}  // namespace tutti::compiler
