// Scans of a vector. Every rank takes whole tiles of the scan tree. The totals of tiles are
// gathered and combined from left to right, as the tree prescribes. A rank puts the total of the
// tiles before its own in front of its elements, as a tile.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "numerics/combine.hpp"
#include "numerics/reduction_tree.hpp"
#include "numerics/scan_tree.hpp"
#include "ranks/job.hpp"

namespace tutti::ranks {
namespace {

constexpr int64_t chunks = ir::scan_tile / ir::scan_chunk;

// Combines from left to right, starting from `from`.
ScalarValue combined(Reduction reduction, ScalarValue from, std::span<const std::byte> elements) {
  visit_type(from.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    ir::visit_reduction<T>(reduction, [&](auto which) {
      T total;
      std::memcpy(static_cast<void*>(&total), &from.bits, sizeof(T));
      for (size_t at = 0; at < elements.size(); at += sizeof(T)) {
        T next;
        std::memcpy(static_cast<void*>(&next), elements.data() + at, sizeof(T));
        total = ir::combine<decltype(which)::value, T>(total, next);
      }
      from.bits = 0;
      std::memcpy(&from.bits, &total, sizeof(T));
    });
  });
  return from;
}

class ScanJob final : public Job {
 public:
  ScanJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session) {
    layout_ = layout_for(node->shape, graph, session);
    for (int64_t& offset : layout_.offsets)
      offset =
          std::min(node->shape[0], (offset + ir::scan_tile - 1) / ir::scan_tile * ir::scan_tile);
    box_ = layout_.part(node->shape, session.rank());
  }

  void want(LocalGraph& graph) override { graph.want(*node_->inputs()[0], box_); }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    input_ = graph.part(node_->inputs()[0], box_);
    roots.push_back(input_);
  }

  Bytes share() override { return box_.size() > 0 ? tile_totals() : Bytes(); }

  void finish(const std::vector<Bytes>& shares) override {
    BufferRef part;
    session_.together([&] {
      ScalarValue carry = identity();
      for (int r = 0; r < session_.rank(); ++r)
        carry = combined(node_->reduction, carry, shares[static_cast<size_t>(r)]);
      part = scanned_from(carry);
    });
    publish_split(session_, layout_, part, box_);
  }

 private:
  ScalarValue identity() const { return ir::identity_of(node_->reduction, node_->type); }

  // Computes the totals of tiles. Groups and chunks are balanced trees over neighbours, three
  // levels at a time. Chunks are combined from left to right.
  Bytes tile_totals() const {
    const int64_t count = box_.size();
    const int64_t tiles = (count + ir::scan_tile - 1) / ir::scan_tile;
    NodeRef level = filled(tiles * ir::scan_tile - count, 0);
    for (int64_t length = ir::scan_chunk; length > 1; length /= 8) {
      for (int step = 0; step < 3; ++step) level = pairs(level);
      engine::evaluate_here({&level, 1});
    }
    const auto each = static_cast<size_t>(size_of(node_->type));
    const std::byte* chunk_totals = host_bytes(elements_of(level));
    Bytes totals;
    for (int64_t tile = 0; tile < tiles; ++tile) {
      const ScalarValue total = combined(node_->reduction, identity(),
                                         {chunk_totals + static_cast<size_t>(tile * chunks) * each,
                                          static_cast<size_t>(chunks) * each});
      const auto* bits = reinterpret_cast<const std::byte*>(&total.bits);
      totals.insert(totals.end(), bits, bits + each);
    }
    return totals;
  }

  NodeRef pairs(const NodeRef& elements) const {
    const int64_t half = elements->shape[0] / 2;
    const Range even[] = {Range{0, half, 2}}, odd[] = {Range{1, half, 2}};
    const NodeRef two[] = {ir::make_section(elements, even, node_->where),
                           ir::make_section(elements, odd, node_->where)};
    return ir::make_elementwise(ir::info_of(node_->reduction).op, two, node_->where);
  }

  // Returns the elements with identities after and before them.
  NodeRef filled(int64_t after, int64_t before) const {
    if (after == 0 && before == 0) return input_;
    const Margin margin[] = {Margin{before, after}};
    return ir::make_expand(input_, margin, Boundary::Kind::constant, identity(), "tile",
                           node_->where);
  }

  BufferRef scanned_from(const ScalarValue& carry) const {
    const bool exclusive = node_->get<ir::ScanForm>() == ir::ScanForm::exclusive;
    if (box_.size() == 0) return elements_of(host_leaf(node_->type, line_of(0), {}, node_->where));
    NodeRef result;
    if (session_.rank() == 0) {
      result = ir::make_scan(node_->reduction, input_, {}, exclusive, node_->where);
    } else {
      const NodeRef elements = filled(0, ir::scan_tile);
      const NodeRef first[] = {ir::make_index(elements->shape, 0, node_->where),
                               ir::make_constant({ElementType::i32, 0}, {}, node_->where)};
      const NodeRef choice[] = {ir::make_elementwise(Op::equal, first, node_->where),
                                ir::make_constant(carry, {}, node_->where), elements};
      const NodeRef scanned =
          ir::make_scan(node_->reduction, ir::make_elementwise(Op::choose, choice, node_->where),
                        {}, exclusive, node_->where);
      const Range own[] = {Range{ir::scan_tile, box_.size()}};
      result = ir::make_section(scanned, own, node_->where);
    }
    engine::evaluate_here({&result, 1});
    return elements_of(result);
  }

  Session& session_;
  Layout layout_;
  Box box_;
  NodeRef input_;
};

}  // namespace

std::unique_ptr<Job> make_scan_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session) {
  return std::make_unique<ScanJob>(node, graph, session);
}

}  // namespace tutti::ranks
