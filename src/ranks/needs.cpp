#include "ranks/needs.hpp"

#include <numeric>

#include "graph/build_transform.hpp"
#include "graph/copy_pending.hpp"
#include "numerics/scan_tree.hpp"
#include "program/program.hpp"

namespace tutti::ranks {
namespace {

using ir::AffineMap;
using ir::AxisMap;
using ir::Kind;

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b > 0); }

// ---- transformations

// Returns the coordinates of an input axis that a box of the result reads, before the boundary
// rule.
Interval raw_interval(const AxisMap& m, const Box& box) {
  if (m.axis < 0 || m.stride == 0) return {m.offset, m.offset + 1};
  const Interval& out = box[m.axis];
  const int64_t first = m.stride * out.lo + m.offset, last = m.stride * (out.hi - 1) + m.offset;
  return {std::min(first, last), std::max(first, last) + 1};
}

Interval under_rule(const Interval& raw, Boundary::Kind rule, int64_t extent) {
  if (is_within(raw, extent)) return raw;
  switch (rule) {
    case Boundary::Kind::clamp:
      return {std::clamp<int64_t>(raw.lo, 0, extent - 1),
              std::clamp<int64_t>(raw.hi - 1, 0, extent - 1) + 1};
    case Boundary::Kind::wrap:
      return nearest(raw, extent);
    default:
      return intersect(raw, {0, extent});
  }
}

Box affine_input(const Node& node, const Box& box) {
  const Extents& from = node.inputs()[0]->shape;
  Box needed;
  needed.rank = from.rank;
  for (int j = 0; j < from.rank; ++j)
    needed[j] = under_rule(raw_interval(node.map->axes[static_cast<size_t>(j)], box),
                           node.map->boundary, from[j]);
  return needed;
}

NodeRef affine_part(const Node& node, const Box& box, const NodeRef& input) {
  const Box needed = affine_input(node, box);
  if (needed.size() == 0) return ir::make_constant(node.map->fill, box.extents(), node.where);
  const Extents& from = node.inputs()[0]->shape;
  AffineMap map = *node.map;
  for (int j = 0; j < from.rank; ++j) {
    AxisMap& m = map.axes[static_cast<size_t>(j)];
    const Interval raw = raw_interval(m, box);
    if (m.axis >= 0 && m.stride != 0) m.offset += m.stride * box[m.axis].lo;
    if (node.map->boundary == Boundary::Kind::wrap && !is_within(raw, from[j])) {
      if (needed[j].size() == from[j])
        m.offset -= from[j] * (m.offset / from[j]);  // the rule wraps it
      else
        m.offset += needed[j].lo - raw.lo;
    }
    m.offset -= needed[j].lo;
  }
  return ir::make_affine(input, box.extents(), map, node.where);
}

// Returns whether the map yields the same elements for coordinates beyond an axis of the result and
// for these coordinates modulo its extent.
bool is_periodic(const Node& node, int axis) {
  const Extents& from = node.inputs()[0]->shape;
  for (int j = 0; j < from.rank; ++j) {
    const AxisMap& m = node.map->axes[static_cast<size_t>(j)];
    if (m.axis != axis || m.stride == 0) continue;
    if (node.map->boundary != Boundary::Kind::wrap || from[j] == 0 ||
        m.stride * node.shape[axis] % from[j] != 0)
      return false;
  }
  return true;
}

// ---- reshape: the elements lie in the same order, so rows of one are rows of the other

int leading_axis(const Extents& shape) {
  for (int i = 0; i < shape.rank; ++i)
    if (shape[i] != 1) return i;
  return 0;
}

int64_t row_elements(const Extents& shape) {
  int64_t elements = 1;
  for (int i = leading_axis(shape) + 1; i < shape.rank; ++i) elements *= shape[i];
  return elements;
}

Interval flat_interval(const Node& node, const Box& box) {
  if (node.shape.rank == 0) return {0, 1};
  const Interval& rows = box[leading_axis(node.shape)];
  const int64_t each = row_elements(node.shape);
  return {rows.lo * each, rows.hi * each};
}

Box reshape_input(const Node& node, const Box& box) {
  const Extents& from = node.inputs()[0]->shape;
  Box needed = whole(from);
  if (from.rank == 0) return needed;
  const Interval flat = flat_interval(node, box);
  const int64_t each = row_elements(from);
  if (each > 0) needed[leading_axis(from)] = {flat.lo / each, ceil_div(flat.hi, each)};
  return needed;
}

NodeRef reshape_part(const Node& node, const Box& box, const NodeRef& input) {
  const Box needed = reshape_input(node, box);
  const Interval flat = flat_interval(node, box);
  Extents line;
  line.push_back(needed.size());
  NodeRef elements = ir::make_reshape(input, line, node.where);
  const int64_t begin = needed.rank == 0 ? 0
                                         : needed[leading_axis(node.inputs()[0]->shape)].lo *
                                               row_elements(node.inputs()[0]->shape);
  const Range range[] = {Range{flat.lo - begin, flat.size()}};
  if (flat.size() != line[0]) elements = ir::make_section(elements, range, node.where);
  return ir::make_reshape(elements, box.extents(), node.where);
}

// ---- write_section

// Returns the coordinates of the values that are written to the box.
Box written_values(const Node& node, const Box& box) {
  const Extents& values = node.inputs()[0]->shape;
  Box needed = whole(values);
  for (int i = 0; i < values.rank; ++i) {
    const AxisMap& m = node.map->axes[static_cast<size_t>(i)];
    Interval inside;
    if (m.stride > 0)
      inside = {ceil_div(box[i].lo - m.offset, m.stride), ceil_div(box[i].hi - m.offset, m.stride)};
    else
      inside = {ceil_div(m.offset - box[i].hi + 1, -m.stride),
                ceil_div(m.offset - box[i].lo + 1, -m.stride)};
    needed[i] = intersect(inside, needed[i]);
  }
  return needed;
}

NodeRef written_part(const Node& node, const Box& box, std::span<const NodeRef> inputs) {
  const Box values = written_values(node, box);
  if (values.size() == 0)
    return inputs.size() > 1 ? inputs[1]
                             : ir::make_constant({node.type, 0}, box.extents(), node.where);
  std::vector<Range> ranges;
  for (int i = 0; i < values.rank; ++i) {
    const AxisMap& m = node.map->axes[static_cast<size_t>(i)];
    ranges.push_back(
        Range{m.offset + m.stride * values[i].lo - box[i].lo, values[i].size(), m.stride});
  }
  return inputs.size() > 1 ? ir::make_write_section(inputs[1], ranges, inputs[0], node.where)
                           : ir::make_first_section(box.extents(), ranges, inputs[0], node.where);
}

// ---- reductions, products, scans

Box reduce_input(const Node& node, const Box& box) {
  Box needed = whole(node.inputs()[0]->shape);
  int kept = 0;
  for (int i = 0; i < needed.rank; ++i)
    if (!node.get<ir::ReducedAxes>().has(i)) needed[i] = box[kept++];
  return needed;
}

Box product_input(const Node& node, const Box& box, size_t k) {
  Box needed = whole(node.inputs()[k]->shape);
  const int left = node.inputs()[0]->shape.rank;
  if (k == 0)
    for (int i = 0; i + 1 < left; ++i) needed[i] = box[i];
  else
    for (int i = 1; i < needed.rank; ++i) needed[i] = box[left - 2 + i];
  return needed;
}

// Returns the needed box of an input. Inputs with initial values lack the axis of the recurrence.
Box recurrence_input(const Node& node, const Box& box, size_t k) {
  const Extents& shape = node.inputs()[k]->shape;
  if (shape.rank == 0 || k >= static_cast<size_t>(node.program->inputs)) return whole(shape);
  if (k >= node.program->outputs.size()) return box;
  Box first;
  for (int i = 0; i < box.rank; ++i)
    if (i != node.get<ir::RecurrenceStep>().axis) first[first.rank++] = box[i];
  return first;
}

bool is_scan_of_rows(const Node& node) {
  return node.kind == Kind::scan && node.inputs().size() == 1 && node.shape.rank > 1;
}

// Returns the axis whose lines a node computes as a whole, or -1.
int axis_of_lines(const Node& node) {
  if (node.kind == Kind::recurrence) return node.get<ir::RecurrenceStep>().axis;
  return node.kind == Kind::fourier_lines ? node.get<ir::FourierLines>().axis : -1;
}

bool is_cut_like_inputs(const Node& node) {
  switch (node.kind) {
    case Kind::elementwise:
    case Kind::cast:
    case Kind::gather:
    case Kind::program:
      return true;
    default:
      return false;
  }
}

bool can_be_cut(const Node& node) {
  switch (node.kind) {
    case Kind::affine:
    case Kind::reshape:
    case Kind::reduce:
    case Kind::inner_product:
    case Kind::search_sorted:
    case Kind::write_section:
    case Kind::recurrence:
    case Kind::fourier_lines:
      return true;
    default:
      return is_cut_like_inputs(node) || is_scan_of_rows(node);
  }
}

// Keeps axes longer than 1 as they are: the tree of a reduction depends on them.
void keep_longer_than_one(const Node& node, Box& box) {
  for (int i = 0; i < box.rank; ++i) {
    if (box[i].size() != 1 || node.shape[i] == 1) continue;
    if (box[i].hi < node.shape[i])
      ++box[i].hi;
    else
      --box[i].lo;
  }
}

// Moves the begin of a box to that of a tile: rows are segments of one scan.
void begin_at_tile(const Node& node, Box& box) {
  int64_t each = 1;
  for (int i = 1; i < box.rank; ++i) {
    each *= node.shape[i];
    box[i] = {0, node.shape[i]};
  }
  const int64_t unit = ir::scan_tile / std::gcd(ir::scan_tile, std::max<int64_t>(1, each));
  box[0].lo -= box[0].lo % unit;
}

}  // namespace

Box computable(const Node& node, const Box& box) {
  if (!can_be_cut(node)) return whole(node.shape);
  Box result = box;
  for (int i = 0; i < box.rank; ++i) {
    if (is_within(box[i], node.shape[i])) continue;
    const bool beyond = is_cut_like_inputs(node) || node.kind == Kind::reduce ||
                        axis_of_lines(node) >= 0 ||
                        (node.kind == Kind::affine && is_periodic(node, i));
    if (!beyond) result[i] = {0, node.shape[i]};
  }
  if (node.kind == Kind::reduce) keep_longer_than_one(node, result);
  if (is_scan_of_rows(node)) begin_at_tile(node, result);
  if (const int axis = axis_of_lines(node); axis >= 0) result[axis] = {0, node.shape[axis]};
  if (node.kind == Kind::reshape)
    for (int i = 0; i < result.rank; ++i)
      if (i != leading_axis(node.shape)) result[i] = {0, node.shape[i]};
  return result;
}

Box needed_input(const Node& node, const Box& box, size_t k) {
  const Extents& shape = node.inputs()[k]->shape;
  switch (node.kind) {
    case Kind::elementwise:
    case Kind::cast:
      return shape.rank == 0 ? whole(shape) : box;
    case Kind::program:
      return shape.rank == 0 || k >= static_cast<size_t>(node.program->inputs) ? whole(shape) : box;
    case Kind::gather:
      return k == 0 ? whole(shape) : box;
    case Kind::search_sorted:
      return k == 0 ? whole(shape) : box;
    case Kind::affine:
      return affine_input(node, box);
    case Kind::reshape:
      return reshape_input(node, box);
    case Kind::reduce:
      return reduce_input(node, box);
    case Kind::inner_product:
      return product_input(node, box, k);
    case Kind::write_section:
      return k == 0 ? written_values(node, box) : box;
    case Kind::recurrence:
      return recurrence_input(node, box, k);
    case Kind::fourier_lines:
      return box;
    default:
      return is_scan_of_rows(node) ? box : whole(shape);
  }
}

NodeRef build_part(const Node& node, const Box& box, std::span<const NodeRef> inputs) {
  switch (node.kind) {
    case Kind::affine:
      return affine_part(node, box, inputs[0]);
    case Kind::reshape:
      return reshape_part(node, box, inputs[0]);
    case Kind::write_section:
      return written_part(node, box, inputs);
    default:
      return clone(node, box.extents(), inputs);
  }
}

NodeRef transform_held(const Node& node, const Box& box, const NodeRef& held, const Box& held_box) {
  if (node.kind != Kind::affine || affine_input(node, box).size() == 0) return {};
  const Extents& from = node.inputs()[0]->shape;
  AffineMap map = *node.map;
  for (int j = 0; j < from.rank; ++j) {
    AxisMap& m = map.axes[static_cast<size_t>(j)];
    const Interval raw = raw_interval(m, box), &there = held_box[j];
    if (!is_within(raw, from[j]) && node.map->boundary == Boundary::Kind::wrap) return {};
    if ((raw.lo < 0 && there.lo != 0) || (raw.hi > from[j] && there.hi != from[j])) return {};
    if (is_within(raw, from[j]) && !there.holds(raw)) return {};
    if (m.axis >= 0 && m.stride != 0) m.offset += m.stride * box[m.axis].lo;
    m.offset -= there.lo;
  }
  return ir::make_affine(held, box.extents(), map, node.where);
}

bool gathers_input(const Node& node, size_t k) {
  switch (node.kind) {
    case Kind::gather:  // jobs/gather.cpp asks for elements, unless the table is the smaller one
      return false;
    case Kind::program:
    case Kind::recurrence:
      return k >= static_cast<size_t>(node.program->inputs);
    case Kind::inner_product:  // a vector is small beside a matrix
      return k == 0 || node.inputs()[1]->shape.rank > 1;
    case Kind::search_sorted:
      return k == 0;
    default:
      return !can_be_cut(node);
  }
}

NodeRef clone(const Node& node, const Extents& shape, std::span<const NodeRef> inputs) {
  return ir::copy_node(node, node.type, shape, inputs);
}

NodeRef take_part(const NodeRef& array, const Box& box, const Box& part, const Location& where) {
  if (part.size() == 0) return ir::make_constant({array->type, 0}, part.extents(), where);
  if (box == part) return array;
  AffineMap map;
  map.name = "part";
  for (int i = 0; i < box.rank; ++i) {
    int64_t offset = part[i].lo - box[i].lo;
    if (!box[i].holds(part[i])) {
      map.boundary = Boundary::Kind::wrap;
      offset %= box[i].size();
    }
    map.axes[static_cast<size_t>(i)] = {i, 1, offset};
  }
  return ir::make_affine(array, part.extents(), map, where);
}

}  // namespace tutti::ranks
