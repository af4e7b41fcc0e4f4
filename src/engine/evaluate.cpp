#include "engine/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <utility>

#include "compiler/graph_passes/collect.hpp"
#include "compiler/plan/plan.hpp"
#include "core/checks.hpp"
#include "core/fork.hpp"
#include "core/interruption.hpp"
#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "core/timeline.hpp"
#include "engine/checked_evaluation.hpp"
#include "engine/distribution.hpp"
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

// A collected graph whose memory the thread keeps from one evaluation to the next. The object is
// moved out, not referenced: a thread that waits for others may start another evaluation.
class Workspace {
 public:
  Workspace() : graph_(kept() ? std::move(kept()) : std::make_unique<Collected>()) {}
  ~Workspace() {
    if (graph_->order.capacity() > most_nodes) return;
    graph_->clear();
    kept() = std::move(graph_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  Collected& graph() { return *graph_; }

 private:
  static constexpr size_t most_nodes = 10'000;
  static std::unique_ptr<Collected>& kept() {
    thread_local std::unique_ptr<Collected> instance;
    return instance;
  }
  std::unique_ptr<Collected> graph_;
};

// The fate of the nodes of a graph, decided while the lock is held.
struct Fate {
  std::vector<bool> wanted_outside;  // by node: referenced from outside this graph
  std::vector<bool> gets_buffer;     // by node: its elements are in memory afterwards
  std::vector<bool> leaf_is_free;    // by leaf slot: not needed after this evaluation
};

// Returns whether a node gets its buffer: results, values that the plan keeps, and values that it
// stores anyway and that are still referenced, directly or by pending nodes.
bool gets_buffer(const Plan& plan, size_t place, bool is_root, bool may_be_wanted) {
  if (plan.leaf_of[place] >= 0) return is_root || may_be_wanted;
  if (plan.value_of[place] < 0) return false;
  const compiler::PlanValue& value = plan.values[static_cast<size_t>(plan.value_of[place])];
  return is_root || value.keep || (may_be_wanted && !value.in_row_blocks);
}

Fate decide_fate(const Collected& c, const Plan& plan, const std::vector<bool>& is_root) {
  const size_t n = c.order.size();
  Fate fate{std::vector<bool>(n), std::vector<bool>(n), {}};
  std::vector<bool> held(n, false);  // some user of it stays pending
  for (size_t p = n; p-- > 0;) {
    const Node& node = *c.order[p];
    fate.wanted_outside[p] = node.references.load(std::memory_order_relaxed) > c.references[p];
    fate.gets_buffer[p] = gets_buffer(plan, p, is_root[p], fate.wanted_outside[p] || held[p]);
    const bool lets_go = fate.gets_buffer[p] || (!fate.wanted_outside[p] && !held[p]);
    if (!lets_go)
      for (const NodeRef& input : node.inputs()) held[static_cast<size_t>(input->place)] = true;
  }
  for (const Node* leaf : c.leaves) {
    const auto p = static_cast<size_t>(leaf->place);
    fate.leaf_is_free.push_back(!fate.wanted_outside[p] && !held[p] && !is_root[p]);
  }
  for (size_t p = 0; p < n; ++p)  // a result that equals a leaf shares its buffer
    if (plan.leaf_of[p] >= 0 && !c.order[p]->buffer)
      fate.leaf_is_free[static_cast<size_t>(plan.leaf_of[p])] = false;
  return fate;
}

// Marks the roots as being computed, during its lifetime. The destructor takes the lock.
class Claim {
 public:
  explicit Claim(std::span<const NodeRef> roots) : roots_(roots) {
    for (const NodeRef& root : roots_) root->claimed = true;
  }
  ~Claim() {
    {
      std::lock_guard lock(ir::graph_mutex());
      for (const NodeRef& root : roots_) root->claimed = false;
    }
    ir::graph_changed().notify_all();
  }

 private:
  std::span<const NodeRef> roots_;
};

std::vector<NodeRef> pending(std::span<const NodeRef> nodes) {
  std::vector<NodeRef> result;
  for (const NodeRef& node : nodes) {
    if (!node)
      throw Error(
          "evaluate: an array was read after it had been moved from; assign it again first");
    if (!node->buffer && std::find(result.begin(), result.end(), node) == result.end())
      result.push_back(node);
  }
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

void run_plan(const std::shared_ptr<const Plan>& made_by, const Collected& c, const Fate& fate,
              std::span<const NodeRef> held, const std::vector<BufferRef>& leaves,
              std::vector<NodeRef>& dropped) {
  const Plan& plan = *made_by;
  PlanLog::note(made_by);
  std::vector<bool> value_is_kept(plan.values.size(), false);
  for (size_t p = 0; p < c.order.size(); ++p)
    if (plan.value_of[p] >= 0 && fate.gets_buffer[p])
      value_is_kept[static_cast<size_t>(plan.value_of[p])] = true;
  const std::vector<BufferRef> values =
      execute(plan, {.nodes = c.order, .leaves = leaves, .scalars = c.scalars},
              {.leaf_is_free = fate.leaf_is_free, .value_is_kept = value_is_kept});

  std::lock_guard lock(ir::graph_mutex());
  for (size_t p = 0; p < c.order.size(); ++p) {
    Node& node = *held[p];
    if (node.buffer) continue;  // a leaf, or another thread has computed it
    if (fate.gets_buffer[p] && plan.leaf_of[p] < 0)
      runtime::array_of(*values[static_cast<size_t>(plan.value_of[p])]).made_by = made_by;
    if (fate.gets_buffer[p])
      ir::publish(node,
                  plan.leaf_of[p] >= 0 ? leaves[static_cast<size_t>(plan.leaf_of[p])]
                                       : values[static_cast<size_t>(plan.value_of[p])],
                  dropped);
    else if (fate.wanted_outside[p])
      node.computed_before = true;
  }
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

// The nodes that this thread is evaluating, during the object's lifetime. Evaluations nest if the
// function of an InterruptionScope evaluates something.
class Evaluating {
 public:
  explicit Evaluating(std::span<const NodeRef> nodes) : nodes_(nodes), outer_(innermost) {
    innermost = this;
  }
  ~Evaluating() { innermost = outer_; }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

  // Returns whether an interrupted evaluation of this thread is about to compute one of the nodes.
  bool interrupts_one_of(std::span<const NodeRef> roots) const {
    for (const Evaluating* e = outer_; e; e = e->outer_)
      for (const NodeRef& root : roots)
        if (std::ranges::find(e->nodes_, root) != e->nodes_.end()) return true;
    return false;
  }

 private:
  static inline thread_local const Evaluating* innermost = nullptr;
  const std::span<const NodeRef> nodes_;
  const Evaluating* const outer_;
};

// Collects the pending nodes. Blocks until no other thread is computing any of them. Requires the
// graph lock.
bool collect_pending(std::span<const NodeRef> nodes, std::unique_lock<std::mutex>& lock,
                     std::vector<NodeRef>& roots, Collected& c) {
  while (true) {
    roots = pending(nodes);
    if (roots.empty()) return false;
    ir::add_companions(roots);
    c.clear();
    if (compiler::collect(roots, c)) return true;
    wait_for_others(lock);
  }
}

// After begin(), this thread computes on the CPU during the object's lifetime.
class OnCpu {
 public:
  OnCpu() = default;
  ~OnCpu() {
    if (begun_) runtime::use_device(before_, true);
  }
  OnCpu(const OnCpu&) = delete;
  OnCpu& operator=(const OnCpu&) = delete;
  void begin() {
    before_ = runtime::thread_device();
    runtime::use_device(&runtime::cpu(), true);
    begun_ = true;
  }
  bool begun() const { return begun_; }

 private:
  runtime::Device* before_ = nullptr;
  bool begun_ = false;
};

// Returns the plan of the pending nodes, which `c` holds, or null if other threads have computed
// them meanwhile. Requires the graph lock, and releases it while planning, so that threads do not
// wait for each other. The graph is collected again afterwards, because others may have computed
// parts of it. If code for a GPU has to be compiled first, it may return a plan for the CPU: then
// `on_cpu` has begun.
std::shared_ptr<const Plan> plan_collected(std::span<const NodeRef> nodes, SecondRun second,
                                           std::unique_lock<std::mutex>& lock,
                                           std::vector<NodeRef>& roots, Collected& c,
                                           OnCpu& on_cpu) {
  std::vector<uint64_t> planned_for;
  std::shared_ptr<const Plan> plan;
  do {
    runtime::Device& device = runtime::current_device();
    compiler::SizeClass sizes;
    if (std::shared_ptr<const Plan> found = plan_cache().find(c, device.target(), sizes))
      return found;
    if (plan && c.key == planned_for) return plan;  // it has been evicted from the cache already
    planned_for = c.key;
    const bool may_begin = !on_cpu.begun() && may_begin_on_cpu(roots);
    PlanCache::Request request{c.key, std::move(sizes), compiler::copy_graph(c)};
    lock.unlock();
    plan = may_begin ? plan_cache().make_if_compiled(std::move(request), device,
                                                     second == SecondRun::waits)
                     : plan_cache().make(std::move(request), device);
    lock.lock();
    if (!plan) on_cpu.begin();
  } while (collect_pending(nodes, lock, roots, c));
  return nullptr;
}

bool is_interpreted(const Collected& c) {
  return live_settings().interpret || (live_settings().debug_programs && has_programs(c));
}

// Computes a collected graph. The lock is held at the start and released at the end.
void run_collected(const Collected& c, const std::shared_ptr<const Plan>& plan,
                   std::span<const NodeRef> roots, std::unique_lock<std::mutex>& lock,
                   std::vector<NodeRef>& dropped) {
  std::vector<bool> is_root(c.order.size(), false);
  for (int root : c.roots) is_root[static_cast<size_t>(root)] = true;
  const Fate fate = decide_fate(c, *plan, is_root);
  std::vector<NodeRef> held;  // keeps every node of the graph alive until the end
  held.reserve(c.order.size());
  for (Node* node : c.order) {
    detail::retain(node);
    held.emplace_back(node);
  }
  std::vector<BufferRef> leaves;
  leaves.reserve(c.leaves.size());
  for (const Node* leaf : c.leaves) leaves.push_back(leaf->buffer);
  // The last step may overwrite a leaf. Nothing after it may fail, because the graph could not be
  // computed again from the original values.
  size_t inputs = 0;
  for (const Node* node : c.order) inputs += node->inputs().size();
  dropped.reserve(inputs);

  const Claim claim(roots);
  lock.unlock();
  if (!runtime::current_device().is_gpu()) runtime::bring_to_host(leaves);
  run_plan(plan, c, fate, held, leaves, dropped);
}

// Does the same by the plan whose turn it is (TUTTI_TUNE).
void run_in_turn(const Collected& c, const std::shared_ptr<const Plan>& usual,
                 std::span<const NodeRef> roots, std::unique_lock<std::mutex>& lock,
                 std::vector<NodeRef>& dropped) {
  using Clock = std::chrono::steady_clock;
  const TuningTurn turn = next_turn(c, usual);
  const auto start = Clock::now();
  run_collected(c, turn.plan, roots, lock, dropped);
  end_turn(turn, std::chrono::duration<double>(Clock::now() - start).count());
}

// Saves the graph of an evaluation that failed through a bug in Tutti, and rethrows.
template <class Fault>
[[noreturn]] void fail(const Fault& fault, std::span<const NodeRef> roots,
                       std::unique_lock<std::mutex>& lock) {
  if (!lock.owns_lock()) lock.lock();
  throw Fault(fault.what() + leave_behind(roots, fault.what()));
}

// Records an evaluation in the timeline: the graph that was built for it, its time, and the memory
// in use afterwards.
class TracedEvaluation {
 public:
  TracedEvaluation() : scope_((timeline::graph_was_built(), "evaluate"), "evaluate") {}
  ~TracedEvaluation() {
    if (timeline::is_on()) timeline::note_memory_in_use();
  }

 private:
  const timeline::Scope scope_;
};

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
  const Computing computing;
  const TracedEvaluation traced;
  const Evaluating evaluating(nodes);
  std::vector<NodeRef> dropped, roots;  // destroyed after every lock is gone
  Workspace workspace;
  Collected& c = workspace.graph();
  std::unique_lock lock(ir::graph_mutex());
  if (!collect_pending(nodes, lock, roots, c)) return;
  if (is_asking() && evaluating.interrupts_one_of(roots)) refuse_interrupted();
  ++counters().evaluations;
  if (is_interpreted(c)) return interpret_all(roots, dropped);
  try {
    OnCpu on_cpu;
    if (const std::shared_ptr<const Plan> plan =
            plan_collected(nodes, second, lock, roots, c, on_cpu)) {
      if (tuning_is_on() && !runtime::current_device().is_gpu()) [[unlikely]]
        run_in_turn(c, plan, roots, lock, dropped);
      else
        run_collected(c, plan, roots, lock, dropped);
    }
  } catch (const InternalError& fault) {
    fail(fault, roots, lock);
  } catch (const CompileError& fault) {
    fail(fault, roots, lock);
  }
}

bool evaluate_if_compiled(std::span<const NodeRef> nodes, int times) {
  if (Distribution* shared = distribution()) shared->make_whole(nodes);
  const Computing computing;
  const TracedEvaluation traced;
  std::vector<NodeRef> dropped, roots;  // destroyed after every lock is gone
  Workspace workspace;
  Collected& c = workspace.graph();
  std::unique_lock lock(ir::graph_mutex());
  if (!collect_pending(nodes, lock, roots, c)) return true;
  if (is_interpreted(c)) return false;
  const std::shared_ptr<const Plan> plan = plan_cache().get_if_compiled(c, times);
  if (!plan) return false;
  ++counters().evaluations;
  OnCpu here;
  here.begin();
  run_collected(c, plan, roots, lock, dropped);
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
