#include "graph/sibling_outputs.hpp"

#include <algorithm>

namespace tutti::ir {
namespace {

// Adds a reference to a node unless another thread is about to destroy it.
bool try_retain(Node& node) {
  int references = node.references.load(std::memory_order_relaxed);
  while (references > 0)
    if (node.references.compare_exchange_weak(references, references + 1)) return true;
  return false;
}

}  // namespace

void SiblingOutputs::add(Node& node) {
  std::lock_guard lock(mutex_);
  nodes_.push_back(&node);
}

void SiblingOutputs::forget(const Node& node) {
  if (mutex_.is_abandoned()) return;  // so is the list
  std::lock_guard lock(mutex_);
  std::erase(nodes_, &node);
}

std::vector<NodeRef> SiblingOutputs::nodes() {
  std::vector<NodeRef> living;
  if (mutex_.is_abandoned()) return living;
  std::lock_guard lock(mutex_);
  for (Node* node : nodes_)
    if (try_retain(*node)) living.emplace_back(node);
  return living;
}

void link_siblings(std::span<const NodeRef> nodes) {
  const auto group = std::make_shared<SiblingOutputs>();
  std::lock_guard lock(graph_mutex());
  for (const NodeRef& node : nodes) {
    if (node->buffer || node->siblings) continue;  // an input passed through
    group->add(*node);
    node->siblings = group;
  }
}

void add_companions(std::vector<NodeRef>& nodes) {
  std::vector<std::shared_ptr<SiblingOutputs>> groups;
  for (const NodeRef& node : nodes)
    if (node->siblings && std::ranges::find(groups, node->siblings) == groups.end())
      groups.push_back(node->siblings);
  for (const auto& group : groups)
    for (NodeRef& companion : group->nodes())
      if (!companion->buffer && !companion->claimed &&
          std::find(nodes.begin(), nodes.end(), companion) == nodes.end())
        nodes.push_back(std::move(companion));
}

}  // namespace tutti::ir
