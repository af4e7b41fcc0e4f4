// Reductions over the axis that is split. Every rank reduces whole tiles of the reduction tree; the
// results of the tiles are gathered and reduced by the same tree. So the bits are those of one
// rank.
#include <unordered_map>

#include "engine/evaluate.hpp"
#include "graph/build_transform.hpp"
#include "numerics/reduction_tree.hpp"
#include "ranks/job.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The arrangement of reduced elements: `count` in their order for each of `results` results.
struct Form {
  bool wide;
  int64_t tile;
  int axis;         // the first reduced axis: tiles are ranges of it
  int64_t inner;    // reduced elements for one coordinate of that axis
  int64_t count;    // reduced elements
  int64_t results;  // kept
};

Form form_of(const Node& node) {
  const Extents& from = node.inputs()[0]->shape;
  const ir::ReducedAxes axes = node.get<ir::ReducedAxes>();
  Form form{};
  form.wide = ir::is_wide(from, axes.mask);
  form.tile = form.wide ? ir::wide_tile : ir::column_tile;
  form.axis = first_reduced_axis(node);
  form.inner = form.count = 1;
  for (int i = 0; i < from.rank; ++i) {
    if (axes.has(i) && i > form.axis) form.inner *= from[i];
    if (axes.has(i)) form.count *= from[i];
  }
  form.results = node.shape.size();
  return form;
}

// Reshapes elements that are computed one by one from arrays in memory. The arrays get the new
// shape, which costs nothing. A reshape of computed elements would store them.
class Reshaped {
 public:
  Reshaped(const Extents& from, const Extents& to) : from_(from), to_(to) {}

  // Returns null if a node is computed differently, or if the graph is too deep.
  NodeRef operator()(const NodeRef& node, int depth = 0) {
    constexpr int deepest = 100;
    if (node->shape.rank == 0) return node;
    if (!(node->shape == from_) || depth > deepest) return {};
    NodeRef& known = known_[node.get()];
    if (known) return known;
    if (node->buffer) return known = ir::make_reshape(node, to_, node->where);
    if (node->kind == ir::Kind::reshape && node->inputs()[0]->buffer)
      return known = ir::make_reshape(node->inputs()[0], to_, node->where);
    if (node->kind == ir::Kind::constant)
      return known = ir::make_constant(node->value, to_, node->where);
    if (node->kind != ir::Kind::elementwise && node->kind != ir::Kind::cast) return {};
    std::vector<NodeRef> inputs;
    for (const NodeRef& input : node->inputs())
      if (!inputs.emplace_back((*this)(input, depth + 1))) return {};
    return known_[node.get()] = clone(*node, to_, inputs);
  }

 private:
  const Extents from_, to_;
  std::unordered_map<const Node*, NodeRef> known_;
};

NodeRef reshaped(const NodeRef& node, const Extents& shape, const Location& where) {
  if (NodeRef result = Reshaped(node->shape, shape)(node)) return result;
  return ir::make_reshape(node, shape, where);
}

class ReduceJob final : public Job {
 public:
  ReduceJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session), form_(form_of(*node)) {
    const Extents& from = node->inputs()[0]->shape;
    const Layout layout = layout_for(from, graph, session);
    tiles_ = ceil_div(form_.count, form_.tile);
    for (int r = 0; r <= session.size(); ++r)
      first_tile_.push_back(
          layout.axis == form_.axis
              ? std::min(tiles_,
                         ceil_div(layout.offsets[static_cast<size_t>(r)] * form_.inner, form_.tile))
              : tiles_ * r / session.size());
    mine_ = share(session.rank());
    box_ = whole(from);
    box_[form_.axis] = {mine_.lo / form_.inner, ceil_div(mine_.hi, form_.inner)};
    if (mine_.size() == 0) box_[form_.axis] = {0, 0};
  }

  void want(LocalGraph& graph) override { graph.want(*node_->inputs()[0], box_); }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (mine_.size() == 0) return;
    local_ = tile_results(in_order(graph.part(node_->inputs()[0], box_)), mine_.size());
    int64_t results = ceil_div(mine_.size(), form_.tile);
    int64_t unit = form_.tile;
    while (all_begin_at(unit) && results > 1) {  // whole tiles of tiles as well
      local_ = tile_results(local_, results);
      results = ceil_div(results, form_.tile);
      unit *= form_.tile;
    }
    roots.push_back(local_);
  }

  Bytes share() override { return local_ ? copy_of_elements(local_) : Bytes(); }

  void finish(const std::vector<Bytes>& shares) override {
    session_.alone([&] {
      const NodeRef all = joined(shares);
      const int axis[] = {form_.wide ? 1 : 0};
      const NodeRef reduced = ir::make_reshape(
          ir::make_reduce(node_->reduction, all, axis, node_->where), node_->shape, node_->where);
      engine::evaluate_here({&reduced, 1});
      publish(elements_of(reduced));
    });
  }

 private:
  // Returns the reduced elements of a rank, as an interval of their order.
  Interval share(int rank) const {
    const auto r = static_cast<size_t>(rank);
    return {std::min(form_.count, first_tile_[r] * form_.tile),
            std::min(form_.count, first_tile_[r + 1] * form_.tile)};
  }

  // Returns whether the first tile result of every rank is the first of a larger tile.
  bool all_begin_at(int64_t unit) const {
    for (int r = 0; r < session_.size(); ++r) {
      const Interval elements = share(r);
      if (elements.size() > 0 && elements.lo % (unit * form_.tile) != 0) return false;
    }
    return true;
  }

  // Arranges the elements of this rank's tiles: a row for each result in the wide tree, a column
  // for each result in the other.
  NodeRef in_order(const NodeRef& input) const {
    const ir::ReducedAxes axes = node_->get<ir::ReducedAxes>();
    std::vector<int64_t> order;
    for (const bool reduced : {!form_.wide, form_.wide})
      for (int i = 0; i < input->shape.rank; ++i)
        if (axes.has(i) == reduced) order.push_back(i);
    const NodeRef turned =
        std::ranges::is_sorted(order) ? input : ir::make_transpose(input, order, node_->where);
    const int64_t held = box_[form_.axis].size() * form_.inner;
    const NodeRef flat = reshaped(turned, matrix(held), node_->where);
    return section(flat, mine_.lo - box_[form_.axis].lo * form_.inner, mine_.size());
  }

  Extents matrix(int64_t elements) const {
    Extents shape;
    shape.push_back(form_.wide ? form_.results : elements);
    shape.push_back(form_.wide ? elements : form_.results);
    return shape;
  }

  NodeRef section(const NodeRef& flat, int64_t begin, int64_t count) const {
    if (flat->shape == matrix(count)) return flat;
    const Range along{begin, count}, across{0, form_.results};
    const Range ranges[] = {form_.wide ? across : along, form_.wide ? along : across};
    return ir::make_section(flat, ranges, node_->where);
  }

  // Reduces each tile to one element. The identity fills the last tile: it changes no bit.
  NodeRef tile_results(const NodeRef& elements, int64_t count) const {
    const int64_t tiles = ceil_div(count, form_.tile);
    NodeRef filled = elements;
    if (tiles * form_.tile != count) {
      const Margin along{0, tiles * form_.tile - count}, across{0, 0};
      const Margin margins[] = {form_.wide ? across : along, form_.wide ? along : across};
      filled =
          ir::make_expand(elements, margins, Boundary::Kind::constant,
                          ir::identity_of(node_->reduction, node_->type), "tile", node_->where);
    }
    Extents shape;
    if (form_.wide) shape.push_back(form_.results);
    shape.push_back(tiles);
    shape.push_back(form_.tile);
    if (!form_.wide) shape.push_back(form_.results);
    const int axis[] = {form_.wide ? 2 : 1};
    return ir::make_reduce(node_->reduction, reshaped(filled, shape, node_->where), axis,
                           node_->where);
  }

  // Returns the tile results of all ranks in their order.
  NodeRef joined(const std::vector<Bytes>& parts) const {
    const auto each = static_cast<size_t>(size_of(node_->type));
    size_t bytes = 0;
    for (const Bytes& part : parts) bytes += part.size();
    const auto results = static_cast<size_t>(form_.results);
    const size_t rows = form_.wide ? results : 1;  // each of them holds something of every rank
    Bytes all;
    all.reserve(bytes);
    for (size_t row = 0; row < rows; ++row)
      for (const Bytes& part : parts) {
        const size_t length = part.size() / rows;
        all.insert(all.end(), part.begin() + static_cast<ptrdiff_t>(row * length),
                   part.begin() + static_cast<ptrdiff_t>((row + 1) * length));
      }
    const auto count = static_cast<int64_t>(bytes / each / results);
    return host_leaf(node_->type, matrix(count), all, node_->where);
  }

  Session& session_;
  const Form form_;
  int64_t tiles_ = 0;
  std::vector<int64_t> first_tile_;
  Interval mine_;  // of the reduced elements in their order
  Box box_;        // of the input
  NodeRef local_;
};

}  // namespace

std::unique_ptr<Job> make_reduce_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session) {
  return std::make_unique<ReduceJob>(node, graph, session);
}

}  // namespace tutti::ranks
