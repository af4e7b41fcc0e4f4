// Scatter into a vector. The base is divided among the ranks; values travel to the rank that holds
// their index, in the order in which they are listed. So collisions are resolved as by one rank.
// Whole numbers that are added to a small base, as histograms do, need not travel: partial sums do.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "ranks/job.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

int64_t index_at(ElementType type, const std::byte* indices, int64_t i) {
  if (type == ElementType::i32) {
    int32_t index;
    std::memcpy(&index, indices + 4 * i, 4);
    return index;
  }
  int64_t index;
  std::memcpy(&index, indices + 8 * i, 8);
  return index;
}

class ScatterJob : public Job {
 public:
  ScatterJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node),
        session_(session),
        base_(node->inputs()[0]),
        values_(node->inputs()[1]),
        indices_(node->inputs()[2]) {
    layout_ = layout_for(node->shape, graph, session);
    part_ = layout_.part(node->shape, session.rank());
    listed_ = layout_for(values_->shape, graph, session).part(values_->shape, session.rank());
  }

  void want(LocalGraph& graph) override {
    graph.want(*base_, part_);
    graph.want(*values_, listed_);
    graph.want(*indices_, listed_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    local_base_ = graph.part(base_, part_);
    if (part_.size() > 0) roots.push_back(local_base_);
    if (listed_.size() == 0) return;
    local_values_ = graph.part(values_, listed_);
    local_indices_ = graph.part(indices_, listed_);
    roots.insert(roots.end(), {local_values_, local_indices_});
  }

  void finish() override {
    session_.together([&] { sort_by_owner(); });
    const NodeRef indices = redistribute(sent_indices_, ElementType::i64);
    const NodeRef values = redistribute(sent_values_, node_->type);
    BufferRef result;
    session_.together([&] {
      const NodeRef scattered = ir::make_scatter(local_base_, {&indices, 1}, values,
                                                 node_->get<Collision>(), node_->where);
      engine::evaluate_here({&scattered, 1});
      result = elements_of(scattered);
    });
    if (node_->shape.size() >= split_from()) return publish_split(session_, layout_, result, part_);
    const auto each = static_cast<size_t>(size_of(node_->type));
    const std::vector<Bytes> parts = session_.transport().all_gather(
        {host_bytes(result), static_cast<size_t>(part_.size()) * each});
    Bytes all;
    for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
    publish(elements_of(host_leaf(node_->type, node_->shape, all, node_->where)));
  }

 private:
  // Messages to each rank: its values in order, and their indices in its part.
  void sort_by_owner() {
    const auto ranks = static_cast<size_t>(session_.size());
    sent_indices_.resize(ranks);
    sent_values_.resize(ranks);
    if (listed_.size() == 0) return;
    const auto each = static_cast<size_t>(size_of(node_->type));
    const std::byte* values = host_bytes(elements_of(local_values_));
    const std::byte* indices = host_bytes(elements_of(local_indices_));
    const std::vector<int64_t>& offsets = layout_.offsets;
    for (int64_t i = 0; i < listed_.size(); ++i) {
      const int64_t index = index_at(indices_->type, indices, i);
      if (index < 0 || index >= node_->shape[0]) continue;
      const auto owner = static_cast<size_t>(
          std::upper_bound(offsets.begin(), offsets.end(), index) - offsets.begin() - 1);
      const int64_t there = index - offsets[owner];
      const auto* word = reinterpret_cast<const std::byte*>(&there);
      sent_indices_[owner].insert(sent_indices_[owner].end(), word, word + sizeof there);
      const std::byte* value = values + static_cast<size_t>(i) * each;
      sent_values_[owner].insert(sent_values_[owner].end(), value, value + each);
    }
  }

  NodeRef redistribute(const std::vector<Bytes>& sent, ElementType type) {
    std::vector<uint64_t> sizes;
    for (const Bytes& message : sent) sizes.push_back(message.size());
    const std::vector<Bytes> all = session_.transport().all_gather(std::as_bytes(std::span(sizes)));
    std::vector<uint64_t> arriving;
    uint64_t total = 0;
    for (const Bytes& bytes : all) {
      uint64_t size = 0;
      std::memcpy(&size, bytes.data() + static_cast<size_t>(session_.rank()) * sizeof size,
                  sizeof size);
      arriving.push_back(size);
      total += size;
    }
    Bytes arrived;
    session_.together([&] { arrived.resize(total); });
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    size_t at = 0;
    for (int r = 0; r < session_.size(); ++r) {
      const auto i = static_cast<size_t>(r);
      if (!sent[i].empty()) out.push_back({r, sent[i]});
      if (arriving[i] > 0) in.push_back({r, {arrived.data() + at, arriving[i]}});
      at += arriving[i];
    }
    session_.transport().all_to_all(out, in);
    NodeRef result;
    session_.together([&] {
      result = host_leaf(type, line_of(static_cast<int64_t>(total) / size_of(type)), arrived,
                         node_->where);
    });
    return result;
  }

 protected:
  Session& session_;
  const NodeRef base_, values_, indices_;
  Layout layout_;
  Box part_, listed_;
  NodeRef local_base_, local_values_, local_indices_;
  std::vector<Bytes> sent_indices_, sent_values_;
};

// Sums of whole numbers do not depend on their order.
class HistogramJob final : public Job {
 public:
  HistogramJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session) {
    const Extents& values = node->inputs()[1]->shape;
    listed_ = layout_for(values, graph, session).part(values, session.rank());
  }

  void want(LocalGraph& graph) override {
    graph.want(*node_->inputs()[0], whole(node_->shape));
    graph.want(*node_->inputs()[1], listed_);
    graph.want(*node_->inputs()[2], listed_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    base_ = graph.part(node_->inputs()[0], whole(node_->shape));
    const NodeRef zero = ir::make_constant({node_->type, 0}, node_->shape, node_->where);
    const NodeRef indices = graph.part(node_->inputs()[2], listed_);
    sums_ = listed_.size() == 0
                ? zero
                : ir::make_scatter(zero, {&indices, 1}, graph.part(node_->inputs()[1], listed_),
                                   Collision::sum, node_->where);
    roots.insert(roots.end(), {base_, sums_});
  }

  void finish() override {
    const BufferRef mine = elements_of(sums_);
    const std::vector<Bytes> parts =
        session_.transport().all_gather({host_bytes(mine), mine->bytes()});
    BufferRef result;
    session_.together([&] {
      NodeRef total = base_;
      for (const Bytes& part : parts) {
        const NodeRef terms[] = {total, host_leaf(node_->type, node_->shape, part, node_->where)};
        total = ir::make_elementwise(Op::add, terms, node_->where);
      }
      engine::evaluate_here({&total, 1});
      result = elements_of(total);
    });
    publish(result);
  }

 private:
  Session& session_;
  Box listed_;
  NodeRef base_, sums_;
};

}  // namespace

std::unique_ptr<Job> make_scatter_job(const NodeRef& node, const PendingGraph& graph,
                                      Session& session) {
  const bool counts = node->get<Collision>() == Collision::sum && is_integer(node->type) &&
                      node->shape.size() < split_from() && node->shape.size() > 0;
  if (counts) return std::make_unique<HistogramJob>(node, graph, session);
  return std::make_unique<ScatterJob>(node, graph, session);
}

}  // namespace tutti::ranks
