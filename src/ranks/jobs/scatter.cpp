// Scatter. The base is divided among the ranks. Values travel to the rank that holds their index,
// in the order in which they are listed, so collisions are resolved as on one rank. Few values do
// not travel: every rank has all of them. For integers that are added to a small base, as in
// histograms, partial sums travel instead.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "ranks/by_owner.hpp"
#include "ranks/job.hpp"
#include "ranks/locate.hpp"
#include "ranks/redistribute.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

// Returns the layout of the values. The parts of ranks follow each other in row-major order.
Layout listing(const Extents& shape, const PendingGraph& graph, const Session& session) {
  int axis = 0;
  while (axis + 1 < shape.rank && shape[axis] == 1) ++axis;
  Layout usual = layout_for(shape, graph, session);
  if (usual.axis == axis) return usual;
  Layout rows;
  rows.axis = axis;
  for (int r = 0; r <= session.size(); ++r)
    rows.offsets.push_back(shape[axis] * r / session.size());
  return rows;
}

class ScatterJob final : public Job {
 public:
  ScatterJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session), base_(node->inputs()[0]), values_(node->inputs()[1]) {
    layout_ = layout_for(node->shape, graph, session);
    part_ = layout_.part(node->shape, session.rank());
    travels_ = values_->shape.rank > 0 && values_->shape.size() >= split_from();
    listed_ = travels_
                  ? listing(values_->shape, graph, session).part(values_->shape, session.rank())
                  : whole(values_->shape);
  }

  void want(LocalGraph& graph) override {
    graph.want(*base_, part_);
    for (const NodeRef& input : node_->inputs().subspan(1)) graph.want(*input, listed_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    local_base_ = graph.part(base_, part_);
    if (part_.size() > 0) roots.push_back(local_base_);
    if (listed_.size() == 0) return;
    local_values_ = graph.part(values_, listed_);
    for (const NodeRef& index : node_->inputs().subspan(2))
      local_indices_.push_back(graph.part(index, listed_));
    roots.push_back(local_values_);
    roots.insert(roots.end(), local_indices_.begin(), local_indices_.end());
  }

  // Returns the number of values for each rank.
  Bytes share() override {
    begins_.assign(static_cast<size_t>(session_.size()) + 1, 0);
    if (listed_.size() > 0) group_by_owner();
    return bytes_of(begins_);
  }

  void finish(const std::vector<Bytes>& shares) override {
    const auto each = static_cast<size_t>(size_of(node_->type));
    BufferRef positions, values, result;
    int64_t count = begins_.back();
    if (travels_) {
      const std::vector<int64_t> arriving = arriving_counts(session_, shares);
      count = total_of(arriving);
      session_.together([&] {
        positions = runtime::allocate(static_cast<size_t>(count) * sizeof(int64_t));
        values = runtime::allocate(static_cast<size_t>(count) * each);
      });
      redistribute(session_, {sent_positions_.data(), sizeof(int64_t), begins_}, arriving,
                   writable_host_bytes(positions));
      redistribute(session_, {sent_values_.data(), each, begins_}, arriving,
                   writable_host_bytes(values));
    }
    const std::vector<Bytes> parts = session_.gather_after([&] {
      if (!travels_) {
        positions = elements_of(host_leaf(ElementType::i64, line_of(count), sent_positions_, {}));
        values = elements_of(host_leaf(node_->type, line_of(count), sent_values_, {}));
      }
      result = scattered(ir::make_leaf(ElementType::i64, line_of(count), positions, node_->where),
                         ir::make_leaf(node_->type, line_of(count), values, node_->where));
      if (is_split()) return Bytes();
      const std::byte* first = host_bytes(result);
      return Bytes(first, first + static_cast<size_t>(part_.size()) * each);
    });
    if (is_split()) return publish_split(session_, layout_, result, part_);
    session_.alone([&] { publish(joined(parts)); });
  }

 private:
  bool is_split() const { return node_->shape.size() >= split_from(); }

  // Groups the values by rank, in their order, with their positions in its part. Values that do not
  // travel are grouped too, but dropped for other ranks.
  void group_by_owner() {
    const Locator locate(node_->shape, layout_, Boundary::Kind::constant, local_indices_);
    std::vector<int64_t> positions(static_cast<size_t>(listed_.size()));
    const ByOwner order(listed_.size(), session_.size(), [&](int64_t i) {
      const Locator::Place place = locate(i);
      positions[static_cast<size_t>(i)] = place.position;
      return travels_ || place.owner == session_.rank() ? place.owner : -1;
    });
    begins_ = order.begins();
    const auto count = static_cast<size_t>(order.count());
    sent_positions_.resize(count * sizeof(int64_t));
    sent_values_.resize(count * static_cast<size_t>(size_of(node_->type)));
    const std::byte* values = host_bytes(elements_of(local_values_));
    with_size(node_->type, [&](auto each) {
      order.place([&](int64_t i, int64_t slot) {
        const auto from = static_cast<size_t>(i), to = static_cast<size_t>(slot);
        std::memcpy(sent_positions_.data() + to * sizeof(int64_t), &positions[from],
                    sizeof(int64_t));
        std::memcpy(sent_values_.data() + to * each, values + from * each, each);
      });
    });
  }

  BufferRef scattered(const NodeRef& positions, const NodeRef& values) const {
    if (part_.size() == 0) return runtime::allocate(0);
    const NodeRef flat = ir::make_reshape(local_base_, line_of(part_.size()), node_->where);
    const NodeRef result =
        ir::make_scatter(flat, {&positions, 1}, values, node_->get<Collision>(), node_->where);
    engine::evaluate_here({&result, 1});
    return elements_of(result);
  }

  BufferRef joined(const std::vector<Bytes>& parts) const {
    const auto each = static_cast<size_t>(size_of(node_->type));
    const BufferRef all = runtime::allocate(static_cast<size_t>(node_->shape.size()) * each);
    for (int r = 0; r < session_.size(); ++r) {
      const Box part = layout_.part(node_->shape, r);
      copy_box(writable_host_bytes(all), whole(node_->shape), parts[static_cast<size_t>(r)].data(),
               part, part, each);
    }
    return all;
  }

  Session& session_;
  const NodeRef base_, values_;
  Layout layout_;
  Box part_, listed_;
  bool travels_ = false;
  NodeRef local_base_, local_values_;
  std::vector<NodeRef> local_indices_;
  Bytes sent_positions_, sent_values_;
  std::vector<int64_t> begins_;
};

// Adds integers to a small base: their sum does not depend on the order.
class HistogramJob final : public Job {
 public:
  HistogramJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session) {
    const Extents& values = node->inputs()[1]->shape;
    listed_ = layout_for(values, graph, session).part(values, session.rank());
  }

  void want(LocalGraph& graph) override {
    graph.want(*node_->inputs()[0], whole(node_->shape));
    for (const NodeRef& input : node_->inputs().subspan(1)) graph.want(*input, listed_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    base_ = graph.part(node_->inputs()[0], whole(node_->shape));
    const NodeRef zero = ir::make_constant({node_->type, 0}, node_->shape, node_->where);
    std::vector<NodeRef> indices;
    for (const NodeRef& index : node_->inputs().subspan(2))
      indices.push_back(graph.part(index, listed_));
    sums_ = listed_.size() == 0
                ? zero
                : ir::make_scatter(zero, indices, graph.part(node_->inputs()[1], listed_),
                                   Collision::sum, node_->where);
    roots.insert(roots.end(), {base_, sums_});
  }

  Bytes share() override { return copy_of_elements(sums_); }

  void finish(const std::vector<Bytes>& shares) override {
    session_.alone([&] {
      NodeRef total = base_;
      for (const Bytes& share : shares) {
        const NodeRef terms[] = {total, host_leaf(node_->type, node_->shape, share, node_->where)};
        total = ir::make_elementwise(Op::add, terms, node_->where);
      }
      engine::evaluate_here({&total, 1});
      publish(elements_of(total));
    });
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
