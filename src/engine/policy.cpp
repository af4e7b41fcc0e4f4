#include "engine/policy.hpp"

#include <algorithm>
#include <vector>

#include "core/settings/checks.hpp"
#include "core/settings/settings.hpp"
#include "engine/checked_evaluation.hpp"
#include "engine/distribution.hpp"
#include "engine/evaluate.hpp"
#include "engine/pending.hpp"
#include "program/program.hpp"
#include "runtime/cpu/threads.hpp"
#include "runtime/device.hpp"

namespace tutti::engine {
namespace {

using detail::NodeRef;

// The rows of the table in policy.hpp. An evaluation on a GPU takes about 0.1 ms (some twenty
// launches and a round trip; H200, November 2026). In that time compiled code on the host computes
// the work of the second row.
constexpr int64_t few_factor = 10, gpu_part = 2;
// Inputs have to be copied to the host first, at some 10 bytes a nanosecond.
constexpr int64_t most_bytes_to_bring = 256 << 10;
// A graph is compiled after `usual` requests, or after `if_tiny` if it is below this part of
// `small_work`: the interpreter takes about 15 ns per element. Programs on a GPU leave the cores to
// the compiler, and without code their last levels move back and forth between the device and the
// host.
constexpr int64_t tiny_part = 20;
// Limits of a first run on the CPU instead of a GPU. The work takes some tens of milliseconds per
// thread, and copying the inputs to the host about ten.
constexpr int64_t elements_of_a_thread = 20'000'000, most_bytes_at_first = 64 << 20;
struct Requests {
  int usual, if_tiny;
};
constexpr Requests requests_on_cpu{2, 20}, requests_on_gpu{1, 2};

int64_t elements_of(const ir::Node& node) {
  int64_t elements = std::max<int64_t>(1, node.shape.size());
  if (node.kind == ir::Kind::reduce) elements += node.inputs()[0]->shape.size();
  if (node.program) elements *= static_cast<int64_t>(node.program->cost) + 1;
  return elements;
}

// The amount of work, counted up to about a limit, and the bytes to copy to the host.
struct Work {
  int64_t elements = 0, bytes_to_bring = 0;
};
// Requires the graph lock.
Work pending_work_locked(std::span<const NodeRef> roots, int64_t limit) {
  Work work;
  walk_pending_locked(roots, [&](const ir::Node& node) {
    if (!node.buffer)
      work.elements += elements_of(node);
    else if (!runtime::array_of(*node.buffer).is_on_host())
      work.bytes_to_bring += static_cast<int64_t>(node.buffer->bytes());
    return work.elements < limit;
  });
  return work;
}

Work pending_work(std::span<const NodeRef> roots, int64_t limit) {
  std::lock_guard lock(ir::graph_mutex());
  return pending_work_locked(roots, limit);
}

}  // namespace

bool may_begin_on_cpu(std::span<const NodeRef> roots) {
  if (live_settings().wait_for_compiler || !runtime::current_device().is_gpu()) return false;
  const int64_t most_elements = elements_of_a_thread * runtime::cpu_threads();
  const Work work = pending_work_locked(roots, most_elements + 1);
  return work.elements <= most_elements && work.bytes_to_bring <= most_bytes_at_first;
}

namespace {

void evaluate_here_by_amount(std::span<const NodeRef> nodes) {
  // Nested programs check indices themselves, and gather elements that they do not use.
  if (const int faults = checks_wanted() & ~Faults::bounds) [[unlikely]]
    return evaluate_checked(nodes, faults, evaluate_here_by_amount);
  const int64_t small = live_settings().small_work, few = few_factor * small;
  const Work work = pending_work(nodes, few);
  if (work.elements >= few || work.bytes_to_bring > most_bytes_to_bring)
    return engine::evaluate(nodes, SecondRun::does_not_wait);
  const bool on_gpu = runtime::current_device().is_gpu();
  const Requests requests = on_gpu ? requests_on_gpu : requests_on_cpu;
  const bool tiny = work.elements < small / tiny_part;
  if (evaluate_if_compiled(nodes, tiny ? requests.if_tiny : requests.usual)) return;
  if (on_gpu && work.elements >= small / gpu_part)
    engine::evaluate(nodes, SecondRun::does_not_wait);
  else
    interpret(nodes);
}

}  // namespace

void evaluate_by_amount(std::span<const NodeRef> nodes) {
  if (Distribution* shared = distribution())
    return shared->evaluate(nodes, evaluate_here_by_amount);
  evaluate_here_by_amount(nodes);
}

bool reading_waits() { return runtime::current_device().is_gpu(); }

void bring_to_host(std::span<const NodeRef> nodes) {
  std::vector<ir::BufferRef> buffers;
  {
    std::lock_guard lock(ir::graph_mutex());
    for (const NodeRef& node : nodes) buffers.push_back(node->buffer);
  }
  runtime::bring_to_host(buffers);
}

}  // namespace tutti::engine
