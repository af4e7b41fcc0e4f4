#include "graph/sibling_outputs.hpp"

#include <algorithm>

namespace tutti::ir {
namespace {

// A reference to a node that is not about to be destroyed by another thread.
bool try_retain(Node& node) {
  int references = node.references.load(std::memory_order_relaxed);
  while (references > 0)
    if (node.references.compare_exchange_weak(references, references + 1)) return true;
  return false;
}

}  // namespace

void Together::add(Node& node) {
  std::lock_guard lock(mutex_);
  nodes_.push_back(&node);
}

void Together::forget(const Node& node) {
  std::lock_guard lock(mutex_);
  std::erase(nodes_, &node);
}

std::vector<NodeRef> Together::nodes() {
  std::lock_guard lock(mutex_);
  std::vector<NodeRef> living;
  for (Node* node : nodes_)
    if (try_retain(*node)) living.emplace_back(node);
  return living;
}

void keep_together(std::span<const NodeRef> nodes) {
  const auto group = std::make_shared<Together>();
  std::lock_guard lock(graph_mutex());
  for (const NodeRef& node : nodes) {
    if (node->buffer || node->together) continue;  // an input passed through
    group->add(*node);
    node->together = group;
  }
}

void add_companions(std::vector<NodeRef>& nodes) {
  std::vector<std::shared_ptr<Together>> groups;
  for (const NodeRef& node : nodes)
    if (node->together && std::ranges::find(groups, node->together) == groups.end())
      groups.push_back(node->together);
  for (const auto& group : groups)
    for (NodeRef& companion : group->nodes())
      if (!companion->buffer && !companion->claimed &&
          std::find(nodes.begin(), nodes.end(), companion) == nodes.end())
        nodes.push_back(std::move(companion));
}

}  // namespace tutti::ir
