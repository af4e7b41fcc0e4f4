// Sorting by samples: every rank sorts its part, samples of all parts divide the keys into one
// range a rank, and each range is merged where it arrives. Equal keys keep the order of their
// positions, so the result is that of one stable sort, whatever the samples were.
#include <algorithm>

#include "core/convert.hpp"
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "numerics/sort_key.hpp"
#include "ranks/job.hpp"

namespace tutti::ranks {
namespace {

// More samples, more equal ranges: with 64 a rank the largest range is a few percent above the
// mean.
constexpr int64_t samples_of_a_rank = 64;

// A position in the order of all elements: by key, then rank, then position among those of the
// rank, which are sorted.
struct Splitter {
  uint64_t key;
  int64_t rank, position;
  auto operator<=>(const Splitter&) const = default;
};

uint64_t key_at(ElementType type, const std::byte* keys, int64_t i, bool descending) {
  uint64_t result = 0;
  visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    T key;
    std::memcpy(static_cast<void*>(&key), keys + static_cast<size_t>(i) * sizeof(T), sizeof(T));
    result = ir::sort_key(key, descending);
  });
  return result;
}

class SortJob final : public Job {
 public:
  SortJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session) {
    keys_ = node->inputs()[0];
    values_ = node->kind == ir::Kind::sort_values ? node->inputs()[1] : NodeRef();
    descending_ = node->get<ir::SortOrder>() == ir::SortOrder::descending;
    box_ = layout_for(node->shape, graph, session).part(node->shape, session.rank());
  }

  void want(LocalGraph& graph) override {
    graph.want(*keys_, box_);
    if (values_) graph.want(*values_, box_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (box_.size() == 0) return;
    const NodeRef keys = graph.part(keys_, box_);
    sorted_keys_ = ir::make_sort_values(keys, keys, {}, descending_, node_->where);
    roots.push_back(sorted_keys_);
    if (values_ == keys_) return;
    sorted_values_ = ir::make_sort_values(keys, values_of(graph), {}, descending_, node_->where);
    roots.push_back(sorted_values_);
  }

  void finish() override {
    const std::vector<Splitter> splitters = choose_splitters();
    const std::vector<int64_t> cuts = cut(splitters);
    const std::vector<Bytes> all_cuts =
        session_.transport().all_gather(std::as_bytes(std::span(cuts)));
    Layout layout;
    layout.offsets.assign(static_cast<size_t>(session_.size()) + 1, 0);
    std::vector<int64_t> counts;  // that this rank receives from each
    for (int to = 0; to < session_.size(); ++to)
      for (int from = 0; from < session_.size(); ++from) {
        const int64_t count = range_of(all_cuts[static_cast<size_t>(from)], to).size();
        layout.offsets[static_cast<size_t>(to) + 1] += count;
        if (to == session_.rank()) counts.push_back(count);
      }
    for (size_t r = 1; r < layout.offsets.size(); ++r) layout.offsets[r] += layout.offsets[r - 1];

    const NodeRef keys = redistribute(sorted_keys_, keys_->type, cuts, counts);
    const NodeRef values =
        values_ == keys_ ? keys : redistribute(sorted_values_, node_->type, cuts, counts);
    BufferRef part;
    session_.together([&] {
      const NodeRef merged = ir::make_sort_values(keys, values, {}, descending_, node_->where);
      engine::evaluate_here({&merged, 1});
      part = elements_of(merged);
    });
    publish_split(session_, layout, part, layout.part(node_->shape, session_.rank()));
  }

 private:
  // Positions for sort_permutation.
  NodeRef values_of(const LocalGraph& graph) const {
    if (values_) return graph.part(values_, box_);
    const NodeRef terms[] = {
        ir::make_cast(ir::make_index(box_.extents(), 0, node_->where), node_->type, node_->where),
        ir::make_constant({node_->type, static_cast<uint64_t>(box_[0].lo)}, {}, node_->where)};
    return ir::make_elementwise(Op::add, terms, node_->where);
  }

  const std::byte* keys_on_host() const {
    return sorted_keys_ ? host_bytes(elements_of(sorted_keys_)) : nullptr;
  }

  std::vector<Splitter> choose_splitters() {
    const std::byte* keys = keys_on_host();
    const int64_t count = box_.size();
    const int64_t wanted = std::min(count, samples_of_a_rank * session_.size());
    std::vector<Splitter> samples;
    for (int64_t i = 0; i < wanted; ++i) {
      const int64_t position = (2 * i + 1) * count / (2 * wanted);
      samples.push_back(
          {key_at(keys_->type, keys, position, descending_), session_.rank(), position});
    }
    std::vector<Splitter> all;
    for (const Bytes& part : session_.transport().all_gather(std::as_bytes(std::span(samples)))) {
      const size_t begin = all.size();
      all.resize(begin + part.size() / sizeof(Splitter));
      if (!part.empty()) std::memcpy(all.data() + begin, part.data(), part.size());
    }
    std::ranges::sort(all);
    std::vector<Splitter> splitters;
    for (int r = 1; r < session_.size(); ++r)
      splitters.push_back(
          all[all.size() * static_cast<size_t>(r) / static_cast<size_t>(session_.size())]);
    return splitters;
  }

  // Where the sorted part of this rank is cut: ranks + 1 positions.
  std::vector<int64_t> cut(const std::vector<Splitter>& splitters) const {
    const std::byte* keys = keys_on_host();
    std::vector<int64_t> cuts{0};
    for (const Splitter& splitter : splitters) {
      int64_t low = cuts.back(), high = box_.size();
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const Splitter element{key_at(keys_->type, keys, middle, descending_), session_.rank(),
                               middle};
        if (element < splitter)
          low = middle + 1;
        else
          high = middle;
      }
      cuts.push_back(low);
    }
    cuts.push_back(box_.size());
    return cuts;
  }

  static Interval range_of(const Bytes& cuts, int rank) {
    Interval range;
    std::memcpy(&range, cuts.data() + static_cast<size_t>(rank) * sizeof(int64_t), sizeof range);
    return range;
  }

  // Sends each rank its range; what arrives, in the order of the ranks that sent it.
  NodeRef redistribute(const NodeRef& sorted, ElementType type, const std::vector<int64_t>& cuts,
                       const std::vector<int64_t>& counts) {
    const auto each = static_cast<size_t>(size_of(type));
    int64_t total = 0;
    for (int64_t count : counts) total += count;
    Bytes arrived;
    session_.together([&] { arrived.resize(static_cast<size_t>(total) * each); });
    const std::byte* elements = sorted ? host_bytes(elements_of(sorted)) : nullptr;
    std::vector<Outgoing> out;
    std::vector<Incoming> in;
    size_t at = 0;
    for (int r = 0; r < session_.size(); ++r) {
      const auto i = static_cast<size_t>(r);
      const auto begin = static_cast<size_t>(cuts[i]), end = static_cast<size_t>(cuts[i + 1]);
      if (begin < end) out.push_back({r, {elements + begin * each, (end - begin) * each}});
      const size_t bytes = static_cast<size_t>(counts[i]) * each;
      if (bytes > 0) in.push_back({r, {arrived.data() + at, bytes}});
      at += bytes;
    }
    session_.transport().all_to_all(out, in);
    NodeRef result;
    session_.together([&] { result = host_leaf(type, line_of(total), arrived, node_->where); });
    return result;
  }

  Session& session_;
  NodeRef keys_, values_;
  bool descending_ = false;
  Box box_;
  NodeRef sorted_keys_, sorted_values_;
};

}  // namespace

std::unique_ptr<Job> make_sort_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session) {
  return std::make_unique<SortJob>(node, graph, session);
}

}  // namespace tutti::ranks
