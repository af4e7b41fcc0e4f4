#include "engine/checked_evaluation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/settings/checks.hpp"
#include "engine/pending.hpp"
#include "graph/copy_pending.hpp"
#include "program/fault_checks.hpp"
#include "reference/blame.hpp"
#include "runtime/device.hpp"
#include "runtime/memory/buffer.hpp"
#include "tutti/check.hpp"

namespace tutti::engine {
namespace {

using detail::NodeRef;
using ir::FaultCheck;

NodeRef either(const NodeRef& a, const NodeRef& b) {
  if (!a) return b;
  const NodeRef both[] = {a, b};
  return ir::make_elementwise(Op::logical_or, both, b->where);
}

NodeRef any_of(const NodeRef& flags) {
  std::vector<int> axes(static_cast<size_t>(flags->shape.rank));
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
  return ir::make_reduce(Reduction::any, flags, axes, flags->where);
}

// Returns one flag for all checks. Checks of one shape are reduced together, a few at a time,
// because kernels of thousands of operations compile slowly.
NodeRef one_flag(std::span<const FaultCheck> checks) {
  constexpr int most_together = 16;
  struct Group {
    NodeRef flags;
    int count = 0;
  };
  std::vector<Group> groups;
  NodeRef result;
  for (const FaultCheck& check : checks) {
    const auto same_shape = [&](const Group& group) {
      return group.flags->shape == check.bad->shape;
    };
    auto group = std::ranges::find_if(groups, same_shape);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{});
    group->flags = either(group->flags, check.bad);
    if (++group->count < most_together) continue;
    result = either(result, any_of(group->flags));
    groups.erase(group);
  }
  for (const Group& group : groups) result = either(result, any_of(group.flags));
  return result;
}

// Everything that is known before the evaluation.
struct Prepared {
  std::vector<NodeRef> copy;                     // of the pending roots
  std::vector<NodeRef> to_compute;               // the nodes, and the flags if there are any
  std::array<std::pair<int, NodeRef>, 2> flags;  // faults, and the flag that reports them
};

Prepared prepare(std::span<const NodeRef> nodes, int faults) {
  std::vector<FaultCheck> checks;  // destroyed after the lock is gone
  Prepared result;
  result.to_compute.assign(nodes.begin(), nodes.end());
  std::lock_guard lock(ir::graph_mutex());
  std::vector<NodeRef> roots;
  for (const NodeRef& node : nodes)
    if (node && !node->buffer) roots.push_back(node);
  if (roots.empty()) return result;
  constexpr int in_operations = Faults::overflow | Faults::bounds;
  result.flags[0].first = faults & in_operations;
  result.flags[1].first = faults & ~in_operations;
  result.copy = ir::copy_pending(roots);
  for (auto& [of, flag] : result.flags) {
    const size_t before = checks.size();
    std::ranges::move(ir::fault_checks(roots, of), std::back_inserter(checks));
    flag = one_flag(std::span(checks).subspan(before));
    if (flag) result.to_compute.push_back(flag);
  }
  return result;
}

bool is_set(const NodeRef& flag) {
  ir::BufferRef buffer;
  {
    std::lock_guard lock(ir::graph_mutex());
    buffer = flag->buffer;
  }
  bool set = false;
  runtime::array_of(*buffer).copy_to(&set);
  return set;
}

std::string blame(std::span<const NodeRef> copy, int faults) {
  std::vector<ir::BufferRef> leaves;
  std::lock_guard lock(ir::graph_mutex());
  walk_pending_locked(copy, [&](const ir::Node& node) {
    if (node.buffer) leaves.push_back(node.buffer);
    return true;
  });
  runtime::bring_to_host(leaves);
  if (std::optional<std::string> found = ir::blame(copy, faults)) return *found;
  throw InternalError(
      "a kernel has reported a fault that the interpreter does not find (TUTTI_CHECK)");
}

}  // namespace

void evaluate_checked(std::span<const NodeRef> nodes, int faults,
                      const std::function<void(std::span<const NodeRef>)>& run) {
  const UseChecks none(0);  // the evaluation of the flags is not checked
  const Prepared prepared = prepare(nodes, faults);
  run(prepared.to_compute);
  int found = 0;
  for (const auto& [of, flag] : prepared.flags)
    if (flag && is_set(flag)) found |= of;
  if (found) throw CheckError("check: " + blame(prepared.copy, found));
}

}  // namespace tutti::engine
