#include "runtime/evaluate.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "core/hash.hpp"
#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "ir/interpreter.hpp"
#include "ir/printer.hpp"
#include "passes/collect.hpp"
#include "passes/plan.hpp"
#include "runtime/device.hpp"
#include "runtime/pool.hpp"

namespace tutti::runtime {
namespace {

using detail::NodeRef;
using ir::BufferRef;
using ir::Node;
using passes::Collected;
using passes::Plan;

// ---- plans by the key of their graph

class Plans {
 public:
  std::shared_ptr<const Plan> find(const std::vector<uint64_t>& key) {
    std::lock_guard lock(mutex_);
    const auto [first, last] = plans_.equal_range(hash_words(key));
    for (auto it = first; it != last; ++it)
      if (it->second.key == key) return it->second.plan;
    return nullptr;
  }
  void add(const std::vector<uint64_t>& key, std::shared_ptr<const Plan> plan) {
    std::lock_guard lock(mutex_);
    if (plans_.size() >= most) plans_.clear();  // many sizes pass by: start again
    plans_.emplace(hash_words(key), Entry{key, std::move(plan)});
  }
  void forget() {
    std::lock_guard lock(mutex_);
    plans_.clear();
  }

 private:
  static constexpr size_t most = 4096;
  struct Entry {
    std::vector<uint64_t> key;
    std::shared_ptr<const Plan> plan;
  };
  std::mutex mutex_;
  std::unordered_multimap<uint64_t, Entry> plans_;
};

Plans& plans() {
  static Plans* instance = new Plans;
  return *instance;
}

// ---- one evaluation

// What becomes of the nodes of a graph, decided while the lock is held.
struct Fate {
  std::vector<bool> wanted_outside;  // by place: referenced from elsewhere than this graph
  std::vector<bool> gets_buffer;     // by place: its elements are in memory afterwards
  std::vector<bool> leaf_is_free;    // by leaf slot: nobody needs it after this evaluation
};

// Results, what the plan keeps, and what it has in memory anyway and somebody may want.
bool gets_buffer(const Plan& plan, size_t place, bool is_root, bool wanted_outside) {
  if (plan.leaf_of[place] >= 0) return is_root || wanted_outside;
  if (plan.value_of[place] < 0) return false;
  const passes::PlanValue& value = plan.values[static_cast<size_t>(plan.value_of[place])];
  return is_root || value.keep || (wanted_outside && !value.in_strips);
}

Fate decide_fate(const Collected& c, const Plan& plan, const std::vector<bool>& is_root) {
  const size_t n = c.order.size();
  Fate fate{std::vector<bool>(n), std::vector<bool>(n), {}};
  std::vector<bool> held(n, false);  // some user of it stays as it is
  for (size_t p = n; p-- > 0;) {
    const Node& node = *c.order[p];
    fate.wanted_outside[p] = node.references.load(std::memory_order_relaxed) > c.references[p];
    fate.gets_buffer[p] = gets_buffer(plan, p, is_root[p], fate.wanted_outside[p]);
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

class Execution {
 public:
  Execution(const Plan& plan, const Collected& collected, const std::vector<BufferRef>& leaves,
            const std::vector<bool>& leaf_is_free, const std::vector<bool>& value_is_kept)
      : device_(current_device()),
        plan_(plan),
        nodes_(collected.order),
        scalars_(collected.scalars),
        leaves_(leaves),
        leaf_is_free_(leaf_is_free),
        value_is_kept_(value_is_kept),
        values_(plan.values.size()) {}

  // The buffers of the values that are kept.
  std::vector<BufferRef> run() {
    // Arrays without elements need no step, but may be read by one.
    for (size_t v = 0; v < values_.size(); ++v)
      if (plan_.values[v].elements == 0) values_[v] = allocate(0);
    for (step_ = 0; step_ < static_cast<int>(plan_.steps.size()); ++step_) {
      std::visit([&](const auto& step) { run(step); }, plan_.steps[static_cast<size_t>(step_)]);
      for (size_t v = 0; v < values_.size(); ++v)
        if (plan_.values[v].last_step == step_ && !value_is_kept_[v]) values_[v].reset();
    }
    return std::move(values_);
  }

 private:
  const BufferRef& buffer(const passes::Source& source) const {
    return source.is_value ? values_[static_cast<size_t>(source.id)]
                           : leaves_[static_cast<size_t>(source.id)];
  }

  // Buffers stay on the device while a step that uses them is prepared.
  class Pins {
   public:
    int64_t hold(Device& device, const BufferRef& buffer, bool overwrite) {
      auto& array = static_cast<ArrayBuffer&>(*buffer);
      array.pin();
      held_.push_back(buffer);
      return overwrite ? device.overwrite(array) : device.address(array);
    }
    ~Pins() {
      for (const BufferRef& buffer : held_) static_cast<ArrayBuffer&>(*buffer).unpin();
    }

   private:
    std::vector<BufferRef> held_;
  };

  BufferRef make(int value) {
    const passes::PlanValue& v = plan_.values[static_cast<size_t>(value)];
    return device_.allocate(static_cast<size_t>(v.elements * size_of(v.type)));
  }

  // A source nobody needs after this step, of the right size: its buffer, else none. The buffer of
  // a leaf is only overwritten by the last step, after which nothing can fail any more.
  BufferRef reuse(const passes::KernelStep& step, int value, std::vector<int>& candidates) {
    const passes::PlanValue& v = plan_.values[static_cast<size_t>(value)];
    const auto bytes = static_cast<size_t>(v.elements * size_of(v.type));
    for (int& s : candidates) {
      if (s < 0) continue;
      const passes::Source& source = step.kernel.sources[static_cast<size_t>(s)];
      const auto id = static_cast<size_t>(source.id);
      const BufferRef& held = source.is_value ? values_[id] : leaves_[id];
      if (!held || held->bytes() != bytes) continue;
      // Referenced by the value or by the node and its caller, and by the pins of this step.
      const bool free =
          source.is_value
              ? plan_.values[id].last_step == step_ && !value_is_kept_[id] && held.use_count() == 2
              : leaf_is_free_[id] && step_ + 1 == static_cast<int>(plan_.steps.size()) &&
                    held.use_count() == 3;
      if (!free) continue;
      s = -1;
      ++counters().buffers_reused_in_place;
      return held;
    }
    return nullptr;
  }

  // The arguments of a kernel, but for its outputs.
  std::vector<int64_t> words_for(const passes::KernelStep& step, Device& device, Pins& pins) const {
    std::vector<int64_t> words = step.words;
    const passes::Kernel& kernel = step.kernel;
    for (int s = 0; s < static_cast<int>(kernel.sources.size()); ++s)
      if (const BufferRef& source = buffer(kernel.sources[static_cast<size_t>(s)]))
        words[static_cast<size_t>(step.layout.source(s))] = pins.hold(device, source, false);
    for (int i = 0; i < static_cast<int>(kernel.code.size()); ++i) {
      const passes::Instruction& in = kernel.code[static_cast<size_t>(i)];
      if (in.kind == passes::Instruction::Kind::constant)
        words[static_cast<size_t>(step.layout.scalar(i))] =
            static_cast<int64_t>(scalars_[static_cast<size_t>(in.slot)]);
    }
    words[static_cast<size_t>(step.layout.segments())] =
        reinterpret_cast<int64_t>(step.segments.data());
    return words;
  }

  void set_output(const passes::KernelStep& step, int o, std::vector<int64_t>& words,
                  BufferRef target, Pins& pins) {
    words[static_cast<size_t>(step.layout.output(o))] = pins.hold(device_, target, true);
    values_[static_cast<size_t>(step.kernel.outputs[static_cast<size_t>(o)].value)] =
        std::move(target);
  }

  void run(const passes::KernelStep& step) {
    Pins pins;
    std::vector<int64_t> words = words_for(step, device_, pins);
    std::vector<int> candidates = step.overwritable;
    for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o) {
      const int value = step.kernel.outputs[static_cast<size_t>(o)].value;
      BufferRef target = reuse(step, value, candidates);
      set_output(step, o, words, target ? std::move(target) : make(value), pins);
    }
    device_.run(step, words);
  }

  void run(const passes::ChainStep& chain) {
    Pins pins;
    std::vector<std::vector<int64_t>> words;
    for (const passes::KernelStep& step : chain.kernels) {
      words.push_back(words_for(step, device_, pins));
      for (int o = 0; o < static_cast<int>(step.kernel.outputs.size()); ++o) {
        const int value = step.kernel.outputs[static_cast<size_t>(o)].value;
        if (!std::count(chain.internal.begin(), chain.internal.end(), value))
          set_output(step, o, words.back(), make(value), pins);
      }
    }
    device_.run(chain, std::move(words));
  }

  void run(const passes::ProductStep& step) {
    Pins pins;
    BufferRef target = make(step.value);
    const int64_t a = pins.hold(device_, buffer(step.a), false),
                  b = pins.hold(device_, buffer(step.b), false);
    device_.run(step, a, b, pins.hold(device_, target, true));
    values_[static_cast<size_t>(step.value)] = std::move(target);
  }

  void run(const passes::PrimitiveStep& step) {
    Device& device = device_.can_run(step) ? device_ : cpu();
    Pins pins;
    PrimitiveCall call;
    call.where = nodes_[static_cast<size_t>(step.place)]->where;
    const passes::PlanValue& v = plan_.values[static_cast<size_t>(step.value)];
    BufferRef target = over_base(step);
    if (!target) target = device.allocate(static_cast<size_t>(v.elements * size_of(v.type)));
    for (const passes::Source& input : step.inputs) {
      call.buffers.push_back(input.id < 0 ? nullptr : buffer(input).get());
      call.inputs.push_back(input.id < 0 ? 0 : pins.hold(device, buffer(input), false));
    }
    if (step.elements) call.words = words_for(*step.elements, device, pins);
    call.output = pins.hold(device, target, true);
    device.run(step, call);
    values_[static_cast<size_t>(step.value)] = std::move(target);
  }

  // A scatter writes over its base if nobody needs that any more.
  BufferRef over_base(const passes::PrimitiveStep& step) {
    if (step.kind != ir::Kind::scatter || !step.inputs[0].is_value) return nullptr;
    const auto id = static_cast<size_t>(step.inputs[0].id);
    for (size_t i = 1; i < step.inputs.size(); ++i)
      if (step.inputs[i].is_value && step.inputs[i].id == step.inputs[0].id) return nullptr;
    const bool free =
        plan_.values[id].last_step == step_ && !value_is_kept_[id] && values_[id].use_count() == 1;
    if (!free) return nullptr;
    ++counters().buffers_reused_in_place;
    return values_[id];
  }

  void run(const passes::AliasStep& step) {
    values_[static_cast<size_t>(step.value)] = buffer(step.from);
  }

  // A reduction of nothing is written on the host and moves where it is wanted.
  void run(const passes::FillStep& step) {
    const int64_t elements = plan_.values[static_cast<size_t>(step.value)].elements;
    const auto size = static_cast<size_t>(size_of(step.fill.type));
    BufferRef target = allocate(static_cast<size_t>(elements) * size);
    for (int64_t i = 0; i < elements; ++i)
      std::memcpy(static_cast<char*>(target->data()) + static_cast<size_t>(i) * size,
                  &step.fill.bits, size);
    values_[static_cast<size_t>(step.value)] = std::move(target);
  }

  Device& device_;
  const Plan& plan_;
  const std::vector<Node*>& nodes_;
  const std::vector<uint64_t>& scalars_;
  const std::vector<BufferRef>& leaves_;
  const std::vector<bool>& leaf_is_free_;
  const std::vector<bool>& value_is_kept_;
  std::vector<BufferRef> values_;
  int step_ = 0;
};

// Marks the roots as being computed, for as long as it lives. Locks when it ends.
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

void interpret_all(std::span<const NodeRef> roots, std::vector<NodeRef>& dropped) {
  const std::vector<ir::Bytes> results = ir::interpret(roots);
  for (size_t i = 0; i < roots.size(); ++i) {
    BufferRef buffer = allocate(results[i].size());
    if (!results[i].empty()) std::memcpy(buffer->data(), results[i].data(), results[i].size());
    ir::publish(*roots[i], std::move(buffer), dropped);
  }
}

void run_plan(const Plan& plan, const Collected& c, const Fate& fate, std::span<const NodeRef> held,
              const std::vector<BufferRef>& leaves, std::vector<NodeRef>& dropped) {
  std::vector<bool> value_is_kept(plan.values.size(), false);
  for (size_t p = 0; p < c.order.size(); ++p)
    if (plan.value_of[p] >= 0 && fate.gets_buffer[p])
      value_is_kept[static_cast<size_t>(plan.value_of[p])] = true;
  const std::vector<BufferRef> values =
      Execution(plan, c, leaves, fate.leaf_is_free, value_is_kept).run();

  std::lock_guard lock(ir::graph_mutex());
  for (size_t p = 0; p < c.order.size(); ++p) {
    Node& node = *held[p];
    if (node.buffer) continue;  // a leaf, or another thread was faster
    if (fate.gets_buffer[p])
      ir::publish(node,
                  plan.leaf_of[p] >= 0 ? leaves[static_cast<size_t>(plan.leaf_of[p])]
                                       : values[static_cast<size_t>(plan.value_of[p])],
                  dropped);
    else if (fate.wanted_outside[p])
      node.computed_before = true;
  }
}

}  // namespace

void evaluate(std::span<const NodeRef> nodes) {
  std::vector<NodeRef> dropped;  // destroyed after every lock is gone
  std::unique_lock lock(ir::graph_mutex());
  Collected c;
  std::vector<NodeRef> roots;
  while (true) {
    roots = pending(nodes);
    if (roots.empty()) return;
    c = {};
    if (passes::collect(roots, c)) break;
    ir::graph_changed().wait(lock);
  }
  ++counters().evaluations;
  if (live_settings().interpret) {
    interpret_all(roots, dropped);
    return;
  }

  const bool for_gpu = current_device().is_gpu();
  c.key.push_back(for_gpu);
  std::shared_ptr<const Plan> plan = plans().find(c.key);
  if (!plan) {
    // Planning reads a copy, but it is short, and what it decides concerns the nodes as they are
    // now.
    plan = passes::make_plan(passes::copy_graph(c), for_gpu);
    ++counters().plans_built;
    plans().add(c.key, plan);
  }
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

  const Claim claim(roots);
  lock.unlock();
  run_plan(*plan, c, fate, held, leaves, dropped);
}

void interpret(std::span<const NodeRef> nodes) {
  std::vector<NodeRef> dropped;  // destroyed after the lock is gone
  std::lock_guard lock(ir::graph_mutex());
  const std::vector<NodeRef> roots = pending(nodes);
  if (roots.empty()) return;
  ++counters().evaluations;
  interpret_all(roots, dropped);
}

Explanation explain(std::span<const NodeRef> nodes) {
  std::unique_lock lock(ir::graph_mutex());
  Collected c;
  std::vector<NodeRef> roots;
  while (true) {
    roots = pending(nodes);
    if (roots.empty()) return Explanation({}, "");
    c = {};
    if (passes::collect(roots, c)) break;
    ir::graph_changed().wait(lock);
  }
  return Explanation(
      passes::make_plan(passes::copy_graph(c), current_device().is_gpu())->explanation,
      ir::print(roots));
}

void forget_plans() { plans().forget(); }

}  // namespace tutti::runtime
