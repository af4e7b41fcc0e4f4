#include "ranks/segment_offsets.hpp"

#include "ranks/redistribute.hpp"
#include "runtime/memory/pool.hpp"

namespace tutti::ranks {
namespace {

std::vector<int64_t> widened(const std::byte* first, ElementType type, int64_t count) {
  std::vector<int64_t> result(static_cast<size_t>(count));
  for (size_t i = 0; i < result.size(); ++i) {
    if (type == ElementType::i64) {
      std::memcpy(&result[i], first + i * 8, 8);
    } else {
      int32_t narrow;
      std::memcpy(&narrow, first + i * 4, 4);
      result[i] = narrow;
    }
  }
  return result;
}

}  // namespace

SegmentOffsets::SegmentOffsets(const NodeRef& offsets, const PendingGraph& graph, Session& session)
    : session_(session), offsets_(offsets), layout_(layout_for(offsets->shape, graph, session)) {
  part_ = layout_.part(offsets->shape, session.rank());
}

void SegmentOffsets::build(const LocalGraph& graph, std::vector<NodeRef>& roots) {
  if (part_.size() == 0) return;
  local_ = graph.part(offsets_, part_);
  roots.push_back(local_);
}

// The message: whether they ascend, their number, the first, the last, then the counts.
Bytes SegmentOffsets::summary(std::span<const int64_t> bounds) const {
  std::vector<int64_t> numbers{1, part_.size(), 0, 0};
  std::vector<int64_t> own;
  if (local_) own = widened(host_bytes(elements_of(local_)), offsets_->type, part_.size());
  if (!own.empty()) numbers = {std::ranges::is_sorted(own), part_.size(), own.front(), own.back()};
  for (int64_t bound : bounds) {
    numbers.push_back(std::ranges::lower_bound(own, bound) - own.begin());
    numbers.push_back(std::ranges::upper_bound(own, bound) - own.begin());
  }
  return bytes_of(numbers);
}

SegmentOffsets::Counts SegmentOffsets::counts_of(const std::vector<Bytes>& summaries) {
  Counts counts;
  bool any = false;
  for (const Bytes& summary : summaries) {
    const std::vector<int64_t> numbers = numbers_of(summary);
    const size_t bounds = (numbers.size() - 4) / 2;
    counts.below.resize(bounds);
    counts.not_above.resize(bounds);
    for (size_t b = 0; b < bounds; ++b) {
      counts.below[b] += numbers[4 + 2 * b];
      counts.not_above[b] += numbers[5 + 2 * b];
    }
    if (numbers[1] == 0) continue;
    counts.ascend &= numbers[0] == 1 && (any ? numbers[2] >= counts.last : numbers[2] == 0);
    counts.last = numbers[3];
    any = true;
  }
  return counts;
}

std::vector<int64_t> SegmentOffsets::fetch(std::span<const Interval> wanted) const {
  const std::byte* own = local_ ? host_bytes(elements_of(local_)) : nullptr;
  const BufferRef arrived = fetch_intervals(session_, layout_, own, offsets_->type, wanted);
  const int64_t count = wanted[static_cast<size_t>(session_.rank())].size();
  return widened(count > 0 ? host_bytes(arrived) : nullptr, offsets_->type, count);
}

NodeRef offsets_leaf(std::span<const int64_t> offsets, ElementType type, const Location& where) {
  const auto count = static_cast<int64_t>(offsets.size());
  if (type == ElementType::i64)
    return host_leaf(type, line_of(count), std::as_bytes(offsets), where);
  const std::vector<int32_t> narrow(offsets.begin(), offsets.end());
  return host_leaf(type, line_of(count), std::as_bytes(std::span(narrow)), where);
}

}  // namespace tutti::ranks
