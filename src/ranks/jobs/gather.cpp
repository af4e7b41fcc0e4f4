// Gathers from a table that is split. Every rank computes the indices of its part of the result and
// requests the elements from the ranks that hold them, which answer in the order of the requests. A
// small result is combined from the elements that each rank holds of it.
#include "ranks/by_owner.hpp"
#include "ranks/job.hpp"
#include "ranks/locate.hpp"
#include "ranks/redistribute.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {
namespace {

class TableJob : public Job {
 public:
  TableJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : Job(node), session_(session), table_(node->inputs()[0]) {
    layout_ = layout_for(table_->shape, graph, session);
    part_ = layout_.part(table_->shape, session.rank());
  }

  void want(LocalGraph& graph) override {
    graph.want(*table_, part_);
    for (const NodeRef& index : node_->inputs().subspan(1)) graph.want(*index, asked_);
  }

  void build(const LocalGraph& graph, std::vector<NodeRef>& roots) override {
    if (part_.size() > 0) {
      local_table_ = graph.part(table_, part_);
      roots.push_back(local_table_);
    }
    if (asked_.size() == 0) return;
    for (const NodeRef& index : node_->inputs().subspan(1))
      local_indices_.push_back(graph.part(index, asked_));
    roots.insert(roots.end(), local_indices_.begin(), local_indices_.end());
  }

 protected:
  Locator locator() const {
    return Locator(table_->shape, layout_, node_->map->boundary, local_indices_);
  }
  const std::byte* table_on_host() const {
    return local_table_ ? host_bytes(elements_of(local_table_)) : nullptr;
  }
  size_t each() const { return static_cast<size_t>(size_of(node_->type)); }
  void fill(std::byte* target, int64_t count) const {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(target + static_cast<size_t>(i) * each(), &node_->map->fill.bits, each());
  }

  Session& session_;
  const NodeRef table_;
  Layout layout_;  // of the table
  Box part_, asked_;
  NodeRef local_table_;
  std::vector<NodeRef> local_indices_;
};

class LargeGatherJob final : public TableJob {
 public:
  LargeGatherJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : TableJob(node, graph, session) {
    result_layout_ = layout_for(node->shape, graph, session);
    asked_ = result_layout_.part(node->shape, session.rank());
  }

  // Returns the number of elements that this rank requests of each.
  Bytes share() override {
    const int64_t count = asked_.size();
    std::vector<int64_t> positions(static_cast<size_t>(count));
    std::optional<Locator> locate;
    if (count > 0) locate.emplace(locator());
    const ByOwner order(count, session_.size(), [&](int64_t i) {
      const Locator::Place place = (*locate)(i);
      positions[static_cast<size_t>(i)] = place.position;
      return place.owner;
    });
    begins_ = order.begins();
    asked_positions_.resize(static_cast<size_t>(order.count()));
    origins_.resize(static_cast<size_t>(order.count()));
    order.place([&](int64_t i, int64_t slot) {
      asked_positions_[static_cast<size_t>(slot)] = positions[static_cast<size_t>(i)];
      origins_[static_cast<size_t>(slot)] = i;
    });
    return bytes_of(begins_);
  }

  void finish(const std::vector<Bytes>& shares) override {
    const std::vector<int64_t> requested = arriving_counts(session_, shares);
    std::vector<int64_t> requests, answer_begins{0}, expected;
    Bytes answers, arrived;
    BufferRef result;
    session_.together([&] {
      requests.resize(static_cast<size_t>(total_of(requested)));
      answers.resize(requests.size() * each());
      arrived.resize(asked_positions_.size() * each());
      result = runtime::allocate(static_cast<size_t>(asked_.size()) * each());
    });
    for (size_t r = 0; r < requested.size(); ++r) {
      answer_begins.push_back(answer_begins.back() + requested[r]);
      expected.push_back(begins_[r + 1] - begins_[r]);
    }
    const auto* asked = reinterpret_cast<const std::byte*>(asked_positions_.data());
    redistribute(session_, {asked, sizeof(int64_t), begins_}, requested,
                 reinterpret_cast<std::byte*>(requests.data()));
    look_up(requests, answers);
    redistribute(session_, {answers.data(), each(), answer_begins}, expected, arrived.data());
    if (asked_.size() > 0) put_in_order(arrived, writable_host_bytes(result));
    publish_split(session_, result_layout_, result, asked_);
  }

 private:
  static constexpr int64_t chunk = 1 << 16;

  template <class F>
  static void in_chunks(size_t items, F f) {
    const auto count = static_cast<int64_t>(items);
    runtime::parallel_for((count + chunk - 1) / chunk, [&](int64_t c) {
      for (int64_t i = c * chunk; i < std::min(count, (c + 1) * chunk); ++i)
        f(static_cast<size_t>(i));
    });
  }

  void look_up(const std::vector<int64_t>& positions, Bytes& answers) const {
    const std::byte* table = table_on_host();
    with_size(node_->type, [&](auto bytes) {
      in_chunks(positions.size(), [&](size_t i) {
        std::memcpy(answers.data() + i * bytes, table + static_cast<size_t>(positions[i]) * bytes,
                    bytes);
      });
    });
  }

  void put_in_order(const Bytes& arrived, std::byte* result) const {
    if (static_cast<int64_t>(origins_.size()) < asked_.size()) fill(result, asked_.size());
    with_size(node_->type, [&](auto bytes) {
      in_chunks(origins_.size(), [&](size_t slot) {
        std::memcpy(result + static_cast<size_t>(origins_[slot]) * bytes,
                    arrived.data() + slot * bytes, bytes);
      });
    });
  }

  Layout result_layout_;
  std::vector<int64_t> asked_positions_, origins_;  // by slot: grouped by owner
  std::vector<int64_t> begins_;
};

class SmallGatherJob final : public TableJob {
 public:
  SmallGatherJob(const NodeRef& node, const PendingGraph& graph, Session& session)
      : TableJob(node, graph, session) {
    asked_ = whole(node->shape);
  }

  // Returns the elements that this rank holds: their number, their positions in the result, bytes.
  Bytes share() override {
    const Locator locate = locator();
    std::vector<int64_t> found{0};
    Bytes elements;
    for (int64_t i = 0; i < asked_.size(); ++i) {
      const Locator::Place place = locate(i);
      if (place.owner != session_.rank()) continue;
      found.push_back(i);
      const std::byte* element = table_on_host() + static_cast<size_t>(place.position) * each();
      elements.insert(elements.end(), element, element + each());
    }
    found[0] = static_cast<int64_t>(found.size()) - 1;
    Bytes message = bytes_of(found);
    message.insert(message.end(), elements.begin(), elements.end());
    return message;
  }

  void finish(const std::vector<Bytes>& shares) override {
    session_.alone([&] {
      Bytes result(static_cast<size_t>(asked_.size()) * each());
      fill(result.data(), asked_.size());
      for (const Bytes& share : shares) {
        int64_t count = 0;
        std::memcpy(&count, share.data(), sizeof count);
        const std::byte* positions = share.data() + sizeof count;
        const std::byte* elements = positions + static_cast<size_t>(count) * sizeof count;
        for (size_t k = 0; k < static_cast<size_t>(count); ++k) {
          int64_t position = 0;
          std::memcpy(&position, positions + k * sizeof position, sizeof position);
          std::memcpy(result.data() + static_cast<size_t>(position) * each(), elements + k * each(),
                      each());
        }
      }
      publish(elements_of(host_leaf(node_->type, node_->shape, result, node_->where)));
    });
  }
};

}  // namespace

std::unique_ptr<Job> make_gather_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session) {
  if (node->shape.size() < split_from())
    return std::make_unique<SmallGatherJob>(node, graph, session);
  return std::make_unique<LargeGatherJob>(node, graph, session);
}

}  // namespace tutti::ranks
