// Offsets of segments that are split between ranks: each rank reads its part and says a few numbers
// of it, from which all ranks know whether the offsets are right and which segments belong to whom.
#pragma once
#include "ranks/job.hpp"

namespace tutti::ranks {

// The offsets of a job, from the wanted part to the offsets of the segments that a rank computes.
class SegmentOffsets {
 public:
  SegmentOffsets(const NodeRef& offsets, const PendingGraph& graph, Session& session);

  void want(LocalGraph& graph) const { graph.want(*offsets_, part_); }
  void build(const LocalGraph& graph, std::vector<NodeRef>& roots);

  // Numbers for the other ranks: how many offsets of this rank's part lie below each bound, and how
  // many do not lie above it. The bounds ascend.
  Bytes summary(std::span<const int64_t> bounds) const;

  // The same of all ranks together.
  struct Counts {
    bool ascend = true;              // from 0
    int64_t last = 0;                // offset
    std::vector<int64_t> below;      // offsets < bound
    std::vector<int64_t> not_above;  // offsets <= bound
  };
  static Counts counts_of(const std::vector<Bytes>& summaries);

  // Collective: offsets with numbers from an interval, which differs by rank.
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

// Offsets as a node of their type.
NodeRef offsets_leaf(std::span<const int64_t> offsets, ElementType type, const Location& where);

}  // namespace tutti::ranks
