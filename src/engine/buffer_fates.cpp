#include "engine/buffer_fates.hpp"

namespace tutti::engine {
namespace {

using compiler::Collected;
using compiler::Plan;
using detail::NodeRef;
using ir::Node;

// Returns whether a node gets its buffer: results, values that the plan keeps, and values that it
// stores anyway and that are still referenced, directly or by pending nodes.
bool gets_buffer(const Plan& plan, size_t place, bool is_root, bool may_be_wanted) {
  if (plan.leaf_of[place] >= 0) return is_root || may_be_wanted;
  if (plan.value_of[place] < 0) return false;
  const compiler::PlanValue& value = plan.values[static_cast<size_t>(plan.value_of[place])];
  return is_root || value.keep || (may_be_wanted && !value.in_row_blocks);
}

}  // namespace

BufferFates decide_fates(const Collected& c, const Plan& plan) {
  const size_t n = c.order.size();
  std::vector<bool> is_root(n, false);
  for (int root : c.roots) is_root[static_cast<size_t>(root)] = true;
  BufferFates fates{std::vector<bool>(n), std::vector<bool>(n), {}};
  std::vector<bool> held(n, false);  // some user of it stays pending
  for (size_t p = n; p-- > 0;) {
    const Node& node = *c.order[p];
    fates.wanted_outside[p] = node.references.load(std::memory_order_relaxed) > c.references[p];
    fates.gets_buffer[p] = gets_buffer(plan, p, is_root[p], fates.wanted_outside[p] || held[p]);
    const bool lets_go = fates.gets_buffer[p] || (!fates.wanted_outside[p] && !held[p]);
    if (!lets_go)
      for (const NodeRef& input : node.inputs()) held[static_cast<size_t>(input->place)] = true;
  }
  for (const Node* leaf : c.leaves) {
    const auto p = static_cast<size_t>(leaf->place);
    fates.leaf_is_free.push_back(!fates.wanted_outside[p] && !held[p] && !is_root[p]);
  }
  for (size_t p = 0; p < n; ++p)  // a result that equals a leaf shares its buffer
    if (plan.leaf_of[p] >= 0 && !c.order[p]->buffer)
      fates.leaf_is_free[static_cast<size_t>(plan.leaf_of[p])] = false;
  return fates;
}

}  // namespace tutti::engine
