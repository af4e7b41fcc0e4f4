#include "engine/laziness.hpp"

#include <limits>
#include <utility>

#include "core/block_pool.hpp"
#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "engine/pending.hpp"
#include "graph/traversal.hpp"

namespace tutti::engine {
namespace {

using detail::NodeRef;

// For nested programs: see is_long_chain().
constexpr int long_chain = 60;

// The exact amount pending below a node: shared parts count once.
struct Pending {
  int operations = 0;
  int64_t bytes = 0;   // of the leaves
  int64_t pinned = 0;  // of the leaves that only this graph references
};

Pending count_pending(ir::Node* root) {
  std::lock_guard lock(ir::graph_mutex());
  const uint64_t number = ir::next_traversal();
  Pending result;
  SmallVector<ir::Node*> stack{root}, leaves;
  while (!stack.empty()) {
    ir::Node* node = stack.back();
    stack.pop_back();
    if (node->buffer) {
      leaves.push_back(node);
      continue;
    }
    ++result.operations;
    for (const NodeRef& input : node->inputs()) {
      const bool seen = std::exchange(input->visit, number) == number;
      input->place = seen ? input->place + 1 : 1;  // references from this graph
      if (!seen) stack.push_back(input.get());
    }
  }
  for (const ir::Node* leaf : leaves) {
    const auto bytes = static_cast<int64_t>(leaf->buffer->bytes());
    result.bytes += bytes;
    if (leaf->references.load(std::memory_order_relaxed) <= leaf->place) result.pinned += bytes;
  }
  return result;
}

// This thread's last walk over a pending graph.
struct Walk {
  int creations_to_skip = 0;
  int64_t bytes_in_use = 0;
};
thread_local Walk last_walk;

// Memory that the process uses. Ranks hold parts of different sizes but must evaluate at the same
// places of a program: for them it counts as full.
int64_t bytes_in_use() {
  return distribution() ? std::numeric_limits<int64_t>::max() / 2 : counters().bytes_in_use.load();
}

}  // namespace

void evaluate_anew(std::span<const NodeRef> nodes) {
  last_walk = {};
  engine::evaluate(nodes);
}

void keep_bounded(std::span<const NodeRef> nodes) {
  const LiveSettings& limits = live_settings();
  for (const NodeRef& node : nodes) {
    const bool many = node->pending_operations > limits.max_pending_operations;
    const bool large =
        node->pending_bytes > limits.max_pending_bytes && bytes_in_use() > limits.max_pending_bytes;
    if (!many && !large) continue;
    const int64_t grown = bytes_in_use() - last_walk.bytes_in_use;
    const bool may_have_grown = large && grown > limits.max_pending_bytes / 4;
    if (last_walk.creations_to_skip > 0 && !may_have_grown) {
      --last_walk.creations_to_skip;
      continue;
    }
    const Pending exact = count_pending(node.get());
    if (exact.operations > limits.max_pending_operations || exact.pinned > limits.max_pending_bytes)
      return evaluate_anew(nodes);
    last_walk = {exact.operations / 4, bytes_in_use()};
    node->pending_operations = exact.operations;
    node->pending_bytes = exact.bytes;
  }
}

// The count in a node is an upper bound: shared parts count once for every use.
bool is_long_chain(const NodeRef& node) {
  if (node->pending_operations <= long_chain) return false;
  int exact = 0;
  walk_pending({&node, 1}, [&](const ir::Node& below) {
    exact += !below.buffer;
    return exact <= long_chain;
  });
  if (exact > long_chain) return true;
  node->pending_operations = exact;
  return false;
}

}  // namespace tutti::engine
