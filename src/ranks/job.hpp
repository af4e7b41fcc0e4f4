// The distributed computation of one node, in four steps: say what is wanted of the inputs, make
// ordinary nodes for this rank's elements, share what came out, and put the shares of all ranks
// together. All jobs of a round take each step together: one exchange, one evaluation and one
// gathering serve them all.
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
  // What the other ranks must know, once those nodes are computed. It may compute more.
  virtual Bytes share() { return {}; }
  // Collective, with the shares of all ranks. Afterwards the node has its buffer, whole or split.
  virtual void finish(const std::vector<Bytes>& shares) = 0;

 protected:
  // Gives the node its elements.
  void publish(BufferRef buffer);
  void publish_split(Session& session, const Layout& layout, BufferRef part, const Box& room);
  const NodeRef node_;
};

// Which nodes are computed by a job of their own before others can use them; null: the node is
// computed where it is used.
std::unique_ptr<Job> job_for(const NodeRef& node, const PendingGraph& graph, Session& session);

// A result: every rank computes its part, or all of it where it is small.
std::unique_ptr<Job> make_result_job(const NodeRef& node, const PendingGraph& graph,
                                     Session& session);
// Every rank has whole lines of the axis that a recurrence runs along.
std::unique_ptr<Job> make_recurrence_job(const NodeRef& node, const PendingGraph& graph,
                                         Session& session);
// The same for a small result of large inputs: parts are computed, then gathered.
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

// The layout that results of a shape get: that of a split leaf of the same shape, which its
// elements then need not leave, else the usual one.
Layout layout_for(const Extents& shape, const PendingGraph& graph, const Session& session);

// The first axis that a reduction folds away and that has more than one element; -1: none.
int first_reduced_axis(const Node& reduce);

// What an evaluated node holds.
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
// Elements on the host as a node.
NodeRef host_leaf(ElementType type, const Extents& shape, std::span<const std::byte> bytes,
                  const Location& where);
Extents line_of(int64_t elements);
Box interval_box(const Interval& interval);

}  // namespace tutti::ranks
