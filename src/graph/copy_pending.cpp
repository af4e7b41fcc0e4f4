#include "graph/copy_pending.hpp"

#include <unordered_map>
#include <unordered_set>

namespace tutti::ir {

// Walks depth first, without recursion: graphs may be deeper than the stack.
std::vector<NodeRef> pending_order(std::span<const NodeRef> roots) {
  struct Visit {
    NodeRef node;
    size_t next;  // input to enter
  };
  std::vector<NodeRef> order;
  std::unordered_set<const Node*> entered;
  std::vector<Visit> stack;
  const auto enter = [&](const NodeRef& node) {
    if (entered.insert(node.get()).second) stack.push_back({node, 0});
  };
  for (const NodeRef& root : roots) {
    enter(root);
    while (!stack.empty()) {
      Visit& top = stack.back();
      const auto inputs = top.node->buffer ? std::span<const NodeRef>() : top.node->inputs();
      if (top.next < inputs.size()) {
        enter(inputs[top.next++]);
        continue;
      }
      order.push_back(std::move(top.node));
      stack.pop_back();
    }
  }
  return order;
}

NodeRef copy_node(const Node& node, ElementType type, const Extents& shape,
                  std::span<const NodeRef> inputs) {
  NodeRef copy(new Node(node.kind, type, shape, node.where));
  copy->op = node.op;
  copy->reduction = node.reduction;
  copy->payload = node.payload;
  copy->trusted_offsets = node.trusted_offsets;
  copy->value = node.value;
  if (node.map) copy->map = std::make_unique<AffineMap>(*node.map);
  copy->program = node.program;
  copy->set_inputs(inputs);
  return copy;
}

std::vector<NodeRef> copy_pending(std::span<const NodeRef> roots,
                                  std::span<const NodeRef> variables,
                                  std::span<const BufferRef> values) {
  std::unordered_map<const Node*, NodeRef> copies;
  const auto add_leaf = [&](const Node& node, const BufferRef& buffer) {
    NodeRef leaf(new Node(Kind::leaf, node.type, node.shape, node.where));
    leaf->buffer = buffer;
    leaf->trusted_offsets = node.trusted_offsets;
    copies.emplace(&node, std::move(leaf));
  };
  for (size_t i = 0; i < variables.size(); ++i) add_leaf(*variables[i], values[i]);
  std::vector<NodeRef> inputs;
  for (const NodeRef& node : pending_order(roots)) {
    if (copies.count(node.get())) continue;
    if (node->buffer) {
      add_leaf(*node, node->buffer);
      continue;
    }
    inputs.clear();
    for (const NodeRef& input : node->inputs()) inputs.push_back(copies.at(input.get()));
    copies.emplace(node.get(), copy_node(*node, node->type, node->shape, inputs));
  }
  std::vector<NodeRef> result;
  for (const NodeRef& root : roots) result.push_back(copies.at(root.get()));
  return result;
}

}  // namespace tutti::ir
