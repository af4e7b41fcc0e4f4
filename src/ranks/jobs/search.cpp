// Searches with small results: the first elements of a sorted vector, and the number of elements of
// a sorted vector before each of a few queries. Every rank searches its part; the results of all
// are combined.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "ranks/job.hpp"
#include "ranks/redistribute.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

class PartJob : public Job {
 public:
  PartJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session), vector_(node->inputs()[0]) {
    box_ = layout_for(vector_->shape, graph, session).part(vector_->shape, session.rank());
  }
  void want(LocalGraph& graph) override { graph.want(*vector_, box_); }

 protected:
  Session& session_;
  const NodeRef vector_;
  Box box_;
};

// Returns the elements of a node of int32 or int64.
std::vector<int64_t> integers_of(const NodeRef& node) {
  const NodeRef wide = ir::make_cast(node, ElementType::i64, node->where);
  engine::evaluate_here({&wide, 1});
  return numbers_of(copy_of_elements(wide));
}

class TopKJob final : public PartJob {
 public:
  using PartJob::PartJob;

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    keys_ = graph.part(vector_, box_);
    found_ =
        ir::make_top_k(keys_, std::min(node_->shape[0], box_.size()), descending(), node_->where);
    roots.insert(roots.end(), {keys_, found_});
  }

  // Returns the candidates of this rank in their order: positions in the whole vector, then keys.
  Bytes share() override {
    if (!found_) return {};
    std::vector<int64_t> positions = integers_of(found_);
    const auto each = static_cast<size_t>(size_of(vector_->type));
    const std::byte* all = host_bytes(elements_of(keys_));
    Bytes keys;
    for (int64_t& position : positions) {
      const std::byte* key = all + static_cast<size_t>(position) * each;
      keys.insert(keys.end(), key, key + each);
      position += box_[0].lo;
    }
    Bytes message = bytes_of(positions);
    message.insert(message.end(), keys.begin(), keys.end());
    return message;
  }

  // Merges the candidates. Equal keys keep the order of their positions: they are listed by rank.
  void finish(const std::vector<Bytes>& shares) override {
    session_.alone([&] {
      const auto each = static_cast<size_t>(size_of(vector_->type));
      std::vector<int64_t> positions;
      Bytes keys;
      for (const Bytes& share : shares) {
        const size_t count = share.size() / (sizeof(int64_t) + each);
        const auto split = share.begin() + static_cast<ptrdiff_t>(count * sizeof(int64_t));
        const std::vector<int64_t> own = numbers_of(Bytes(share.begin(), split));
        positions.insert(positions.end(), own.begin(), own.end());
        keys.insert(keys.end(), split, share.end());
      }
      const auto candidates = static_cast<int64_t>(positions.size());
      const NodeRef leaf = host_leaf(vector_->type, line_of(candidates), keys, node_->where);
      std::vector<int64_t> best;
      for (int64_t place :
           integers_of(ir::make_top_k(leaf, node_->shape[0], descending(), node_->where)))
        best.push_back(positions[static_cast<size_t>(place)]);
      const NodeRef result = ir::make_cast(
          host_leaf(ElementType::i64, node_->shape, std::as_bytes(std::span(best)), node_->where),
          node_->type, node_->where);
      engine::evaluate_here({&result, 1});
      publish(elements_of(result));
    });
  }

 private:
  bool descending() const { return node_->get<ir::SortOrder>() == ir::SortOrder::descending; }
  NodeRef keys_, found_;
};

class SearchJob final : public PartJob {
 public:
  using PartJob::PartJob;

  void want(LocalGraph& graph) override {
    PartJob::want(graph);
    graph.want(*queries(), whole(queries()->shape));
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    const bool right = node_->get<ir::SearchSide>() == ir::SearchSide::right;
    before_ = ir::make_cast(
        ir::make_search_sorted(graph.part(vector_, box_),
                               graph.part(queries(), whole(queries()->shape)), right, node_->where),
        node_->type, node_->where);
    roots.push_back(before_);
  }

  Bytes share() override { return before_ ? copy_of_elements(before_) : Bytes(); }

  void finish(const std::vector<Bytes>& shares) override {
    session_.alone([&] {
      NodeRef total = ir::make_constant({node_->type, 0}, node_->shape, node_->where);
      for (const Bytes& share : shares) {
        if (share.empty()) continue;
        const NodeRef terms[] = {total, host_leaf(node_->type, node_->shape, share, node_->where)};
        total = ir::make_elementwise(Op::add, terms, node_->where);
      }
      engine::evaluate_here({&total, 1});
      publish(elements_of(total));
    });
  }

 private:
  const NodeRef& queries() const { return node_->inputs()[1]; }
  NodeRef before_;
};

}  // namespace

std::unique_ptr<Job> make_top_k_job(const NodeRef& node, const PendingGraph& graph,
                                    Session& session) {
  return std::make_unique<TopKJob>(node, graph, session);
}

std::unique_ptr<Job> make_search_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session) {
  return std::make_unique<SearchJob>(node, graph, session);
}

}  // namespace tutti::ranks
