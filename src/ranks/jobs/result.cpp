// Results that every rank computes for its own part.
#include "graph/build_transform.hpp"
#include "ranks/job.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

// A part of the layout, or all elements on every rank.
class ResultJob : public Job {
 public:
  ResultJob(const NodeRef& node, Session& session, std::optional<Layout> layout)
      : Job(node), session_(session), split_(layout.has_value()) {
    if (split_) layout_ = std::move(*layout);
    box_ = split_ ? layout_.part(node->shape, session.rank()) : whole(node->shape);
    room_ = box_;
  }

  void want(LocalGraph& graph) override { graph.want(*node_, box_); }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    local_ = graph.part(node_, box_);
    if (split_) make_room(graph);
    roots.push_back(local_);
  }

  void finish(const std::vector<Bytes>&) override {
    const BufferRef part = local_ ? elements_of(local_) : runtime::allocate(0);
    if (split_)
      publish_split(session_, layout_, part, room_);
    else
      publish(part);
  }

 protected:
  // Allocates room for a halo if an input had one: the result is likely to be read with a halo too.
  void make_room(const LocalGraph& graph) {
    const int axis = layout_.axis;
    for (const LocalGraph::Leaf& leaf : graph.leaves()) {
      if (!(leaf.array->shape == node_->shape) || !(leaf.array->layout == layout_)) continue;
      const Interval around = hull(room_[axis], leaf.array->room[axis]);
      if (around.size() <= node_->shape[axis]) room_[axis] = around;
    }
    if (room_ == box_) return;
    std::vector<Range> ranges;
    for (int i = 0; i < box_.rank; ++i)
      ranges.push_back(Range{box_[i].lo - room_[i].lo, box_[i].size()});
    local_ = ir::make_first_section(room_.extents(), ranges, local_, node_->where);
  }

  Session& session_;
  const bool split_;
  Layout layout_;
  Box box_, room_;
  NodeRef local_;
};

class GatheredJob final : public ResultJob {
 public:
  GatheredJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : ResultJob(node, session, layout_for(node->shape, graph, session)) {}

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    local_ = graph.part(node_, box_);
    roots.push_back(local_);
  }

  Bytes share() override { return local_ ? copy_of_elements(local_) : Bytes(); }

  void finish(const std::vector<Bytes>& shares) override {
    const auto each = static_cast<size_t>(size_of(node_->type));
    session_.alone([&] {
      const BufferRef all = runtime::allocate(static_cast<size_t>(node_->shape.size()) * each);
      for (int r = 0; r < session_.size(); ++r) {
        const Box box = layout_.part(node_->shape, r);
        copy_box(host_bytes(all), whole(node_->shape), shares[static_cast<size_t>(r)].data(), box,
                 box, each);
      }
      publish(all);
    });
  }
};

}  // namespace

std::unique_ptr<Job> make_result_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session) {
  std::optional<Layout> layout;
  if (node->shape.rank > 0 && node->shape.size() >= split_from())
    layout = layout_for(node->shape, graph, session);
  return std::make_unique<ResultJob>(node, session, std::move(layout));
}

std::unique_ptr<Job> make_lines_job(const NodeRef& node, int along, const PendingGraph& graph,
                                    Session& session) {
  Layout layout = layout_for(node->shape, graph, session);
  if (layout.axis != along) return std::make_unique<ResultJob>(node, session, std::move(layout));
  layout = {};
  layout.axis = along == 0 ? 1 : 0;
  for (int i = 0; i < node->shape.rank; ++i)
    if (i != along && node->shape[i] > node->shape[layout.axis]) layout.axis = i;
  for (int r = 0; r <= session.size(); ++r)
    layout.offsets.push_back(node->shape[layout.axis] * r / session.size());
  return std::make_unique<ResultJob>(node, session, std::move(layout));
}

std::unique_ptr<Job> make_gathered_job(const NodeRef& node, const PendingGraph& graph,
                                       Session& session) {
  return std::make_unique<GatheredJob>(node, graph, session);
}

}  // namespace tutti::ranks
