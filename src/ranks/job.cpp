#include "ranks/job.hpp"

#include "runtime/memory/pool.hpp"
#include "tutti/ranks.hpp"

namespace tutti::ranks {

using ir::Kind;

void Job::publish(BufferRef buffer) {
  std::vector<NodeRef> dropped;  // destroyed after the lock is gone
  std::lock_guard lock(ir::graph_mutex());
  if (!node_->buffer) ir::publish(*node_, std::move(buffer), dropped);
}

void Job::publish_split(Session& session, const Layout& layout, BufferRef part, const Box& room) {
  publish(buffer_of(std::make_shared<SplitArray>(session, node_->type, node_->shape, layout,
                                                 std::move(part), room, node_->where)));
}

Layout layout_for(const Extents& shape, const PendingGraph& graph, const Session& session) {
  for (const NodeRef& node : graph.order())
    if (const auto& array = graph.array_of(*node); array && array->shape == shape)
      return array->layout;
  return usual_layout(shape, session.size());
}

int first_reduced_axis(const Node& reduce) {
  const Extents& from = reduce.inputs()[0]->shape;
  for (int i = 0; i < from.rank; ++i)
    if (reduce.get<ir::ReducedAxes>().has(i) && from[i] > 1) return i;
  return -1;
}

namespace {

// Makes the job of a reduction. The split axis decides whether ranks divide results or elements.
std::unique_ptr<Job> reduction_job(const NodeRef& node, const PendingGraph& graph,
                                   Session& session) {
  const Extents& from = node->inputs()[0]->shape;
  if (from.size() < split_from() || from.rank == 0 || node->shape.size() == 0) return nullptr;
  const int axis = layout_for(from, graph, session).axis;
  if (node->get<ir::ReducedAxes>().has(axis)) {
    if (first_reduced_axis(*node) >= 0) return make_reduce_job(node, graph, session);
    return nullptr;
  }
  return node->shape.size() < split_from() ? make_gathered_job(node, graph, session) : nullptr;
}

bool is_large(const Node& node) { return node.shape.rank > 0 && node.shape.size() >= split_from(); }
bool is_large_vector(const Node& node) { return node.shape.rank == 1 && is_large(node); }

// Returns the offsets of segments, if the node has them.
const NodeRef* offsets_of(const Node& node) {
  const int place = ir::info_of(node.kind).offsets;
  const auto inputs = node.inputs();
  return place >= 0 && static_cast<size_t>(place) + 1 == inputs.size() ? &inputs.back() : nullptr;
}

// Decides whether ranks request single elements of a table. It pays off if the table is larger than
// the requested part. Otherwise every rank gets all of it.
bool asks_for_elements(const Node& node, const PendingGraph& graph, const Session& session) {
  const Node& table = *node.inputs()[0];
  return graph.is_split(table) && is_large(table) && node.shape.size() > 0 &&
         table.shape.size() > node.shape.size() / session.size();
}

std::unique_ptr<Job> vector_job(const NodeRef& node, const PendingGraph& graph, Session& session) {
  const auto inputs = node->inputs();
  const NodeRef* const offsets = offsets_of(*node);
  if (node->shape.size() == 0) return nullptr;
  switch (node->kind) {
    case Kind::element_segments:
      return is_large(*node) ? make_offsets_job(node, graph, session) : nullptr;
    case Kind::checked_offsets:
      return graph.is_split(*node) && (is_large(*inputs[0]) || is_large(*inputs[1]))
                 ? make_offsets_job(node, graph, session)
                 : nullptr;
    case Kind::segmented_reduce:
      return is_large(*inputs[0]) || is_large(**offsets) ? make_segmented_job(node, graph, session)
                                                         : nullptr;
    case Kind::scan:
      if (!is_large_vector(*inputs[0])) return nullptr;
      return offsets ? make_segmented_job(node, graph, session)
                     : make_scan_job(node, graph, session);
    case Kind::sort_permutation:
    case Kind::sort_values:
      if (!is_large_vector(*inputs[0])) return nullptr;
      return offsets ? make_segmented_job(node, graph, session)
                     : make_sort_job(node, graph, session);
    case Kind::scatter:
      return is_large(*inputs[0]) || is_large(*inputs[1]) ? make_scatter_job(node, graph, session)
                                                          : nullptr;
    case Kind::pack:
      return is_large_vector(*inputs[1]) && node->get<ir::PackSize>() == ir::PackSize::known
                 ? make_pack_job(node, graph, session)
                 : nullptr;
    case Kind::top_k:
      return is_large_vector(*inputs[0]) ? make_top_k_job(node, graph, session) : nullptr;
    case Kind::search_sorted:
      return asks_for_elements(*node, graph, session) && !is_large(*node)
                 ? make_search_job(node, graph, session)
                 : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

std::unique_ptr<Job> job_for(const NodeRef& node, const PendingGraph& graph, Session& session) {
  if (node->buffer) return nullptr;
  const auto inputs = node->inputs();
  switch (node->kind) {
    case Kind::reduce:
      return reduction_job(node, graph, session);
    case Kind::inner_product:
      if (is_large(*inputs[0]) && inputs[0]->shape.rank > 1 && node->shape.size() > 0 &&
          !is_large(*node))
        return make_gathered_job(node, graph, session);
      return nullptr;
    case Kind::gather:
      return asks_for_elements(*node, graph, session) ? make_gather_job(node, graph, session)
                                                      : nullptr;
    case Kind::recurrence:
      return is_large(*node)
                 ? make_lines_job(node, node->get<ir::RecurrenceStep>().axis, graph, session)
                 : nullptr;
    case Kind::fourier_lines:  // one line is computed by every rank that needs some of it
      return is_large(*node) && node->shape.size() > node->shape[node->get<ir::FourierLines>().axis]
                 ? make_lines_job(node, node->get<ir::FourierLines>().axis, graph, session)
                 : nullptr;
    default:
      return vector_job(node, graph, session);
  }
}

BufferRef elements_of(const NodeRef& node) {
  std::lock_guard lock(ir::graph_mutex());
  return node->buffer;
}

Bytes copy_of_elements(const NodeRef& node) {
  const BufferRef buffer = elements_of(node);
  const std::byte* first = host_bytes(buffer);
  const auto bytes = static_cast<size_t>(node->shape.size() * size_of(node->type));
  return Bytes(first, first + bytes);
}

NodeRef host_leaf(ElementType type, const Extents& shape, std::span<const std::byte> bytes,
                  const Location& where) {
  BufferRef buffer = runtime::allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(buffer->data(), bytes.data(), bytes.size());
  return ir::make_leaf(type, shape, std::move(buffer), where);
}

Extents line_of(int64_t elements) {
  Extents line;
  line.push_back(elements);
  return line;
}

Box interval_box(const Interval& interval) {
  Box box;
  box.rank = 1;
  box[0] = interval;
  return box;
}

}  // namespace tutti::ranks
