// Builders of transformations: each becomes one affine node, which maps coordinates of the result
// to coordinates of the input, one axis at a time.
#include <vector>

#include "graph/build_transform.hpp"

namespace tutti::ir {
namespace {

[[noreturn]] void refuse(const char* operation, const std::string& why, const Location& where) {
  throw ShapeError(std::string(operation) + ": " + why + detail::at(where));
}

const Extents& shape_of(const NodeRef& input, const char* operation, const Location& where) {
  require_alive({&input, 1}, operation, where);
  return input->shape;
}

void require_one_for_each_axis(const char* operation, const char* what, size_t given, int rank,
                               const Location& where) {
  if (static_cast<int>(given) != rank)
    refuse(operation,
           std::to_string(given) + " " + what + " for an array of rank " + std::to_string(rank),
           where);
}

// An empty axis has no elements for a boundary rule to repeat; only constants work.
void require_source(const char* operation, const Extents& from, const Extents& to,
                    Boundary::Kind boundary, const Location& where) {
  if (from.size() == 0 && to.size() > 0 && boundary != Boundary::Kind::constant)
    refuse(operation,
           "an empty array of shape " + detail::to_string(from) + " cannot fill the shape " +
               detail::to_string(to),
           where);
}

}  // namespace

NodeRef make_affine(const NodeRef& input, const Extents& shape, const AffineMap& map,
                    const Location& where) {
  checked_size(shape, input->type, map.name, where);
  // A constant stays one, unless the boundary brings in another value.
  if (input->kind == Kind::constant &&
      (map.boundary != Boundary::Kind::constant || map.fill.bits == input->value.bits))
    return make_constant(input->value, shape, where);
  if (input->shape.size() == 0 && map.boundary == Boundary::Kind::constant)
    return make_constant(map.fill, shape, where);
  auto* node = new Node(Kind::affine, input->type, shape, where.line() ? where : input->where);
  node->map = std::make_unique<AffineMap>(map);
  node->set_inputs({&input, 1});
  return NodeRef(node);
}

NodeRef make_shift(const NodeRef& input, std::span<const int64_t> by, Boundary::Kind boundary,
                   ScalarValue fill, const Location& where) {
  const Extents& shape = shape_of(input, "shift", where);
  require_one_for_each_axis("shift", "offsets", by.size(), shape.rank, where);
  AffineMap map;
  map.name = boundary == Boundary::Kind::wrap ? "rotate" : "shift";
  map.boundary = boundary;
  map.fill = convert(fill, input->type);
  for (int i = 0; i < shape.rank; ++i) {
    int64_t offset = by[i];
    // Larger shifts are equivalent to these. The bound also keeps offsets from overflowing.
    if (shape[i] > 0) {
      if (boundary == Boundary::Kind::wrap)
        offset %= shape[i];
      else
        offset = std::max(-shape[i], std::min(shape[i], offset));
    } else {
      offset = 0;
    }
    map.axes[i] = {i, 1, -offset};
  }
  return make_affine(input, shape, map, where);
}

namespace {

// Returns the map of a section's coordinates, and its shape.
AffineMap map_of_section(const char* operation, const Extents& from, std::span<const Range> ranges,
                         Extents& shape, const Location& where) {
  require_one_for_each_axis(operation, "ranges", ranges.size(), from.rank, where);
  AffineMap map;
  map.name = operation;
  for (int i = 0; i < from.rank; ++i) {
    const Range& range = ranges[i];
    const auto text = [&] {
      return "the range {" + std::to_string(range.begin) + ", " + std::to_string(range.count) +
             ", " + std::to_string(range.stride) + "} on axis " + std::to_string(i) +
             " of the shape " + detail::to_string(from);
    };
    if (range.count < 0) refuse(operation, text() + " has a negative count", where);
    if (range.count > 0) {
      const __int128 last = range.begin + static_cast<__int128>(range.count - 1) * range.stride;
      if (range.begin < 0 || range.begin >= from[i] || last < 0 || last >= from[i])
        refuse(operation, text() + " reaches outside", where);
    }
    // The stride of a single element and the begin of no elements have no effect. They are
    // normalised because they might overflow in composition.
    map.axes[i] = {i, range.count > 1 ? range.stride : 1, range.count > 0 ? range.begin : 0};
    shape.push_back(range.count);
  }
  return map;
}

}  // namespace

NodeRef make_section(const NodeRef& input, std::span<const Range> ranges, const Location& where) {
  const Extents& from = shape_of(input, "section", where);
  Extents shape;
  const AffineMap map = map_of_section("section", from, ranges, shape, where);
  return make_affine(input, shape, map, where);
}

namespace {

// Returns the map of a section that is written, with one element for each value.
AffineMap map_of_written(const char* operation, const Extents& array, std::span<const Range> ranges,
                         const NodeRef& values, const Location& where) {
  Extents shape;
  const AffineMap map = map_of_section(operation, array, ranges, shape, where);
  if (!(values->shape == shape))
    refuse(operation,
           "the part has the shape " + detail::to_string(shape) + ", what is assigned " +
               detail::to_string(values->shape),
           where);
  for (int i = 0; i < shape.rank; ++i)
    if (shape[i] > 1 && map.axes[static_cast<size_t>(i)].stride == 0)
      refuse(operation, "axis " + std::to_string(i) + " has the stride 0: its values collide",
             where);
  return map;
}

NodeRef written(const Extents& array, const AffineMap& map, std::span<const NodeRef> inputs,
                const Location& where) {
  auto* node = new Node(Kind::write_section, inputs[0]->type, array, where);
  node->map = std::make_unique<AffineMap>(map);
  node->set_inputs(inputs);
  return NodeRef(node);
}

}  // namespace

NodeRef make_write_section(const NodeRef& base, std::span<const Range> ranges,
                           const NodeRef& values, const Location& given) {
  constexpr const char* operation = "assignment to a part";
  const NodeRef inputs[] = {values, base};
  require_alive(inputs, operation, given);
  const Location where = place_of(given, inputs);
  if (values->type != base->type)
    throw TypeError(std::string(operation) + ": values of " + name(values->type) +
                    " for an array of " + name(base->type) + "; convert with cast<T>()" +
                    detail::at(where));
  const AffineMap map = map_of_written(operation, base->shape, ranges, values, where);
  if (values->shape.size() == 0) return base;
  if (values->shape.rank == 0) return values;
  return written(base->shape, map, inputs, where);
}

NodeRef make_first_section(const Extents& array, std::span<const Range> ranges,
                           const NodeRef& values, const Location& where) {
  constexpr const char* operation = "first part of an array";
  require_alive({&values, 1}, operation, where);
  checked_size(array, values->type, operation, where);
  const AffineMap map = map_of_written(operation, array, ranges, values, where);
  if (values->shape.size() == 0) refuse(operation, "it has no elements", where);
  return written(array, map, {&values, 1}, where);
}

NodeRef make_replicate(const NodeRef& input, const Extents& shape, const Location& where) {
  const Extents& from = shape_of(input, "replicate", where);
  require_one_for_each_axis("replicate", "extents", static_cast<size_t>(shape.rank), from.rank,
                            where);
  checked_size(shape, input->type, "replicate", where);
  require_source("replicate", from, shape, Boundary::Kind::wrap, where);
  AffineMap map;
  map.name = "replicate";
  map.boundary = Boundary::Kind::wrap;
  for (int i = 0; i < from.rank; ++i) map.axes[i] = {i, 1, 0};
  return make_affine(input, shape, map, where);
}

NodeRef make_expand(const NodeRef& input, std::span<const Margin> margins, Boundary::Kind boundary,
                    ScalarValue fill, const char* name, const Location& where) {
  const Extents& from = shape_of(input, name, where);
  require_one_for_each_axis(name, "margins", margins.size(), from.rank, where);
  AffineMap map;
  map.name = name;
  map.boundary = boundary;
  map.fill = convert(fill, input->type);
  Extents shape;
  for (int i = 0; i < from.rank; ++i) {
    constexpr int64_t most = int64_t{1} << 46;
    const Margin& margin = margins[i];
    if (margin.before < 0 || margin.after < 0 || margin.before > most || margin.after > most)
      refuse(name,
             "the margin {" + std::to_string(margin.before) + ", " + std::to_string(margin.after) +
                 "} on axis " + std::to_string(i) + " is negative or too large",
             where);
    map.axes[i] = {i, 1, -margin.before};
    shape.push_back(margin.before + from[i] + margin.after);
  }
  require_source(name, from, shape, boundary, where);
  return make_affine(input, shape, map, where);
}

NodeRef make_transpose(const NodeRef& input, std::span<const int64_t> axes, const Location& where) {
  const Extents& from = shape_of(input, "transpose", where);
  require_one_for_each_axis("transpose", "axes", axes.size(), from.rank, where);
  AffineMap map;
  map.name = "transpose";
  Extents shape;
  uint32_t seen = 0;
  for (int k = 0; k < from.rank; ++k) {
    const int64_t axis = axes[k];
    if (axis < 0 || axis >= from.rank || (seen >> axis & 1))
      refuse("transpose", "the axes must be a permutation of 0 to " + std::to_string(from.rank - 1),
             where);
    seen |= 1u << axis;
    map.axes[axis] = {k, 1, 0};
    shape.push_back(from[static_cast<int>(axis)]);
  }
  return make_affine(input, shape, map, where);
}

NodeRef make_drop_dimension(const NodeRef& input, int axis, const Location& where) {
  const Extents& from = shape_of(input, "drop_dimension", where);
  if (axis < 0 || axis >= from.rank)
    refuse("drop_dimension",
           "axis " + std::to_string(axis) + " of the shape " + detail::to_string(from), where);
  if (from[axis] == 0)
    refuse("drop_dimension",
           "axis " + std::to_string(axis) + " of the shape " + detail::to_string(from) +
               " has no element 0",
           where);
  AffineMap map;
  map.name = "drop_dimension";
  Extents shape;
  for (int i = 0; i < from.rank; ++i) {
    if (i == axis) {
      map.axes[i] = {-1, 0, 0};
    } else {
      map.axes[i] = {shape.rank, 1, 0};
      shape.push_back(from[i]);
    }
  }
  return make_affine(input, shape, map, where);
}

NodeRef make_add_dimension(const NodeRef& input, int axis, int64_t extent, const Location& where) {
  const Extents& from = shape_of(input, "add_dimension", where);
  if (axis < 0 || axis > from.rank)
    refuse("add_dimension",
           "axis " + std::to_string(axis) + " for the shape " + detail::to_string(from), where);
  if (from.rank == max_rank)
    refuse("add_dimension", "an array has at most " + std::to_string(max_rank) + " axes", where);
  if (extent < 0)
    refuse("add_dimension", "the extent " + std::to_string(extent) + " is negative", where);
  AffineMap map;
  map.name = "add_dimension";
  Extents shape;
  for (int i = 0; i <= from.rank; ++i) {
    if (i == axis) shape.push_back(extent);
    if (i < from.rank) {
      map.axes[i] = {shape.rank, 1, 0};
      shape.push_back(from[i]);
    }
  }
  return make_affine(input, shape, map, where);
}

NodeRef make_broadcast(const NodeRef& input, const Extents& shape, const Location& where) {
  const Extents& from = shape_of(input, "broadcast", where);
  const int lead = shape.rank - from.rank;
  AffineMap map;
  map.name = "broadcast";
  for (int i = 0; i < from.rank; ++i) {
    if (lead < 0 || (from[i] != shape[lead + i] && from[i] != 1))
      refuse("broadcast",
             "the shape " + detail::to_string(from) + " does not repeat to " +
                 detail::to_string(shape),
             where);
    map.axes[i] = from[i] == 1 ? AxisMap{-1, 0, 0} : AxisMap{lead + i, 1, 0};
  }
  return make_affine(input, shape, map, where);
}

}  // namespace tutti::ir
