#include "engine/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <utility>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/plan.hpp"
#include "core/process/fork.hpp"
#include "core/process/interruption.hpp"
#include "core/settings/checks.hpp"
#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "engine/buffer_fates.hpp"
#include "engine/checked_evaluation.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluation_scopes.hpp"
#include "engine/fault_files.hpp"
#include "engine/pending.hpp"
#include "engine/plan_cache.hpp"
#include "engine/plan_executor.hpp"
#include "engine/plan_log.hpp"
#include "engine/policy.hpp"
#include "engine/tuning.hpp"
#include "graph/printer.hpp"
#include "graph/sibling_outputs.hpp"
#include "graph/traversal.hpp"
#include "reference/interpreter.hpp"
#include "runtime/device.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::engine {
namespace {

using compiler::Collected;
using compiler::Plan;
using detail::NodeRef;
using ir::BufferRef;
using ir::Node;

std::vector<NodeRef> pending(std::span<const NodeRef> nodes) {
  ir::require_alive(nodes, "evaluate", {});
  std::vector<NodeRef> result;
  for (const NodeRef& node : nodes)
    if (!node->buffer && std::find(result.begin(), result.end(), node) == result.end())
      result.push_back(node);
  return result;
}

std::vector<BufferRef> leaves_below(std::span<const NodeRef> roots) {
  std::vector<BufferRef> leaves;
  walk_pending_locked(roots, [&](const Node& node) {
    if (node.buffer) leaves.push_back(node.buffer);
    return true;
  });
  return leaves;
}

void interpret_all(std::span<const NodeRef> roots, std::vector<NodeRef>& dropped) {
  const timeline::Scope scope("kernel", "interpret");
  runtime::bring_to_host(leaves_below(roots));
  const std::vector<ir::Bytes> results = ir::interpret(roots);
  for (size_t i = 0; i < roots.size(); ++i) {
    BufferRef buffer = runtime::allocate(results[i].size());
    if (!results[i].empty()) std::memcpy(buffer->data(), results[i].data(), results[i].size());
    ir::publish(*roots[i], std::move(buffer), dropped);
  }
}

bool has_programs(const Collected& c) {
  return std::any_of(c.order.begin(), c.order.end(),
                     [](const Node* node) { return !node->buffer && node->program; });
}

// A function called by an InterruptionScope in the middle of an evaluation must not wait for it: it
// would wait for its own thread.
[[noreturn]] void refuse_interrupted() {
  throw Error(
      "evaluate: a signal handler or the function of an InterruptionScope has read an array that "
      "is being computed; read it after the evaluation");
}
void wait_for_others(std::unique_lock<std::mutex>& lock) {
  if (is_asking()) refuse_interrupted();
  ir::graph_changed().wait(lock);
}

// One evaluation: collects the pending nodes, finds or makes their plan, runs it, and publishes the
// results. It has the graph lock, except while a plan is made and while it runs.
class Evaluation {
 public:
  explicit Evaluation(std::span<const NodeRef> nodes) : nodes_(nodes), lock_(ir::graph_mutex()) {}

  // Collects the pending nodes. Blocks until no other thread is computing any of them. Returns
  // false if none is pending.
  bool collect() {
    while (true) {
      roots_ = pending(nodes_);
      if (roots_.empty()) return false;
      ir::add_companions(roots_);
      graph_.clear();
      if (compiler::collect(roots_, graph_)) return true;
      wait_for_others(lock_);
    }
  }
  Collected& graph() { return graph_; }
  std::span<const NodeRef> roots() const { return roots_; }

  bool is_interpreted() const {
    return live_settings().interpret || (live_settings().debug_programs && has_programs(graph_));
  }
  void interpret() { interpret_all(roots_, dropped_); }

  std::shared_ptr<const Plan> make_plan(SecondRun second, OnCpu& on_cpu);
  void run(const std::shared_ptr<const Plan>& plan);
  void run_in_turn(const std::shared_ptr<const Plan>& usual);

  // Saves the graph of an evaluation that failed through a bug in Tutti, and rethrows.
  template <class Fault>
  [[noreturn]] void fail(const Fault& fault) {
    if (!lock_.owns_lock()) lock_.lock();
    throw Fault(fault.what() + leave_behind(roots_, fault.what()));
  }

 private:
  void publish(const std::shared_ptr<const Plan>& plan, const BufferFates& fates,
               std::span<const NodeRef> held, std::span<const BufferRef> leaves,
               std::span<const BufferRef> values);

  const Computing computing_;
  const TracedEvaluation traced_;
  const std::span<const NodeRef> nodes_;
  std::vector<NodeRef> dropped_, roots_;  // destroyed after every lock is gone
  Workspace workspace_;
  Collected& graph_ = workspace_.graph();
  std::unique_lock<std::mutex> lock_;
};

// Returns the plan of the collected nodes, or null if other threads have computed them meanwhile.
// Releases the lock while planning, so that threads do not wait for each other. The nodes are
// collected again afterwards, because others may have computed some of them. If code for a GPU has
// to be compiled first, it may return a plan for the CPU: then `on_cpu` has begun.
std::shared_ptr<const Plan> Evaluation::make_plan(SecondRun second, OnCpu& on_cpu) {
  std::vector<uint64_t> planned_for;
  std::shared_ptr<const Plan> plan;
  do {
    runtime::Device& device = runtime::current_device();
    compiler::SizeClass sizes;
    if (std::shared_ptr<const Plan> found = plan_cache().find(graph_, device.target(), sizes))
      return found;
    if (plan && graph_.key == planned_for) return plan;  // it has been evicted from the cache
    planned_for = graph_.key;
    const bool may_begin = !on_cpu.begun() && may_begin_on_cpu(roots_);
    PlanCache::Request request{graph_.key, std::move(sizes), compiler::copy_graph(graph_)};
    lock_.unlock();
    plan = may_begin ? plan_cache().make_if_compiled(std::move(request), device,
                                                     second == SecondRun::waits)
                     : plan_cache().make(std::move(request), device);
    lock_.lock();
    if (!plan) on_cpu.begin();
  } while (collect());
  return nullptr;
}

// Computes the collected nodes, and releases the lock.
void Evaluation::run(const std::shared_ptr<const Plan>& plan) {
  const BufferFates fates = decide_fates(graph_, *plan);
  std::vector<bool> value_is_kept(plan->values.size(), false);
  for (size_t p = 0; p < graph_.order.size(); ++p)
    if (plan->value_of[p] >= 0 && fates.gets_buffer[p])
      value_is_kept[static_cast<size_t>(plan->value_of[p])] = true;
  std::vector<NodeRef> held;  // keeps every node of the graph alive until the end
  held.reserve(graph_.order.size());
  for (Node* node : graph_.order) {
    detail::retain(node);
    held.emplace_back(node);
  }
  std::vector<BufferRef> leaves;
  leaves.reserve(graph_.leaves.size());
  for (const Node* leaf : graph_.leaves) leaves.push_back(leaf->buffer);
  // The last step may overwrite a leaf. Nothing after it may fail, because the graph could not be
  // computed again from the original values.
  size_t inputs = 0;
  for (const Node* node : graph_.order) inputs += node->inputs().size();
  dropped_.reserve(inputs);

  const Claim claim(roots_);
  lock_.unlock();
  if (!runtime::current_device().is_gpu()) runtime::bring_to_host(leaves);
  PlanLog::note(plan);
  const std::vector<BufferRef> values =
      execute(*plan, {.nodes = graph_.order, .leaves = leaves, .scalars = graph_.scalars},
              {.leaf_is_free = fates.leaf_is_free, .value_is_kept = value_is_kept});
  publish(plan, fates, held, leaves, values);
}

// Gives nodes their buffers. `values` are those of the plan.
void Evaluation::publish(const std::shared_ptr<const Plan>& plan, const BufferFates& fates,
                         std::span<const NodeRef> held, std::span<const BufferRef> leaves,
                         std::span<const BufferRef> values) {
  std::lock_guard lock(ir::graph_mutex());
  for (size_t p = 0; p < held.size(); ++p) {
    Node& node = *held[p];
    if (node.buffer) continue;  // a leaf, or another thread has computed it
    if (!fates.gets_buffer[p]) {
      if (fates.wanted_outside[p]) node.computed_before = true;
      continue;
    }
    if (const int leaf = plan->leaf_of[p]; leaf >= 0) {
      ir::publish(node, leaves[static_cast<size_t>(leaf)], dropped_);
      continue;
    }
    const BufferRef& value = values[static_cast<size_t>(plan->value_of[p])];
    runtime::array_of(*value).made_by = plan;
    ir::publish(node, value, dropped_);
  }
}

// Does the same by the plan whose turn it is (TUTTI_TUNE).
void Evaluation::run_in_turn(const std::shared_ptr<const Plan>& usual) {
  using Clock = std::chrono::steady_clock;
  const TuningTurn turn = next_turn(graph_, usual);
  const auto start = Clock::now();
  run(turn.plan);
  end_turn(turn, std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace

void evaluate(std::span<const NodeRef> nodes, SecondRun second) {
  if (Distribution* shared = distribution())
    return shared->evaluate(
        nodes, [&](std::span<const NodeRef> copies) { evaluate_here(copies, second); });
  if (const int faults = checks_wanted()) [[unlikely]]
    return evaluate_checked(nodes, faults, [&](std::span<const NodeRef> with_flags) {
      evaluate_here(with_flags, second);
    });
  evaluate_here(nodes, second);
}

void evaluate_here(std::span<const NodeRef> nodes, SecondRun second) {
  const Evaluating evaluating(nodes);
  Evaluation evaluation(nodes);
  if (!evaluation.collect()) return;
  if (is_asking() && evaluating.interrupts_one_of(evaluation.roots())) refuse_interrupted();
  ++counters().evaluations;
  if (evaluation.is_interpreted()) return evaluation.interpret();
  try {
    OnCpu on_cpu;
    const std::shared_ptr<const Plan> plan = evaluation.make_plan(second, on_cpu);
    if (!plan) return;
    if (tuning_is_on() && !runtime::current_device().is_gpu()) [[unlikely]]
      evaluation.run_in_turn(plan);
    else
      evaluation.run(plan);
  } catch (const InternalError& fault) {
    evaluation.fail(fault);
  } catch (const CompileError& fault) {
    evaluation.fail(fault);
  }
}

bool evaluate_if_compiled(std::span<const NodeRef> nodes, int times) {
  if (Distribution* shared = distribution()) shared->make_whole(nodes);
  Evaluation evaluation(nodes);
  if (!evaluation.collect()) return true;
  if (evaluation.is_interpreted()) return false;
  const std::shared_ptr<const Plan> plan = plan_cache().get_if_compiled(evaluation.graph(), times);
  if (!plan) return false;
  ++counters().evaluations;
  OnCpu here;
  here.begin();
  evaluation.run(plan);
  return true;
}

void interpret(std::span<const NodeRef> nodes) {
  if (Distribution* shared = distribution()) shared->make_whole(nodes);
  const Computing computing;
  const TracedEvaluation traced;
  std::vector<NodeRef> dropped;  // destroyed after the lock is gone
  std::lock_guard lock(ir::graph_mutex());
  const std::vector<NodeRef> roots = pending(nodes);
  if (roots.empty()) return;
  ++counters().evaluations;
  interpret_all(roots, dropped);
}

namespace {

// Explains the plans that computed these nodes; empty for data from the host.
Explanation explain_computed(std::span<const NodeRef> nodes) {
  std::vector<const Plan*> plans;
  std::vector<Explanation::Kernel> kernels;
  for (const NodeRef& node : nodes) {
    const Plan* plan = runtime::array_of(*node->buffer).made_by.get();
    if (!plan || std::find(plans.begin(), plans.end(), plan) != plans.end()) continue;
    plans.push_back(plan);
    append_kernels(kernels, *plan);
  }
  return Explanation(std::move(kernels), "");
}

}  // namespace

Explanation explain(std::span<const NodeRef> nodes) {
  const Computing computing;
  std::unique_lock lock(ir::graph_mutex());
  Collected c;
  std::vector<NodeRef> roots;
  while (true) {
    roots = pending(nodes);
    if (roots.empty()) return explain_computed(nodes);
    c = {};
    if (compiler::collect(roots, c)) break;
    wait_for_others(lock);
  }
  compiler::Graph graph = compiler::copy_graph(c);
  const std::string text = ir::print(roots);
  lock.unlock();
  const target::Target& target = runtime::current_device().target();
  return Explanation(compiler::explain(*compiler::make_plan(std::move(graph), target)), text);
}

namespace {
std::atomic<int64_t> generation{0};
}

void forget_plans() {
  plan_cache().forget();
  forget_tuning();
  ++generation;
}

int64_t plan_generation() { return generation.load(std::memory_order_acquire); }

}  // namespace tutti::engine
