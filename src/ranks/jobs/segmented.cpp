// Reductions, scans and sorts of segments. A rank computes the segments that begin in its part of
// the elements, so it needs some elements of the ranks after it. Results have the same bits as on
// one rank: those of reductions and sorts depend only on the elements of a segment. Scans keep the
// tiles of the whole vector.
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "numerics/scan_tree.hpp"
#include "ranks/redistribute.hpp"
#include "ranks/segment_offsets.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

using ir::Kind;

// A vector that is sent to other ranks once the segments are known.
struct Column {
  NodeRef input, local;
};

class SegmentedJob final : public Job {
 public:
  SegmentedJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session), offsets_(node->inputs().back(), graph, session) {
    elements_ = node->inputs()[0]->shape;
    layout_ = layout_for(elements_, graph, session);
    part_ = layout_.part(elements_, session.rank());
    for (const NodeRef& input : node->inputs().first(node->inputs().size() - 1))
      columns_.push_back({input, {}});
  }

  void want(LocalGraph& graph) override {
    offsets_.want(graph);
    for (const Column& column : columns_) graph.want(*column.input, part_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    offsets_.build(graph, roots);
    if (part_.size() == 0) return;
    for (Column& column : columns_) {
      column.local = graph.part(column.input, part_);
      roots.push_back(column.local);
    }
  }

  Bytes share() override { return offsets_.summary(layout_.offsets); }

  void finish(const std::vector<Bytes>& shares) override {
    const SegmentOffsets::Counts counts = SegmentOffsets::counts_of(shares);
    if (!counts.ascend || counts.last != elements_[0]) return compute_whole();
    find_segments(counts);
    fetch_elements();
    const bool split = node_->shape.size() >= split_from();
    BufferRef result;
    const std::vector<Bytes> parts = session_.gather_after([&] {
      result = computed();
      if (split) return Bytes();
      const std::byte* first = host_bytes(result);
      return Bytes(first, first + static_cast<size_t>(result_box().size() * size_of(node_->type)));
    });
    if (split) return publish_split(session_, result_layout(), result, result_box());
    session_.alone([&] {
      Bytes all;
      for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
      publish(elements_of(host_leaf(node_->type, node_->shape, all, node_->where)));
    });
  }

 private:
  size_t me() const { return static_cast<size_t>(session_.rank()); }
  bool is_scan() const { return node_->kind == Kind::scan; }

  const Layout& result_layout() const {
    return node_->kind == Kind::segmented_reduce ? segments_ : owned_;
  }
  Box result_box() const { return result_layout().part(node_->shape, session_.rank()); }

  // Finds the segments and elements that every rank computes, and the offsets of this rank's.
  void find_segments(const SegmentOffsets::Counts& counts) {
    const int64_t all = offsets_.count() - 1;
    for (int r = 0; r <= session_.size(); ++r)
      segments_.offsets.push_back(
          r == session_.size() ? all : std::min(all, counts.below[static_cast<size_t>(r)]));
    std::vector<Interval> wanted;
    for (size_t r = 0; r < static_cast<size_t>(session_.size()); ++r) {
      const Interval own{segments_.offsets[r], segments_.offsets[r + 1]};
      wanted.push_back(own.size() > 0 ? Interval{own.lo, own.hi + 1} : Interval{own.lo, own.lo});
    }
    own_offsets_ = offsets_.fetch(wanted);
    const std::vector<Bytes> firsts = session_.gather_after([&] {
      const int64_t first = own_offsets_.empty() ? -1 : own_offsets_.front();
      return bytes_of({&first, 1});
    });
    owned_.offsets.assign(static_cast<size_t>(session_.size()) + 1, elements_[0]);
    for (size_t r = static_cast<size_t>(session_.size()); r-- > 0;) {
      const int64_t first = numbers_of(firsts[r])[0];
      owned_.offsets[r] = first >= 0 ? first : owned_.offsets[r + 1];
    }
  }

  void fetch_elements() {
    std::vector<Interval> wanted;
    for (size_t r = 0; r < static_cast<size_t>(session_.size()); ++r) {
      Interval own{owned_.offsets[r], owned_.offsets[r + 1]};
      if (is_scan() && own.size() > 0) own.lo -= own.lo % ir::scan_tile;
      wanted.push_back(own);
    }
    held_ = wanted[me()];
    std::vector<NodeRef> arrived;
    for (const Column& column : columns_) {
      const std::byte* own = column.local ? host_bytes(elements_of(column.local)) : nullptr;
      const NodeRef leaf = ir::make_leaf(
          column.input->type, line_of(held_.size()),
          fetch_intervals(session_, layout_, own, column.input->type, wanted), node_->where);
      arrived.push_back(leaf);
    }
    arrived_ = std::move(arrived);
  }

  // Returns the offsets relative to the first held element. Elements before the first segment form
  // a segment of their own.
  NodeRef local_offsets() const {
    std::vector<int64_t> local;
    if (own_offsets_.front() > held_.lo) local.push_back(0);
    for (int64_t offset : own_offsets_) local.push_back(offset - held_.lo);
    return offsets_leaf(local, offsets_.node()->type, node_->where);
  }

  BufferRef computed() const {
    if (own_offsets_.empty()) return runtime::allocate(0);
    std::vector<NodeRef> inputs = arrived_;
    inputs.push_back(local_offsets());
    NodeRef result;
    if (node_->kind == Kind::sort_permutation) {
      const bool descending = node_->get<ir::SortOrder>() == ir::SortOrder::descending;
      const NodeRef terms[] = {
          ir::make_cast(ir::make_sort_permutation(inputs[0], inputs[1], descending, node_->where),
                        node_->type, node_->where),
          ir::make_constant({node_->type, static_cast<uint64_t>(held_.lo)}, {}, node_->where)};
      result = ir::make_elementwise(Op::add, terms, node_->where);
    } else {
      const bool reduces = node_->kind == Kind::segmented_reduce;
      const Extents shape =
          line_of(reduces ? static_cast<int64_t>(own_offsets_.size()) - 1 : held_.size());
      result = clone(*node_, shape, inputs);
    }
    const Interval own = {owned_.offsets[me()], owned_.offsets[me() + 1]};
    if (is_scan() && !(own == held_)) {
      const Range range[] = {Range{own.lo - held_.lo, own.size()}};
      result = ir::make_section(result, range, node_->where);
    }
    if (result->shape.size() == 0) return runtime::allocate(0);
    engine::evaluate_here({&result, 1});
    return elements_of(result);
  }

  // Computes the node from all offsets if they do not fit the elements: every rank throws the error
  // of a single rank.
  void compute_whole() {
    std::vector<NodeRef> inputs;
    const auto all = [&](const NodeRef& input, const NodeRef& local, const Layout& layout) {
      const std::vector<Interval> wanted(static_cast<size_t>(session_.size()),
                                         {0, input->shape[0]});
      const std::byte* own = local ? host_bytes(elements_of(local)) : nullptr;
      inputs.push_back(ir::make_leaf(input->type, input->shape,
                                     fetch_intervals(session_, layout, own, input->type, wanted),
                                     input->where));
    };
    for (const Column& column : columns_) all(column.input, column.local, layout_);
    all(offsets_.node(), offsets_.local(), offsets_.layout());
    session_.together([&] {
      const NodeRef result = clone(*node_, node_->shape, inputs);
      engine::evaluate_here({&result, 1});
      publish(elements_of(result));
    });
  }

  Session& session_;
  SegmentOffsets offsets_;
  Extents elements_;
  Layout layout_;
  Box part_;
  std::vector<Column> columns_;
  Layout segments_, owned_;           // of segments and of their elements, by rank
  std::vector<int64_t> own_offsets_;  // of the segments of this rank, one more than there are
  Interval held_;                     // elements that are here
  std::vector<NodeRef> arrived_;
};

}  // namespace

std::unique_ptr<Job> make_segmented_job(const NodeRef& node, const PendingGraph& graph,
                                        Session& session) {
  return std::make_unique<SegmentedJob>(node, graph, session);
}

}  // namespace tutti::ranks
