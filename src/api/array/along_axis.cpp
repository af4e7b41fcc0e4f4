// Operations along any axis: the axis is moved to the end, where rows are segments of a vector, and
// back. The transpositions are only maps of coordinates.
#include "tutti/along_axis.hpp"

#include "api/array/term.hpp"

namespace tutti::detail {
namespace {

// Moves the axis to the end.
NodeRef to_end(const NodeRef& a, int axis, const Location& where) {
  const int rank = a->shape.rank;
  if (axis == rank - 1) return a;
  SmallVector<int64_t> axes;
  for (int i = 0; i < rank; ++i)
    if (i != axis) axes.push_back(i);
  axes.push_back(axis);
  return transpose(a, axes, where);
}

// Moves the last axis back to its position before to_end().
NodeRef from_end(const NodeRef& a, int axis, const Location& where) {
  const int rank = a->shape.rank;
  if (axis == rank - 1) return a;
  SmallVector<int64_t> axes;
  for (int i = 0; i < rank; ++i) axes.push_back(i == axis ? rank - 1 : i < axis ? i : i - 1);
  return transpose(a, axes, where);
}

// The rows of an array as segments of one vector.
struct Rows {
  Rows(const NodeRef& a, int axis, const char* operation, const Location& where)
      : ordered(to_end(a, axis, where)), length(a->shape[axis]) {
    require_int32(length, std::string(operation) + ": the number of elements along the axis",
                  "work on parts of the array", where);
    const int64_t elements = a->shape.size();
    line = reshape(ordered, vector_shape(elements), where);
    const int64_t rows = length == 0 ? 0 : elements / length;
    if (rows <= 1) return;
    const Term number = index_term(vector_shape(rows + 1), 0, where);
    offsets = (cast(number, ElementType::i64) * static_cast<double>(length)).node;
    offsets->trusted_offsets = true;
  }
  NodeRef ordered;
  int64_t length;
  NodeRef line, offsets;  // no offsets: one row
};

}  // namespace

NodeRef scan_along(Reduction reduction, const NodeRef& input, int axis, bool exclusive,
                   const Location& where) {
  require_axis(input, axis, "scan", where);
  return from_end(scan(reduction, to_end(input, axis, where), {}, exclusive, where), axis, where);
}

NodeRef sort_along(const NodeRef& keys, int axis, bool descending, const Location& where) {
  require_axis(keys, axis, "sort", where);
  if (keys->shape.size() == 0) return keys;
  const Rows rows(keys, axis, "sort", where);
  const NodeRef sorted = sort_values(rows.line, rows.line, rows.offsets, descending, where);
  return from_end(reshape(sorted, rows.ordered->shape, where), axis, where);
}

NodeRef arg_sort_along(const NodeRef& keys, int axis, bool descending, const Location& where) {
  require_axis(keys, axis, "arg_sort", where);
  if (keys->shape.size() == 0) return cast(keys, ElementType::i32, where);
  const Rows rows(keys, axis, "arg_sort", where);
  const Term order{sort_permutation(rows.line, rows.offsets, descending, where), where};
  const Term within = rows.offsets ? order % static_cast<double>(rows.length) : order;
  return from_end(reshape(cast(within, ElementType::i32), rows.ordered->shape).node, axis, where);
}

std::pair<NodeRef, NodeRef> extreme_along(Reduction reduction, const NodeRef& input, int axis,
                                          const Location& where) {
  require_elements_along(input, axis, reduction == Reduction::max ? "arg_max" : "arg_min", where);
  const bool flags = input->type == ElementType::b8;
  const Term a{flags ? cast(input, ElementType::u8, where) : input, where};
  const Term best = reduce(reduction, a, std::array{axis});
  Term hit = a == with_axis(best, axis);
  if (is_floating(a.type())) hit = hit || apply_op(Op::is_nan, a);
  const Term coordinate = index_term(a.shape(), axis, where);
  const Term first =
      choose(hit, coordinate, number_like(coordinate, static_cast<double>(a.shape()[axis] - 1)));
  return {reduce(Reduction::min, first, std::array{axis}).node,
          flags ? cast(best, ElementType::b8).node : best.node};
}

std::pair<NodeRef, NodeRef> top_along(const NodeRef& input, int64_t count, int axis,
                                      bool descending, const Location& where) {
  require_axis(input, axis, "top_k", where);
  if (count < 0 || count > input->shape[axis])
    throw ShapeError("top_k: " + std::to_string(count) + " of the " +
                     std::to_string(input->shape[axis]) + " elements along axis " +
                     std::to_string(axis) + at(where));
  const Term order{arg_sort_along(input, axis, descending, where), where};
  const Term indices = part(order, axis, 0, count);
  return {take_along(input, indices.node, axis, where), indices.node};
}

NodeRef take_along(const NodeRef& input, const NodeRef& indices, int axis, const Location& where) {
  require_axis(input, axis, "take_along", where);
  Extents expected = shape_of(indices, "take_along");
  if (expected.rank == input->shape.rank) expected[axis] = input->shape[axis];
  if (!(expected == input->shape))
    throw ShapeError("take_along: indices of the shape " + to_string(indices->shape) +
                     " for an array of the shape " + to_string(input->shape) + "; only axis " +
                     std::to_string(axis) + " may differ" + at(where));
  SmallVector<NodeRef> coordinates;
  for (int i = 0; i < input->shape.rank; ++i)
    coordinates.push_back(i == axis ? indices : index(indices->shape, i, where));
  return gather(input, coordinates, Boundary::clamp(), 0, where);
}

}  // namespace tutti::detail
