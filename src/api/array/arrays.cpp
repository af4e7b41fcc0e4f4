// The functions behind Array: they build the node, and evaluate it if the pending graph has grown
// too large.
#include <cstring>

#include "api/array/bounded.hpp"
#include "api/vec/body_recorder.hpp"
#include "core/precision.hpp"
#include "engine/evaluate.hpp"
#include "engine/laziness.hpp"
#include "graph/build_primitives.hpp"
#include "graph/build_transform.hpp"
#include "graph/node.hpp"
#include "graph/relax.hpp"
#include "graph/section_reads.hpp"
#include "runtime/device.hpp"
#include "runtime/memory/buffer.hpp"
#include "runtime/memory/pool.hpp"
#include "tutti/detail/expression_kernel.hpp"
#include "tutti/detail/graph.hpp"
#include "tutti/runtime.hpp"

namespace tutti {
namespace detail {

void bound_pending(std::span<const NodeRef> nodes) {
  if (!capturing() && !BodyRecorder::current()) engine::keep_bounded(nodes);
}

namespace {

NodeRef bounded(NodeRef node) {
  bound_pending({&node, 1});
  return node;
}

void check_values(const Boundary& boundary, int component, const char* operation,
                  const Location& where) {
  if (boundary.kind() == Boundary::Kind::constant && boundary.values() != 1 &&
      component >= boundary.values())
    throw TypeError(std::string(operation) + ": the boundary constant has " +
                    std::to_string(boundary.values()) + " components, the array more" + at(where));
}

}  // namespace

NodeRef from_host(ElementType type, const Extents& shape, const void* data, size_t elements,
                  const Location& where) {
  const int64_t wanted = ir::checked_size(shape, type, "Array", where);
  if (static_cast<int64_t>(elements) != wanted)
    throw ShapeError("Array: " + std::to_string(elements) +
                     " elements of host data for the shape " + to_string(shape) + ", which has " +
                     std::to_string(wanted) + at(where));
  if (!data && elements > 0)
    throw Error("Array: the host data of the shape " + to_string(shape) + " is a null pointer" +
                at(where));
  const size_t bytes = elements * static_cast<size_t>(size_of(type));
  ir::BufferRef buffer = runtime::allocate(bytes);
  if (bytes > 0) std::memcpy(buffer->data(), data, bytes);
  return ir::make_leaf(type, shape, std::move(buffer), where);
}

NodeRef constant(ScalarValue value, const Extents& shape, const Location& where) {
  return ir::make_constant(value, shape, where);
}
NodeRef index(const Extents& shape, int axis, const Location& where, ElementType type) {
  return ir::make_index(shape, axis, where, type);
}
NodeRef elementwise(Op op, std::span<const NodeRef> inputs, const Location& where) {
  const Precision precision = precision_wanted();
  if (precision != Precision::exact) [[unlikely]]
    return bounded(ir::make_relaxed(op, precision, inputs, where));
  return bounded(ir::make_elementwise(op, inputs, where));
}
NodeRef cast(const NodeRef& input, ElementType type, const Location& where) {
  return bounded(ir::make_cast(input, type, where));
}

NodeRef shift(const NodeRef& input, std::span<const int64_t> by, const Boundary& boundary,
              int component, const Location& where) {
  check_values(boundary, component, "shift", where);
  return bounded(ir::make_shift(input, by, boundary.kind(), boundary.value(component), where));
}
NodeRef section(const NodeRef& input, std::span<const Range> ranges, const Location& where) {
  return bounded(ir::make_section(input, ranges, where));
}
NodeRef replicate(const NodeRef& input, const Extents& shape, const Location& where) {
  return bounded(ir::make_replicate(input, shape, where));
}
NodeRef expand(const NodeRef& input, std::span<const Margin> margins, const Boundary& boundary,
               int component, const char* name, const Location& where) {
  check_values(boundary, component, name, where);
  return bounded(
      ir::make_expand(input, margins, boundary.kind(), boundary.value(component), name, where));
}
NodeRef transpose(const NodeRef& input, std::span<const int64_t> axes, const Location& where) {
  return bounded(ir::make_transpose(input, axes, where));
}
NodeRef drop_dimension(const NodeRef& input, int axis, const Location& where) {
  return bounded(ir::make_drop_dimension(input, axis, where));
}
NodeRef add_dimension(const NodeRef& input, int axis, int64_t extent, const Location& where) {
  return bounded(ir::make_add_dimension(input, axis, extent, where));
}
NodeRef broadcast(const NodeRef& input, const Extents& shape, const Location& where) {
  return bounded(ir::make_broadcast(input, shape, where));
}
NodeRef reshape(const NodeRef& input, const Extents& shape, const Location& where) {
  return bounded(ir::make_reshape(input, shape, where));
}
NodeRef gather(const NodeRef& input, std::span<const NodeRef> indices, const Boundary& boundary,
               int component, const Location& where) {
  check_values(boundary, component, "gather", where);
  return bounded(
      ir::make_gather(input, indices, boundary.kind(), boundary.value(component), where));
}
NodeRef reduce(Reduction reduction, const NodeRef& input, std::span<const int> axes,
               const Location& where) {
  return bounded(ir::make_reduce(reduction, input, axes, where));
}
NodeRef inner_product(const NodeRef& a, const NodeRef& b, const Location& where) {
  return bounded(ir::make_inner_product(a, b, where));
}

#define TUTTI_BUILDER(id, parameters, arguments) \
  NodeRef id parameters { return bounded(ir::make_##id arguments); }
#include "tutti/detail/kinds.def"

namespace {

// Returns whether an assignment of these values seems to update a section in place: they are
// computed from one section of the array, which is in memory, and from elements outside of it.
// Requires the graph lock.
bool seems_update(const ir::Node& base, const ir::Node& values) {
  return (base.buffer || base.kind == ir::Kind::write_section) &&
         ir::reads_one_section(values, base) && !runtime::current_device().is_gpu();
}

}  // namespace

// A choice computes the values for all elements of the array, and a chain of many choices computes
// all of them for each element.
bool is_better_chosen(const NodeRef& base, const NodeRef& values, int64_t section_elements) {
  constexpr int64_t part = 8;          // a section is large from this fraction of the array on
  constexpr int most_choices = 4;      // the borders of an image
  constexpr int most_operations = 8;   // of the values
  if (!base || !values) return false;  // the builder rejects them
  const bool large = section_elements > base->shape.size() / part;
  if (!large && values->pending_operations > most_operations) return false;
  std::lock_guard lock(ir::graph_mutex());
  if (large) return !seems_update(*base, *values);
  const ir::Node* node = base.get();
  for (int choices = 0; choices < most_choices; ++choices) {
    if (node->buffer) return false;
    if (node->kind != ir::Kind::elementwise || node->op != Op::choose)
      return ir::computes_elements(node->kind);
    node = node->inputs()[2].get();
  }
  return false;
}

void evaluate(std::span<const NodeRef> nodes) { engine::evaluate_anew(nodes); }

void move_to(std::span<const NodeRef> nodes, const std::string& device) {
  runtime::Device& target = runtime::find_device(device);
  engine::evaluate_anew(nodes);
  for (const NodeRef& node : nodes) {
    ir::BufferRef buffer;
    {
      std::lock_guard lock(ir::graph_mutex());
      buffer = node->buffer;
    }
    target.address(*buffer);
  }
}

void copy_to_host(const NodeRef& node, void* destination) {
  runtime::array_of(*buffer_of(node)).copy_to(destination);
}

Explanation explain(std::span<const NodeRef> nodes) { return engine::explain(nodes); }

}  // namespace detail

void clear_kernel_cache() {
  engine::forget_plans();
  for (runtime::Device* device : runtime::all_devices()) device->forget_kernels();
}

}  // namespace tutti
