// Objects that hold for the time of one evaluation, on its thread.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "compiler/graph_passes/collect.hpp"
#include "core/timeline/timeline.hpp"
#include "graph/node.hpp"
#include "runtime/device.hpp"

namespace tutti::engine {

// A collected graph whose memory the thread keeps from one evaluation to the next. The object is
// moved out, not referenced: a thread that waits for others may start another evaluation.
class Workspace {
 public:
  Workspace() : graph_(kept() ? std::move(kept()) : std::make_unique<compiler::Collected>()) {}
  ~Workspace() {
    if (graph_->order.capacity() > most_nodes) return;
    graph_->clear();
    kept() = std::move(graph_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  compiler::Collected& graph() { return *graph_; }

 private:
  static constexpr size_t most_nodes = 10'000;
  static std::unique_ptr<compiler::Collected>& kept() {
    thread_local std::unique_ptr<compiler::Collected> instance;
    return instance;
  }
  std::unique_ptr<compiler::Collected> graph_;
};

// Marks the roots as being computed, during its lifetime. The destructor takes the lock.
class Claim {
 public:
  explicit Claim(std::span<const detail::NodeRef> roots) : roots_(roots) {
    for (const detail::NodeRef& root : roots_) root->claimed = true;
  }
  ~Claim() {
    {
      std::lock_guard lock(ir::graph_mutex());
      for (const detail::NodeRef& root : roots_) root->claimed = false;
    }
    ir::graph_changed().notify_all();
  }

 private:
  std::span<const detail::NodeRef> roots_;
};

// The nodes that this thread is evaluating, during the object's lifetime. Evaluations nest if the
// function of an InterruptionScope evaluates something.
class Evaluating {
 public:
  explicit Evaluating(std::span<const detail::NodeRef> nodes) : nodes_(nodes), outer_(innermost) {
    innermost = this;
  }
  ~Evaluating() { innermost = outer_; }
  Evaluating(const Evaluating&) = delete;
  Evaluating& operator=(const Evaluating&) = delete;

  // Returns whether an interrupted evaluation of this thread is about to compute one of the nodes.
  bool interrupts_one_of(std::span<const detail::NodeRef> roots) const {
    for (const Evaluating* e = outer_; e; e = e->outer_)
      for (const detail::NodeRef& root : roots)
        if (std::ranges::find(e->nodes_, root) != e->nodes_.end()) return true;
    return false;
  }

 private:
  static inline thread_local const Evaluating* innermost = nullptr;
  const std::span<const detail::NodeRef> nodes_;
  const Evaluating* const outer_;
};

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

}  // namespace tutti::engine
