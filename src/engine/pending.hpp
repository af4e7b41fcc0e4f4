// Walks over pending graphs.
#pragma once
#include <span>
#include <utility>

#include "core/block_pool.hpp"
#include "graph/node.hpp"
#include "graph/traversal.hpp"

namespace tutti::engine {

// Calls visit(node) for every pending node below the roots and for the leaves below those, until it
// returns false. Requires the graph lock.
template <class Visit>
void walk_pending_locked(std::span<const detail::NodeRef> roots, Visit visit) {
  const uint64_t number = ir::next_traversal();
  SmallVector<const ir::Node*> stack;
  const auto push = [&](const detail::NodeRef& node) {
    if (std::exchange(node->visit, number) != number) stack.push_back(node.get());
  };
  for (const detail::NodeRef& root : roots) push(root);
  while (!stack.empty()) {
    const ir::Node* node = stack.back();
    stack.pop_back();
    if (!visit(*node)) return;
    if (!node->buffer)
      for (const detail::NodeRef& input : node->inputs()) push(input);
  }
}

// Does the same, and takes the graph lock.
template <class Visit>
void walk_pending(std::span<const detail::NodeRef> roots, Visit visit) {
  std::lock_guard lock(ir::graph_mutex());
  walk_pending_locked(roots, visit);
}

}  // namespace tutti::engine
