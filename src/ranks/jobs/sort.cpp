// Sample sort: samples of all parts divide the keys into one range for each rank. Every rank sends
// each element to the rank of its range, and sorts the elements that arrive. They arrive in the
// order of their positions, and sorts are stable. So the result does not depend on the samples.
#include <algorithm>

#include "core/elements/convert.hpp"
#include "engine/evaluate.hpp"
#include "graph/build_primitives.hpp"
#include "numerics/sort_key.hpp"
#include "ranks/by_owner.hpp"
#include "ranks/job.hpp"
#include "ranks/redistribute.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::ranks {
namespace {

// The samples of all ranks, with bounds for each rank. Ranges differ by a few percent in length.
constexpr int64_t samples_of_all = 1 << 16, least_samples = 256, most_samples = 4096;

// A position in the order of all elements: by key, then by index.
struct Splitter {
  uint64_t key;
  int64_t position;
  auto operator<=>(const Splitter&) const = default;
};

// Returns a position that is independent of patterns in the elements.
int64_t sampled_position(int64_t sample, int64_t samples, int64_t count) {
  uint64_t mixed = static_cast<uint64_t>(sample) * 0x9E3779B97F4A7C15u;
  mixed ^= mixed >> 29;
  const int64_t begin = sample * count / samples, end = (sample + 1) * count / samples;
  return begin +
         static_cast<int64_t>(mixed % static_cast<uint64_t>(std::max<int64_t>(1, end - begin)));
}

// Calls f(splitter_of), where splitter_of returns the position in the order of an element.
template <class F>
auto with_keys(ElementType type, const std::byte* keys, int64_t first, bool descending, F f) {
  visit_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    f([=](int64_t i) {
      T key;
      std::memcpy(static_cast<void*>(&key), keys + static_cast<size_t>(i) * sizeof(T), sizeof(T));
      return Splitter{ir::sort_key(key, descending), first + i};
    });
  });
}

// Returns the number of the range that contains an element. Few splitters are compared one by one:
// the branches of a binary search are slower.
int range_of(const std::vector<Splitter>& splitters, const Splitter& element) {
  constexpr size_t few = 16;
  if (splitters.size() > few)
    return static_cast<int>(std::ranges::upper_bound(splitters, element) - splitters.begin());
  int range = 0;
  for (const Splitter& splitter : splitters)
    range +=
        static_cast<int>((element.key > splitter.key) |
                         ((element.key == splitter.key) & (element.position >= splitter.position)));
  return range;
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
    local_keys_ = graph.part(keys_, box_);
    roots.push_back(local_keys_);
    if (values_ == keys_) return;
    local_values_ = values_ ? graph.part(values_, box_) : positions();
    roots.push_back(local_values_);
  }

  Bytes share() override {
    const int64_t count = box_.size();
    const int64_t wanted =
        std::min(count, std::clamp(samples_of_all / session_.size(), least_samples, most_samples));
    std::vector<Splitter> samples;
    with_keys(keys_->type, on_host(local_keys_), box_[0].lo, descending_, [&](auto place_of) {
      for (int64_t i = 0; i < wanted; ++i)
        samples.push_back(place_of(sampled_position(i, wanted, count)));
    });
    const auto bytes = std::as_bytes(std::span(samples));
    return Bytes(bytes.begin(), bytes.end());
  }

  void finish(const std::vector<Bytes>& shares) override {
    const std::vector<Splitter> splitters = splitters_of(shares);
    const std::vector<Bytes> begins =
        session_.gather_after([&] { return group_by_range(splitters); });
    Layout layout;
    layout.offsets.assign(static_cast<size_t>(session_.size()) + 1, 0);
    for (const Bytes& of_rank : begins) {
      const std::vector<int64_t> numbers = numbers_of(of_rank);
      for (size_t r = 0; r < numbers.size(); ++r) layout.offsets[r] += numbers[r];
    }
    const std::vector<int64_t> arriving = arriving_counts(session_, begins);
    BufferRef keys, values, part;
    session_.together([&] {
      keys = room_for(arriving, keys_->type);
      if (values_ != keys_) values = room_for(arriving, node_->type);
    });
    receive(grouped_keys_, keys_->type, arriving, keys);
    if (values_ != keys_) receive(grouped_values_, node_->type, arriving, values);
    session_.together([&] { part = sorted(keys, values, total_of(arriving)); });
    publish_split(session_, layout, part, layout.part(node_->shape, session_.rank()));
  }

 private:
  // Returns the indices of this rank's elements, for sort_permutation.
  NodeRef positions() const {
    const NodeRef terms[] = {
        ir::make_index(box_.extents(), 0, node_->where, node_->type),
        ir::make_constant({node_->type, static_cast<uint64_t>(box_[0].lo)}, {}, node_->where)};
    return ir::make_elementwise(Op::add, terms, node_->where);
  }

  static const std::byte* on_host(const NodeRef& node) {
    return node ? host_bytes(elements_of(node)) : nullptr;
  }

  std::vector<Splitter> splitters_of(const std::vector<Bytes>& shares) const {
    std::vector<Splitter> all;
    for (const Bytes& share : shares) {
      const size_t begin = all.size();
      all.resize(begin + share.size() / sizeof(Splitter));
      if (!share.empty()) std::memcpy(all.data() + begin, share.data(), share.size());
    }
    std::ranges::sort(all);
    std::vector<Splitter> splitters;
    const auto ranks = static_cast<size_t>(session_.size());
    for (size_t r = 1; r < ranks; ++r) splitters.push_back(all[all.size() * r / ranks]);
    return splitters;
  }

  // Returns the offsets of the elements for each rank among those that this rank sends.
  Bytes group_by_range(const std::vector<Splitter>& splitters) {
    std::vector<int64_t> begins(static_cast<size_t>(session_.size()) + 1);
    if (box_.size() > 0)
      with_keys(keys_->type, on_host(local_keys_), box_[0].lo, descending_, [&](auto place_of) {
        const ByOwner order(box_.size(), session_.size(),
                            [&](int64_t i) { return range_of(splitters, place_of(i)); });
        begins = order.begins();
        grouped_keys_ = grouped(order, local_keys_);
        if (local_values_) grouped_values_ = grouped(order, local_values_);
      });
    begins_ = begins;
    return bytes_of(begins);
  }

  static Bytes grouped(const ByOwner& order, const NodeRef& elements) {
    const std::byte* from = on_host(elements);
    Bytes result(static_cast<size_t>(order.count() * size_of(elements->type)));
    with_size(elements->type, [&](auto each) {
      order.place([&](int64_t i, int64_t slot) {
        std::memcpy(result.data() + static_cast<size_t>(slot) * each,
                    from + static_cast<size_t>(i) * each, each);
      });
    });
    return result;
  }

  static BufferRef room_for(const std::vector<int64_t>& arriving, ElementType type) {
    return runtime::allocate(static_cast<size_t>(total_of(arriving) * size_of(type)));
  }

  void receive(const Bytes& grouped, ElementType type, const std::vector<int64_t>& arriving,
               const BufferRef& target) {
    redistribute(session_, {grouped.data(), static_cast<size_t>(size_of(type)), begins_}, arriving,
                 writable_host_bytes(target));
  }

  BufferRef sorted(const BufferRef& keys, const BufferRef& values, int64_t count) const {
    const NodeRef key_leaf = ir::make_leaf(keys_->type, line_of(count), keys, node_->where);
    const NodeRef value_leaf =
        values ? ir::make_leaf(node_->type, line_of(count), values, node_->where) : key_leaf;
    const NodeRef result =
        ir::make_sort_values(key_leaf, value_leaf, {}, descending_, node_->where);
    engine::evaluate_here({&result, 1});
    return elements_of(result);
  }

  Session& session_;
  NodeRef keys_, values_;
  bool descending_ = false;
  Box box_;
  NodeRef local_keys_, local_values_;
  Bytes grouped_keys_, grouped_values_;
  std::vector<int64_t> begins_;  // of what this rank sends to each
};

}  // namespace

std::unique_ptr<Job> make_sort_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session) {
  return std::make_unique<SortJob>(node, graph, session);
}

}  // namespace tutti::ranks
