// Results of segment offsets alone: the segment of each element, and checked offsets. If ranks find
// invalid offsets, each gets all of them and throws the error of a single rank.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "ranks/redistribute.hpp"
#include "ranks/segment_offsets.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

using ir::Kind;

class OffsetsJob : public Job {
 public:
  OffsetsJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session), offsets_(node->inputs()[0], graph, session) {}

  void want(LocalGraph& graph) override { offsets_.want(graph); }
  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    offsets_.build(graph, roots);
  }

 protected:
  // Computes the node from all offsets. Of the elements only the number matters.
  void compute_whole() {
    const int64_t count = offsets_.count();
    const std::vector<Interval> wanted(static_cast<size_t>(session_.size()), {0, count});
    const std::vector<int64_t> all = offsets_.fetch(wanted);
    session_.together([&] {
      std::vector<NodeRef> inputs{offsets_leaf(all, offsets_.node()->type, node_->where)};
      for (const NodeRef& input : node_->inputs().subspan(1))
        inputs.push_back(ir::make_constant({input->type, 0}, input->shape, node_->where));
      const NodeRef result = clone(*node_, node_->shape, inputs);
      engine::evaluate_here({&result, 1});
      publish(elements_of(result));
    });
  }

  Session& session_;
  SegmentOffsets offsets_;
};

class CheckedOffsetsJob final : public OffsetsJob {
 public:
  using OffsetsJob::OffsetsJob;

  Bytes share() override { return offsets_.summary({}); }

  void finish(const std::vector<Bytes>& shares) override {
    const SegmentOffsets::Counts counts = SegmentOffsets::counts_of(shares);
    const bool divide = node_->get<ir::OffsetRule>() == ir::OffsetRule::divide_elements;
    const bool right = counts.ascend && (!divide || counts.last == node_->inputs()[1]->shape[0]);
    if (!right || node_->shape.size() < split_from()) return compute_whole();
    const NodeRef& local = offsets_.local();
    publish_split(session_, offsets_.layout(), local ? elements_of(local) : runtime::allocate(0),
                  offsets_.part());
  }
};

class ElementSegmentsJob final : public OffsetsJob {
 public:
  ElementSegmentsJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : OffsetsJob(node, graph, session), layout_(layout_for(node->shape, graph, session)) {
    part_ = layout_.part(node->shape, session.rank());
  }

  Bytes share() override { return offsets_.summary(layout_.offsets); }

  void finish(const std::vector<Bytes>& shares) override {
    const SegmentOffsets::Counts counts = SegmentOffsets::counts_of(shares);
    if (!counts.ascend || counts.last != node_->shape[0]) return compute_whole();
    // The segment of the first element, and the later offsets within the part.
    std::vector<Interval> wanted;
    for (size_t r = 0; r < static_cast<size_t>(session_.size()); ++r) {
      const int64_t first = counts.not_above[r];
      wanted.push_back({first, std::max(first, counts.below[r + 1])});
    }
    const std::vector<int64_t> inside = offsets_.fetch(wanted);
    const int64_t segment = counts.not_above[static_cast<size_t>(session_.rank())] - 1;
    BufferRef result;
    session_.together([&] { result = computed(inside, segment); });
    publish_split(session_, layout_, result, part_);
  }

 private:
  BufferRef computed(const std::vector<int64_t>& inside, int64_t segment) const {
    if (part_.size() == 0) return runtime::allocate(0);
    std::vector<int64_t> local{0};
    for (int64_t offset : inside) local.push_back(offset - part_[0].lo);
    local.push_back(part_.size());
    const NodeRef terms[] = {
        ir::make_element_segments(offsets_leaf(local, offsets_.node()->type, node_->where),
                                  part_.size(), node_->where),
        ir::make_constant({node_->type, static_cast<uint64_t>(segment)}, {}, node_->where)};
    const NodeRef result = ir::make_elementwise(Op::add, terms, node_->where);
    engine::evaluate_here({&result, 1});
    return elements_of(result);
  }

  Layout layout_;
  Box part_;
};

}  // namespace

std::unique_ptr<Job> make_offsets_job(const NodeRef& node, const PendingGraph& graph,
                                      Session& session) {
  if (node->kind == Kind::checked_offsets)
    return std::make_unique<CheckedOffsetsJob>(node, graph, session);
  return std::make_unique<ElementSegmentsJob>(node, graph, session);
}

}  // namespace tutti::ranks
