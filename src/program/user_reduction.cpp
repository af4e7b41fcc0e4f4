// Reductions along axes. One kernel combines groups of consecutive elements, with a copy of the
// operator for each; the next kernel combines the results of the groups.
#include "program/user_reduction.hpp"

#include <algorithm>

namespace tutti::ir {
namespace {

// Elements of a group: larger groups need fewer kernels, but a kernel has a copy of the operator
// for each element of a group.
constexpr int64_t largest_group = 32;
// Within the limits of a kernel, see compiler/cost_constants.hpp.
constexpr int64_t operations_of_group = 600;
// In a scan every element of a group is computed from the start of the group, on a GPU by each
// thread separately. (10^7 pairs of floats, a linear recurrence, on an H200: 1.7 ms in groups of
// 32.)
constexpr int64_t largest_scan_group = 8;

// Returns element `offset` of every group along an axis. The last group may be incomplete; then the
// last element of the array replaces the missing ones.
NodeRef of_groups(const NodeRef& input, int axis, int64_t groups, int64_t stride, int64_t offset) {
  AffineMap map;
  map.name = "group";
  Extents shape = input->shape;
  for (int i = 0; i < shape.rank; ++i) map.axes[static_cast<size_t>(i)] = {i, 1, 0};
  shape[axis] = groups;
  map.axes[static_cast<size_t>(axis)] = {axis, stride, offset};
  return make_affine(input, shape, map, input->where);
}

// Returns whether element `offset` of each group exists.
NodeRef is_there(const Extents& shape, int axis, int64_t size, int64_t offset, int64_t extent,
                 const Location& where) {
  const int64_t whole_groups = (extent - 1 - offset) / size + 1;  // number of groups that have it
  const NodeRef inputs[] = {
      make_index(shape, axis, where),
      make_constant(scalar_value(static_cast<int32_t>(whole_groups)), {}, where)};
  return make_elementwise(Op::less, inputs, where);
}

// Combines groups along the axis to single elements, in one kernel.
Components combine_groups(const Function& combiner, const Components& components, int axis,
                          int64_t size, const Location& where) {
  const int64_t extent = components[0]->shape[axis], groups = (extent + size - 1) / size;
  Components total;
  for (const NodeRef& component : components)
    total.push_back(of_groups(component, axis, groups, size, 0));
  for (int64_t k = 1; k < size; ++k) {
    Components arguments = total;
    for (const NodeRef& component : components)
      arguments.push_back(of_groups(component, axis, groups, size, k));
    Components next = inline_function(combiner, arguments, where);
    if ((groups - 1) * size + k >= extent) {
      const NodeRef there = is_there(total[0]->shape, axis, size, k, extent, where);
      for (size_t c = 0; c < next.size(); ++c) {
        const NodeRef inputs[] = {there, next[c], total[c]};
        next[c] = make_elementwise(Op::choose, inputs, where);
      }
    }
    total = std::move(next);
  }
  return total;
}

// Ends the kernel here, so that later ones read these results instead of recomputing them.
NodeRef finished(const NodeRef& node, const Location& where) {
  Extents shape = node->shape;
  if (shape.rank == max_rank) return node;
  shape.push_back(1);
  const NodeRef stored = make_reshape(node, shape, where);
  return make_reshape(stored, node->shape, where);
}

NodeRef without_axis(const NodeRef& node, int axis, const Location& where) {
  AffineMap map;
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
  return make_affine(node, shape, map, where);
}

// Splits the last axis in two: groups, and indices in them. The last group is padded with copies of
// the last element, which are not read.
NodeRef in_groups(const NodeRef& input, int64_t groups, int64_t size, const Location& where) {
  AffineMap map;
  map.name = "group";
  Extents shape = input->shape;
  for (int i = 0; i < shape.rank; ++i) map.axes[static_cast<size_t>(i)] = {i, 1, 0};
  shape[shape.rank - 1] = groups * size;
  const NodeRef whole = make_affine(input, shape, map, where);
  shape[shape.rank - 1] = groups;
  shape.push_back(size);
  return make_reshape(whole, shape, where);
}

// Reads a grouped array with other coordinates on its last two axes: `shift` groups further, at
// index `place` (-1: the same index).
NodeRef from_groups(const NodeRef& input, const Extents& shape, int64_t shift, int64_t place,
                    const Location& where) {
  AffineMap map;
  map.name = "group";
  const int rank = input->shape.rank, group_axis = shape.rank - 2;
  for (int i = 0; i < rank; ++i) map.axes[static_cast<size_t>(i)] = {i, 1, 0};
  map.axes[static_cast<size_t>(group_axis)] = {group_axis, 1, shift};
  if (rank == shape.rank && place >= 0) map.axes[static_cast<size_t>(rank - 1)] = {-1, 0, place};
  return make_affine(input, shape, map, where);
}

NodeRef holds(Op op, const Extents& shape, int axis, int64_t number, const Location& where) {
  const NodeRef inputs[] = {make_index(shape, axis, where),
                            make_constant(scalar_value(static_cast<int32_t>(number)), {}, where)};
  return make_elementwise(op, inputs, where);
}

}  // namespace

Components choose_all(const NodeRef& condition, const Components& yes, const Components& no,
                      const Location& where) {
  Components result;
  for (size_t c = 0; c < yes.size(); ++c) {
    const NodeRef inputs[] = {condition, yes[c], no[c]};
    result.push_back(make_elementwise(Op::choose, inputs, where));
  }
  return result;
}

Components both(const Components& left, const Components& right) {
  Components result = left;
  result.insert(result.end(), right.begin(), right.end());
  return result;
}

Operator operator_on(const Components& components, const Function& function, const char* operation,
                     const Location& where) {
  std::vector<ElementType> types;
  for (const NodeRef& component : components) types.push_back(component->type);
  require_operator(function, types, operation, where);
  const int64_t cost = 1 + count_operations(function);
  return {function, std::clamp<int64_t>(operations_of_group / cost, 2, largest_group)};
}

// Scans along the last axis: within groups, then combines with the total of the preceding groups.
Components scan_groups(const Operator& combine, const Components& components,
                       const Location& where) {
  const Extents from = components[0]->shape;
  const int axis = from.rank - 1;
  const int64_t extent = from[axis];
  if (extent <= 1) return components;
  const int64_t size = std::min({combine.group, largest_scan_group, extent}),
                groups = (extent + size - 1) / size;
  Components grouped;
  for (const NodeRef& component : components)
    grouped.push_back(in_groups(component, groups, size, where));
  const Extents shape = grouped[0]->shape;
  const auto at_place = [&](int64_t place) {
    Components result;
    for (const NodeRef& part : grouped) result.push_back(from_groups(part, shape, 0, place, where));
    return result;
  };
  // The prefix is the same for a whole group: computed once a row.
  Components prefix = at_place(0), result = prefix;
  for (int64_t k = 1; k < size; ++k) {
    prefix = inline_function(combine.function, both(prefix, at_place(k)), where);
    result = choose_all(holds(Op::greater_equal, shape, axis + 1, k, where), prefix, result, where);
  }
  if (groups > 1) {
    Components totals = combine_groups(combine.function, components, axis, size, where);
    for (NodeRef& total : totals) total = finished(total, where);
    Components before;
    for (const NodeRef& total : scan_groups(combine, totals, where))
      before.push_back(from_groups(total, shape, -1, -1, where));
    const auto further = inline_function(combine.function, both(before, result), where);
    result = choose_all(holds(Op::greater, shape, axis, 0, where), further, result, where);
  }
  Extents flat = from;
  flat[axis] = groups * size;
  for (NodeRef& component : result) {
    AffineMap map;
    map.name = "group";
    for (int i = 0; i < from.rank; ++i) map.axes[static_cast<size_t>(i)] = {i, 1, 0};
    component = make_affine(make_reshape(component, flat, where), from, map, where);
  }
  return result;
}

Components fold_axes(const Function& function, Components components, std::span<const int> axes,
                     const Location& where) {
  const Operator combine = operator_on(components, function, "reduce", where);
  const Extents shape = components[0]->shape;
  for (int axis : axes)
    if (axis < 0 || axis >= shape.rank)
      throw ShapeError("reduce: axis " + std::to_string(axis) + " of the shape " +
                       detail::to_string(shape) + detail::at(where));
  if (!axes.empty() && shape.size() == 0)
    throw ShapeError("reduce: the shape " + detail::to_string(shape) +
                     " has no elements to combine; there is no result" + detail::at(where));
  if (const auto known = known_reductions(combine.function); !known.empty()) {
    for (size_t c = 0; c < components.size(); ++c)
      components[c] = make_reduce(known[c], components[c], axes, where);
    return components;
  }
  std::vector<int> order(axes.begin(), axes.end());
  std::sort(order.begin(), order.end(), std::greater<>());  // row-major order: the last axis first
  for (int axis : order) {
    while (components[0]->shape[axis] > 1) {
      const int64_t size = std::min(combine.group, components[0]->shape[axis]);
      components = combine_groups(combine.function, components, axis, size, where);
      if (components[0]->shape[axis] > 1)
        for (NodeRef& component : components) component = finished(component, where);
    }
    for (NodeRef& component : components) component = without_axis(component, axis, where);
  }
  return components;
}

}  // namespace tutti::ir
