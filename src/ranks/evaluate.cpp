#include "ranks/evaluate.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

#include "engine/evaluate.hpp"
#include "engine/pending.hpp"
#include "graph/copy_pending.hpp"
#include "graph/sibling_outputs.hpp"
#include "ranks/exchange.hpp"
#include "ranks/job.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

using Jobs = std::vector<std::unique_ptr<Job>>;

std::vector<NodeRef> pending_of(std::span<const NodeRef> nodes) {
  ir::require_alive(nodes, "evaluate", {});
  std::vector<NodeRef> roots;
  std::lock_guard lock(ir::graph_mutex());
  for (const NodeRef& node : nodes)
    if (!node->buffer && std::ranges::find(roots, node) == roots.end()) roots.push_back(node);
  ir::add_companions(roots);
  return roots;
}

// Decides cheaply whether to share an evaluation: most programs evaluate many small arrays.
bool is_worth_sharing(std::span<const NodeRef> roots) {
  bool found = false;
  engine::walk_pending(roots, [&](const Node& node) {
    if (node.buffer)
      found = split_array_of(node) != nullptr;
    else
      found = node.shape.size() >= split_from();
    return !found;
  });
  return found;
}

// Returns the jobs whose inputs depend on no other job.
Jobs ready_jobs(const PendingGraph& graph, Session& session) {
  Jobs jobs;
  std::vector<bool> waits(graph.order().size());  // itself or something below it is a job
  for (size_t i = 0; i < graph.order().size(); ++i) {
    const NodeRef& node = graph.order()[i];
    if (node->buffer) continue;
    for (const NodeRef& input : node->inputs())
      if (waits[graph.place(*input)]) waits[i] = true;
    if (waits[i]) continue;
    if (auto job = job_for(node, graph, session)) {
      waits[i] = true;
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

// Adds values that the program holds and that are computed a second time. They are kept, as on one
// rank, so that a loop over a growing graph does not start from the beginning each time.
template <class MayBeKept>
void add_values_worth_keeping(const PendingGraph& graph, MayBeKept may_be_kept,
                              std::vector<NodeRef>& roots) {
  std::lock_guard lock(ir::graph_mutex());
  for (const NodeRef& node : graph.order()) {
    constexpr int from_the_list = 1;
    const int held = node->references.load(std::memory_order_relaxed) - from_the_list;
    if (node->buffer || !may_be_kept(*node) || held <= graph.uses(*node) ||
        std::ranges::find(roots, node) != roots.end())
      continue;
    if (node->computed_before) roots.push_back(node);
    node->computed_before = true;
  }
}

Jobs result_jobs(const PendingGraph& graph, std::span<const NodeRef> roots, Session& session) {
  Jobs jobs;
  for (const NodeRef& root : roots) jobs.push_back(make_result_job(root, graph, session));
  return jobs;
}

void evaluate_copies(std::vector<NodeRef> roots, const engine::Distribution::Alone& alone) {
  {
    const PendingGraph graph(roots);
    const auto is_stored = [](const Node& node) {
      return ir::computes_elements(node.kind) || ir::is_primitive(node.kind) ||
             node.kind == ir::Kind::reduce || node.kind == ir::Kind::inner_product;
    };
    add_values_worth_keeping(graph, is_stored, roots);
  }
  std::vector<NodeRef> copies, dropped;  // destroyed after the lock is gone
  {
    std::lock_guard lock(ir::graph_mutex());
    copies = ir::copy_pending(roots);
  }
  alone(copies);
  std::lock_guard lock(ir::graph_mutex());
  for (size_t i = 0; i < roots.size(); ++i)
    if (!roots[i]->buffer) ir::publish(*roots[i], copies[i]->buffer, dropped);
}

// Warns once for each source line, on one rank.
void warn_of_gathers(const LocalGraph& graph, const Session& session) {
  thread_local std::set<std::pair<std::string, uint32_t>> warned;
  if (session.rank() != 0) return;
  for (const LocalGraph::Gathered& gathered : graph.gathered()) {
    const Location& where = gathered.node->where;
    if (!warned.emplace(where.line() ? where.file_name() : "", where.line()).second) continue;
    std::fprintf(stderr,
                 "tutti: %s%s needs all of an array that is split between %d ranks: each gathers "
                 "%lld bytes\n",
                 ir::kind_name(gathered.node->kind), tutti::detail::at(where).c_str(),
                 session.size(), static_cast<long long>(gathered.bytes));
  }
}

// Returns the shares of all jobs as one message: the lengths, then the bytes.
Bytes joined_shares(const Jobs& jobs) {
  Bytes message(jobs.size() * sizeof(uint64_t));
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Bytes share = jobs[i]->share();
    const uint64_t length = share.size();
    std::memcpy(message.data() + i * sizeof length, &length, sizeof length);
    message.insert(message.end(), share.begin(), share.end());
  }
  return message;
}

// Splits the messages of all ranks into shares, by job and rank.
std::vector<std::vector<Bytes>> shares_of(const std::vector<Bytes>& messages, size_t jobs) {
  std::vector<std::vector<Bytes>> shares(jobs);
  for (const Bytes& message : messages) {
    const std::byte* next = message.data() + jobs * sizeof(uint64_t);
    for (size_t i = 0; i < jobs; ++i) {
      uint64_t length = 0;
      std::memcpy(&length, message.data() + i * sizeof length, sizeof length);
      shares[i].emplace_back(next, next + length);
      next += length;
    }
  }
  return shares;
}

void run_jobs(Session& session, const PendingGraph& pending, const Jobs& jobs,
              const Location& where) {
  LocalGraph graph(pending);
  for (const auto& job : jobs) job->want(graph);
  graph.propagate();
  Exchange exchange(session, graph.leaves());
  const std::vector<Bytes> needs = session.agree_after(
      "compute an array", pending.hash() + jobs.size(), where, [&] { return exchange.prepare(); });
  warn_of_gathers(graph, session);
  exchange.run(needs, graph);
  const std::vector<Bytes> messages = session.gather_after([&] {
    graph.build();
    std::vector<NodeRef> roots;
    for (const auto& job : jobs) job->build(graph, roots);
    engine::evaluate_here(roots);
    return joined_shares(jobs);
  });
  const std::vector<std::vector<Bytes>> shares = shares_of(messages, jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) jobs[i]->finish(shares[i]);
}

}  // namespace

void evaluate(Session& session, std::span<const NodeRef> nodes,
              const engine::Distribution::Alone& alone) {
  std::vector<NodeRef> roots = pending_of(nodes);
  if (roots.empty()) return;
  if (!is_worth_sharing(roots)) return evaluate_copies(std::move(roots), alone);
  const Location where = roots[0]->where;
  while (true) {
    roots = pending_of(nodes);
    if (roots.empty()) return;
    const PendingGraph graph(roots);
    if (const Jobs jobs = ready_jobs(graph, session); !jobs.empty()) {
      run_jobs(session, graph, jobs, where);
      continue;
    }
    const auto is_split_value = [&](const Node& node) {
      return ir::computes_elements(node.kind) && node.shape.size() >= split_from() &&
             graph.is_split(node);
    };
    add_values_worth_keeping(graph, is_split_value, roots);
    run_jobs(session, graph, result_jobs(graph, roots, session), where);
  }
}

NodeRef split_along(Session& session, const NodeRef& node, const Layout& layout,
                    const Location& where) {
  const PendingGraph pending({&node, 1});
  LocalGraph graph(pending);
  const Box part = layout.part(node->shape, session.rank());
  graph.want(*node, part);
  Exchange exchange(session, graph.leaves());
  const std::vector<Bytes> needs = session.agree_after(
      "distribute an array", pending.hash() + static_cast<uint64_t>(layout.axis), where,
      [&] { return exchange.prepare(); });
  exchange.run(needs, graph);
  BufferRef elements;
  session.together([&] {
    graph.build();
    const NodeRef local = graph.part(node, part);
    if (part.size() > 0) engine::evaluate_here({&local, 1});
    elements = part.size() > 0 ? elements_of(local) : runtime::allocate(0);
  });
  return ir::make_leaf(node->type, node->shape,
                       buffer_of(std::make_shared<SplitArray>(session, node->type, node->shape,
                                                              layout, elements, part, where)),
                       where);
}

void make_whole(std::span<const NodeRef> nodes) {
  std::vector<BufferRef> split;
  engine::walk_pending(nodes, [&](const Node& node) {
    if (split_array_of(node)) split.push_back(node.buffer);
    return true;
  });
  for (const BufferRef& buffer : split) buffer->data();
}

}  // namespace tutti::ranks
