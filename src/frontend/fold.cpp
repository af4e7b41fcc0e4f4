// Reductions with an operator of the user's. Groups of neighbouring elements along an axis are
// combined in order, each group by one kernel; the results of the groups in the same way, until one
// is left. Everything is ordinary nodes: the same bits on every device.
#include <algorithm>

#include "frontend/program_data.hpp"
#include "tutti/fold.hpp"

namespace tutti::detail {
namespace {

// Elements of a group: many mean few kernels, but the kernel of a group holds the operator for
// each.
constexpr int64_t largest_group = 32;
constexpr int64_t operations_of_group = 600;  // within the limits of a kernel, see passes/cost.hpp

// Element `offset` of every group along an axis; the last group may lack some, then the last
// element of the array stands for them.
NodeRef of_groups(const NodeRef& input, int axis, int64_t groups, int64_t stride, int64_t offset) {
  ir::AffineMap map;
  map.name = "group";
  Extents shape = input->shape;
  for (int i = 0; i < shape.rank; ++i) map.axes[static_cast<size_t>(i)] = {i, 1, 0};
  shape[axis] = groups;
  map.axes[static_cast<size_t>(axis)] = {axis, stride, offset};
  return ir::make_affine(input, shape, map, input->where);
}

// Whether element `offset` of each group is there.
NodeRef is_there(const Extents& shape, int axis, int64_t size, int64_t offset, int64_t extent,
                 const Location& where) {
  const int64_t whole_groups = (extent - 1 - offset) / size + 1;  // that have it
  const NodeRef inputs[] = {
      ir::make_index(shape, axis, where),
      ir::make_constant(scalar_value(static_cast<int32_t>(whole_groups)), {}, where)};
  return ir::make_elementwise(Op::less, inputs, where);
}

// One kernel: groups along the axis become single elements.
std::vector<NodeRef> combine_groups(const ir::Function& combiner,
                                    const std::vector<NodeRef>& components, int axis, int64_t size,
                                    const Location& where) {
  const int64_t extent = components[0]->shape[axis], groups = (extent + size - 1) / size;
  std::vector<NodeRef> total;
  for (const NodeRef& component : components)
    total.push_back(of_groups(component, axis, groups, size, 0));
  for (int64_t k = 1; k < size; ++k) {
    std::vector<NodeRef> arguments = total;
    for (const NodeRef& component : components)
      arguments.push_back(of_groups(component, axis, groups, size, k));
    std::vector<NodeRef> next = inline_function(combiner, arguments, where);
    if ((groups - 1) * size + k >= extent) {
      const NodeRef there = is_there(total[0]->shape, axis, size, k, extent, where);
      for (size_t c = 0; c < next.size(); ++c) {
        const NodeRef inputs[] = {there, next[c], total[c]};
        next[c] = ir::make_elementwise(Op::choose, inputs, where);
      }
    }
    total = std::move(next);
  }
  return total;
}

// A kernel ends here: what comes next reads results, it does not compute them again.
NodeRef finished(const NodeRef& node, const Location& where) {
  Extents shape = node->shape;
  if (shape.rank == max_rank) return node;
  shape.push_back(1);
  const NodeRef stored = ir::make_reshape(node, shape, where);
  return ir::make_reshape(stored, node->shape, where);
}

NodeRef without_axis(const NodeRef& node, int axis, const Location& where) {
  ir::AffineMap map;
  map.name = "drop_dimension";
  Extents shape;
  for (int i = 0; i < node->shape.rank; ++i) {
    if (i == axis) {
      map.axes[static_cast<size_t>(i)] = {-1, 0, 0};
      continue;
    }
    map.axes[static_cast<size_t>(i)] = {shape.rank, 1, 0};
    shape.push_back(node->shape[i]);
  }
  return ir::make_affine(node, shape, map, where);
}

}  // namespace

std::vector<NodeRef> reduce_with(const ProgramHandle& handle, std::vector<NodeRef> components,
                                 std::span<const int> axes, const Location& where) {
  std::vector<ElementType> types;
  for (const NodeRef& component : components) types.push_back(component->type);
  const ir::Function combiner = function_of(handle);
  ir::require_operator(combiner, types, "reduce", where);
  const Extents shape = components[0]->shape;
  const int64_t price = 1 + ir::count_operations(combiner);
  const int64_t most = std::clamp<int64_t>(operations_of_group / price, 2, largest_group);
  std::vector<int> order(axes.begin(), axes.end());
  std::sort(order.begin(), order.end(), std::greater<>());  // row-major order: the last axis first
  for (int axis : order) {
    if (axis < 0 || axis >= shape.rank)
      throw ShapeError("reduce: axis " + std::to_string(axis) + " of the shape " +
                       to_string(shape) + at(where));
    if (shape[axis] == 0 && shape.size() == 0)
      throw ShapeError("reduce: the shape " + to_string(shape) +
                       " has no elements to combine; there is no result" + at(where));
    while (components[0]->shape[axis] > 1) {
      const int64_t size = std::min(most, components[0]->shape[axis]);
      components = combine_groups(combiner, components, axis, size, where);
      if (components[0]->shape[axis] > 1)
        for (NodeRef& component : components) component = finished(component, where);
    }
    for (NodeRef& component : components) component = without_axis(component, axis, where);
  }
  return components;
}

}  // namespace tutti::detail
