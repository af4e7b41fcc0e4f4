#include "engine/prepared_plan.hpp"

#include <algorithm>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/resize.hpp"
#include "core/process/fork.hpp"
#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "runtime/device.hpp"

namespace tutti::engine {
namespace {

// Returns the position of a node in a list, or -1.
template <class List>
int place_in(const List& list, const ir::Node* node) {
  for (size_t i = 0; i < list.size(); ++i)
    if (&*list[i] == node) return static_cast<int>(i);
  return -1;
}

}  // namespace

PreparedPlan::PreparedPlan(const detail::NodeRef& root, std::span<const detail::NodeRef> leaves,
                           std::span<ir::Node* const> scalars) {
  const Computing computing;
  compiler::Collected c;
  compiler::Graph graph;
  {
    std::lock_guard lock(ir::graph_mutex());
    if (!compiler::collect({&root, 1}, c, compiler::Constants::free))
      throw InternalError("the nodes of an expression are being computed by another thread");
    graph = compiler::copy_graph(c);
  }
  plan_ = std::move(*compiler::make_plan(std::move(graph), runtime::current_device().target()));
  ++counters().plans_built;
  for (const ir::Node* leaf : c.leaves) leaf_operand_.push_back(place_in(leaves, leaf));
  for (const ir::Node* node : c.order)
    if (compiler::has_scalar(*node)) scalar_operand_.push_back(place_in(scalars, node));
  if (std::count(scalar_operand_.begin(), scalar_operand_.end(), -1) > 0 ||
      std::count(leaf_operand_.begin(), leaf_operand_.end(), -1) > 0)
    throw InternalError("an expression has operands that it did not list");
  const auto place = static_cast<size_t>(c.roots[0]);
  value_ = plan_.value_of[place];
  leaf_ = plan_.leaf_of[place];
  note_fates();
}

void PreparedPlan::note_fates() {
  leaf_is_free_.assign(leaf_operand_.size(), false);
  value_is_kept_.assign(plan_.values.size(), false);
  overwritable_.assign(leaf_operand_.size(), false);
  if (value_ < 0) return;
  value_is_kept_[static_cast<size_t>(value_)] = true;
  if (plan_.steps.empty()) return;
  const auto* last = std::get_if<compiler::KernelStep>(&plan_.steps.back());
  if (!last || last->kernel.outputs.size() != 1 || last->kernel.outputs[0].value != value_) return;
  overwritable_.assign(leaf_operand_.size(), true);
  for (int s = 0; s < static_cast<int>(last->kernel.sources.size()); ++s) {
    const compiler::Source& source = last->kernel.sources[static_cast<size_t>(s)];
    if (!source.is_value && !std::count(last->overwritable.begin(), last->overwritable.end(), s))
      overwritable_[static_cast<size_t>(source.id)] = false;
  }
}

std::shared_ptr<const PreparedPlan> PreparedPlan::resized(int64_t from, int64_t to) const {
  // Materialisation was decided for a magnitude. A plan with one kernel is valid for all of them.
  if (from <= 1 || to <= 1) return nullptr;
  if (plan_.steps.size() > 1 && compiler::magnitude_of(from) != compiler::magnitude_of(to))
    return nullptr;
  std::unique_ptr<compiler::Plan> plan = compiler::resize(plan_, {{&from, 1}, {&to, 1}});
  if (!plan) return nullptr;
  std::shared_ptr<PreparedPlan> result(new PreparedPlan);
  result->plan_ = std::move(*plan);
  result->leaf_operand_ = leaf_operand_;
  result->scalar_operand_ = scalar_operand_;
  result->value_ = value_;
  result->leaf_ = leaf_;
  result->note_fates();
  return result;
}

bool PreparedPlan::can_write_over(const ir::BufferRef& target,
                                  std::span<const ir::BufferRef> leaves) const {
  for (size_t slot = 0; slot < leaves.size(); ++slot)
    if (leaves[slot] == target && !overwritable_[slot]) return false;
  return true;
}

ir::BufferRef PreparedPlan::run(std::span<const ir::BufferRef* const> leaves,
                                std::span<const ScalarValue> scalars,
                                const ir::BufferRef& target) const {
  const Computing computing;
  const timeline::Scope scope("evaluate", "vector expression");
  std::vector<ir::BufferRef> by_slot;
  by_slot.reserve(leaf_operand_.size());
  for (int operand : leaf_operand_) by_slot.push_back(*leaves[static_cast<size_t>(operand)]);
  if (leaf_ >= 0) return by_slot[static_cast<size_t>(leaf_)];
  std::vector<uint64_t> bits;
  bits.reserve(scalar_operand_.size());
  for (int operand : scalar_operand_) bits.push_back(scalars[static_cast<size_t>(operand)].bits);

  const Destination to{value_, target};
  const bool over = target && can_write_over(target, by_slot);
  const auto values = execute(plan_, {.leaves = by_slot, .scalars = bits},
                              {leaf_is_free_, value_is_kept_}, {&to, over ? size_t{1} : 0});
  return values[static_cast<size_t>(value_)];
}

}  // namespace tutti::engine
