// The distributed computation of one node, in four steps. They request boxes of the inputs, build
// ordinary nodes for this rank's elements, share the results, and combine the shares of all ranks.
// All jobs of a round take each step together: one exchange, one evaluation and one gathering serve
// them all.
#pragma once
#include <memory>

#include "ranks/local_graph.hpp"

namespace tutti::ranks {

class Job {
 public:
  explicit Job(const NodeRef& node) : node_(node) {}
  virtual ~Job() = default;
  virtual void want(LocalGraph& graph) = 0;
  // Adds the nodes that this rank computes.
  virtual void build(const LocalGraph& graph, std::vector<NodeRef>& roots) = 0;
  // Returns the message for the other ranks, after those nodes were computed. It may compute more.
  virtual Bytes share() { return {}; }
  // Gives the node its buffer, whole or split, from the shares of all ranks. Collective.
  virtual void finish(const std::vector<Bytes>& shares) = 0;

 protected:
  // Gives the node its elements.
  void publish(BufferRef buffer);
  void publish_split(Session& session, const Layout& layout, BufferRef part, const Box& room);
  const NodeRef node_;
};

// Returns the job that computes a node before others can use it. Returns null if the node is
// computed where it is used.
std::unique_ptr<Job> job_for(const NodeRef& node, const PendingGraph& graph, Session& session);

// Makes a job for a result: every rank computes its part, or all of it if it is small.
std::unique_ptr<Job> make_result_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session);
// Makes a job in which every rank has whole lines of an axis. There are several lines.
std::unique_ptr<Job> make_lines_job(const NodeRef& node, int along, const PendingGraph& graph,
                                    Session& session);
// Makes a job for a small result of large inputs: parts are computed, then gathered.
std::unique_ptr<Job> make_gathered_job(const NodeRef& node, const PendingGraph& graph,
                                       Session& session);
std::unique_ptr<Job> make_reduce_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session);
std::unique_ptr<Job> make_scan_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session);
std::unique_ptr<Job> make_sort_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session);
std::unique_ptr<Job> make_scatter_job(const NodeRef& node, const PendingGraph& graph,
                                      Session& session);
std::unique_ptr<Job> make_gather_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session);
std::unique_ptr<Job> make_segmented_job(const NodeRef& node, const PendingGraph& graph,
                                        Session& session);
std::unique_ptr<Job> make_offsets_job(const NodeRef& node, const PendingGraph& graph,
                                      Session& session);
std::unique_ptr<Job> make_top_k_job(const NodeRef& node, const PendingGraph& graph,
                                    Session& session);
std::unique_ptr<Job> make_search_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session);
std::unique_ptr<Job> make_pack_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session);

// Returns the layout for results of a shape: that of a split leaf of the same shape, so that
// elements stay on their rank, otherwise the usual one.
Layout layout_for(const Extents& shape, const PendingGraph& graph, const Session& session);

// Returns the first reduced axis with more than one element, or -1.
int first_reduced_axis(const Node& reduce);

// Returns the buffer of an evaluated node.
BufferRef elements_of(const NodeRef& node);
Bytes copy_of_elements(const NodeRef& node);
// Calls f with the bytes of an element, as a constant.
template <class F>
void with_size(ElementType type, F f) {
  switch (size_of(type)) {
    case 1:
      return f(std::integral_constant<size_t, 1>());
    case 2:
      return f(std::integral_constant<size_t, 2>());
    case 4:
      return f(std::integral_constant<size_t, 4>());
    default:
      return f(std::integral_constant<size_t, 8>());
  }
}
// Makes a node of elements on the host.
NodeRef host_leaf(ElementType type, const Extents& shape, std::span<const std::byte> bytes,
                  const Location& where);
Extents line_of(int64_t elements);
Box interval_box(const Interval& interval);

}  // namespace tutti::ranks
