// Concatenation: a chain of writes into one new array. The first write has no base, so nothing is
// written twice; the writes cover the array, so nothing is left unspecified.
#include "tutti/concat.hpp"

#include "graph/build_transform.hpp"

namespace tutti::detail {
namespace {

// Returns the shape of the result. Throws if shapes or types do not fit.
Extents joined_shape(std::span<const NodeRef> parts, int axis, const Location& where) {
  if (parts.empty()) throw ShapeError("concat: no arrays were given" + at(where));
  Extents joined = shape_of(parts[0], "concat");
  if (axis < 0 || axis >= joined.rank)
    throw ShapeError("concat: axis " + std::to_string(axis) + " of arrays of the shape " +
                     to_string(joined) + at(where));
  for (size_t i = 1; i < parts.size(); ++i) {
    const Extents& shape = shape_of(parts[i], "concat");
    if (parts[i]->type != parts[0]->type)
      throw TypeError(std::string("concat: arrays of ") + name(parts[0]->type) + " and " +
                      name(parts[i]->type) + "; convert with cast<T>()" + at(where));
    Extents expected = parts[0]->shape;
    expected[axis] = shape.rank == expected.rank ? shape[axis] : 0;
    if (!(shape == expected))
      throw ShapeError("concat: array 0 has the shape " + to_string(parts[0]->shape) + ", array " +
                       std::to_string(i) + " has " + to_string(shape) + "; only axis " +
                       std::to_string(axis) + " may differ" + at(where));
    if (__builtin_add_overflow(joined[axis], shape[axis], &joined[axis]))
      throw ShapeError("concat: the result has more than 2^63 elements along axis " +
                       std::to_string(axis) + at(where));
  }
  ir::checked_size(joined, parts[0]->type, "concat", where);
  return joined;
}

// Returns whether the elements of a part form runs shorter than a cache line of the result: then
// every line would be written several times.
bool is_interleaved(const Extents& joined, size_t parts, int axis, ElementType type) {
  if (axis == 0) return false;
  constexpr int64_t cache_line = 64;  // bytes
  int64_t run = joined[axis] * size_of(type) / static_cast<int64_t>(parts);
  for (int i = axis + 1; i < joined.rank && run < cache_line; ++i) run *= joined[i];
  return run < cache_line;
}

// The order of axes with one of them first, and its inverse.
struct AxisFirst {
  AxisFirst(int axis, int rank) : there{axis} {
    for (int i = 0; i < rank; ++i) {
      if (i != axis) there.push_back(i);
      back.push_back(i == axis ? 0 : i < axis ? i + 1 : i);
    }
  }
  std::vector<int64_t> there, back;
};

}  // namespace

NodeRef concat(std::span<const NodeRef> parts, int axis, const Location& where) {
  const Extents joined = joined_shape(parts, axis, where);
  if (joined.size() == 0) return constant(ScalarValue{parts[0]->type, 0}, joined, where);
  if (is_interleaved(joined, parts.size(), axis, parts[0]->type)) {
    const AxisFirst order(axis, joined.rank);
    std::vector<NodeRef> turned;
    for (const NodeRef& part : parts) turned.push_back(transpose(part, order.there, where));
    return transpose(concat(turned, 0, where), order.back, where);
  }
  std::vector<Range> section;
  for (const int64_t extent : joined) section.push_back({0, extent});
  Range& along = section[static_cast<size_t>(axis)];
  NodeRef result;
  for (const NodeRef& part : parts) {
    along.count = part->shape[axis];
    if (along.count == joined[axis]) return part;  // the others have no elements
    if (along.count == 0) continue;
    result = result ? write_section(result, section, part, where)
                    : ir::make_first_section(joined, section, part, where);
    along.begin += along.count;
  }
  return result;
}

NodeRef stack(std::span<const NodeRef> parts, int axis, const Location& where) {
  if (parts.empty()) throw ShapeError("stack: no arrays were given" + at(where));
  const Extents& shape = shape_of(parts[0], "stack");
  if (axis < 0 || axis > shape.rank)
    throw ShapeError("stack: axis " + std::to_string(axis) + " of a result with " +
                     std::to_string(shape.rank + 1) + " axes" + at(where));
  std::vector<NodeRef> thick;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!(shape_of(parts[i], "stack") == shape))
      throw ShapeError("stack: array 0 has the shape " + to_string(shape) + ", array " +
                       std::to_string(i) + " has " + to_string(parts[i]->shape) + at(where));
    thick.push_back(add_dimension(parts[i], axis, 1, where));
  }
  return concat(thick, axis, where);
}

}  // namespace tutti::detail
