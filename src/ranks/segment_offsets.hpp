// Offsets of segments that are split between ranks. Each rank reads its part and shares a summary.
// From the summaries all ranks derive whether the offsets are valid, and the owner of a segment.
#pragma once
#include "ranks/job.hpp"

namespace tutti::ranks {

// The offsets of a job: reads this rank's part, then fetches those of the segments it computes.
class SegmentOffsets {
 public:
  SegmentOffsets(const NodeRef& offsets, const PendingGraph& graph, Session& session);

  void want(LocalGraph& graph) const { graph.want(*offsets_, part_); }
  void build(const LocalGraph& graph, std::vector<NodeRef>& roots);

  // Returns the summary for the other ranks: the numbers of offsets of this rank's part that are
  // below each bound, and not above it. The bounds ascend.
  Bytes summary(std::span<const int64_t> bounds) const;

  // The summaries of all ranks together.
  struct Counts {
    bool ascend = true;              // from 0
    int64_t last = 0;                // offset
    std::vector<int64_t> below;      // offsets < bound
    std::vector<int64_t> not_above;  // offsets <= bound
  };
  static Counts counts_of(const std::vector<Bytes>& summaries);

  // Returns the offsets with indices from an interval, which differs by rank. Collective.
  std::vector<int64_t> fetch(std::span<const Interval> wanted) const;

  const NodeRef& node() const { return offsets_; }
  int64_t count() const { return offsets_->shape[0]; }
  const Layout& layout() const { return layout_; }
  const Box& part() const { return part_; }
  const NodeRef& local() const { return local_; }

 private:
  Session& session_;
  const NodeRef offsets_;
  Layout layout_;
  Box part_;
  NodeRef local_;
};

// Makes a node of offsets.
NodeRef offsets_leaf(std::span<const int64_t> offsets, ElementType type, const Location& where);

}  // namespace tutti::ranks
