#include "passes/collect.hpp"

#include "ir/program.hpp"

namespace tutti::passes {
namespace {

using ir::Kind;
using ir::Node;

uint64_t traversal_number = 0;  // guarded by graph_mutex()

// Kept when it was computed before inside a kernel and is wanted again: cheap things are computed
// twice at most, and a loop over a growing graph does not start from the beginning each time.
bool keeps(const Node& node) {
  return node.computed_before && (node.kind == Kind::elementwise || node.kind == Kind::cast ||
                                  node.kind == Kind::gather || node.kind == Kind::program);
}

bool has_fill(const Node& node) {
  return node.map && node.map->boundary == Boundary::Kind::constant;
}

void describe(const Node& node, bool leaf, Collected& c) {
  auto& key = c.key;
  key.push_back(
      static_cast<uint64_t>(leaf ? Kind::leaf : node.kind) | static_cast<uint64_t>(node.op) << 8 |
      static_cast<uint64_t>(node.reduction) << 16 | static_cast<uint64_t>(node.type) << 24 |
      static_cast<uint64_t>(node.shape.rank) << 32 | static_cast<uint64_t>(node.axes) << 40 |
      static_cast<uint64_t>(keeps(node)) << 56 | static_cast<uint64_t>(node.mode) << 57);
  for (int64_t dim : node.shape) key.push_back(static_cast<uint64_t>(dim));
  if (leaf) {
    c.leaves.push_back(const_cast<Node*>(&node));
    return;
  }
  if (node.kind == Kind::constant) {
    c.scalars.push_back(node.value.bits);
    return;
  }
  for (const detail::NodeRef& input : node.inputs()) {
    key.push_back(static_cast<uint64_t>(input->place));
    ++c.references[static_cast<size_t>(input->place)];
  }
  if (node.program) key.push_back(static_cast<uint64_t>(node.program->id));
  if (!node.map) return;
  key.push_back(static_cast<uint64_t>(node.map->boundary));
  if (has_fill(node)) c.scalars.push_back(node.map->fill.bits);
  if (node.kind == Kind::affine)
    for (int i = 0; i < node.inputs()[0]->shape.rank; ++i) {
      const ir::AxisMap& m = node.map->axes[static_cast<size_t>(i)];
      key.push_back(static_cast<uint64_t>(m.axis + 1));
      key.push_back(static_cast<uint64_t>(m.stride));
      key.push_back(static_cast<uint64_t>(m.offset));
    }
}

}  // namespace

bool is_table(const GraphNode& node, size_t input) {
  return node.program && input >= static_cast<size_t>(node.program->inputs);
}

bool collect(std::span<const detail::NodeRef> roots, Collected& c) {
  const uint64_t number = ++traversal_number;
  std::vector<Node*> stack;
  stack.reserve(32);
  c.order.reserve(32);
  c.references.reserve(32);
  c.key.reserve(160);
  for (const detail::NodeRef& root : roots) {
    stack.push_back(root.get());
    while (!stack.empty()) {
      Node* node = stack.back();
      if (node->visit == number) {
        stack.pop_back();
        continue;
      }
      if (node->claimed) return false;
      bool ready = true;
      for (const detail::NodeRef& input : node->inputs())
        if (input->visit != number) {
          stack.push_back(input.get());
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      node->visit = number;
      node->place = static_cast<int>(c.order.size());
      c.order.push_back(node);
      c.references.push_back(0);
      describe(*node, ir::is_leaf(*node), c);
    }
    c.roots.push_back(root->place);
    c.key.push_back(~static_cast<uint64_t>(root->place));
  }
  return true;
}

bool has_scalar(const Node& node) {
  return !ir::is_leaf(node) && (node.kind == Kind::constant || has_fill(node));
}

Graph copy_graph(const Collected& collected) {
  Graph graph;
  int leaves = 0, scalars = 0;
  for (const Node* node : collected.order) {
    GraphNode& copy = graph.nodes.emplace_back();
    const bool leaf = ir::is_leaf(*node);
    copy.kind = leaf ? Kind::leaf : node->kind;
    copy.op = node->op;
    copy.reduction = node->reduction;
    copy.type = node->type;
    copy.shape = node->shape;
    copy.axes = node->axes;
    copy.mode = node->mode;
    copy.where = node->where;
    if (leaf) {
      copy.slot = leaves++;
      continue;
    }
    copy.keep = keeps(*node);
    for (const detail::NodeRef& input : node->inputs()) copy.inputs.push_back(input->place);
    copy.program = node->program;
    if (node->map) copy.map = &graph.maps.emplace_back(*node->map);
    if (has_scalar(*node)) copy.slot = scalars++;
  }
  graph.roots = collected.roots;
  for (int root : graph.roots) graph.nodes[static_cast<size_t>(root)].keep = true;
  return graph;
}

}  // namespace tutti::passes
