// Pack: every rank packs its part. The counts determine the offset of each part in the result. The
// elements stay on their rank.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "ranks/job.hpp"
#include "ranks/redistribute.hpp"

namespace tutti::ranks {
namespace {

class PackJob final : public Job {
 public:
  PackJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session) {
    box_ = layout_for(node->inputs()[1]->shape, graph, session)
               .part(node->inputs()[1]->shape, session.rank());
  }

  void want(LocalGraph& graph) override {
    graph.want(*node_->inputs()[0], box_);
    graph.want(*node_->inputs()[1], box_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    flags_ = graph.part(node_->inputs()[0], box_);
    values_ = graph.part(node_->inputs()[1], box_);
    const int axis[] = {0};
    count_ = ir::make_reduce(Reduction::sum, ir::make_cast(flags_, ElementType::i64, node_->where),
                             axis, node_->where);
    roots.insert(roots.end(), {flags_, values_, count_});
  }

  Bytes share() override {
    int64_t found = 0;
    if (count_) std::memcpy(&found, host_bytes(elements_of(count_)), sizeof found);
    return bytes_of({&found, 1});
  }

  void finish(const std::vector<Bytes>& shares) override {
    Layout layout;
    layout.offsets.push_back(0);
    const int64_t wanted = node_->shape[0];
    for (const Bytes& share : shares)
      layout.offsets.push_back(std::min(wanted, layout.offsets.back() + numbers_of(share)[0]));
    layout.offsets.back() = wanted;  // zeros where there are fewer
    const Box part = layout.part(node_->shape, session_.rank());
    BufferRef elements;
    session_.together([&] { elements = packed(part.size()); });
    publish_split(session_, layout, elements, part);
  }

 private:
  BufferRef packed(int64_t count) const {
    const NodeRef result = box_.size() > 0
                               ? ir::make_pack(flags_, values_, count, node_->where)
                               : ir::make_constant({node_->type, 0}, line_of(count), node_->where);
    engine::evaluate_here({&result, 1});
    return elements_of(result);
  }

  Session& session_;
  Box box_;
  NodeRef flags_, values_, count_;
};

}  // namespace

std::unique_ptr<Job> make_pack_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session) {
  return std::make_unique<PackJob>(node, graph, session);
}

}  // namespace tutti::ranks
