// Terms: nodes of the graph with arithmetic operators, for functions whose element type and rank
// are known only at run time. Every operation is checked and recorded as for Array.
#pragma once
#include "graph/node.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::detail {

struct Term {
  NodeRef node;
  Location where;

  const Extents& shape() const { return node->shape; }
  ElementType type() const { return node->type; }
  int rank() const { return node->shape.rank; }
};

// Returns one number for all elements, of the type of the given term.
inline Term number_like(const Term& term, double value) {
  return {constant(convert(scalar_value(value), term.type()), {}, term.where), term.where};
}

inline Term apply_op(Op op, const Term& a) {
  return {elementwise(op, {&a.node, 1}, a.where), a.where};
}
inline Term apply_op(Op op, const Term& a, const Term& b) {
  const NodeRef inputs[] = {a.node, b.node};
  return {elementwise(op, inputs, a.where), a.where};
}
inline Term choose(const Term& flags, const Term& yes, const Term& no) {
  const NodeRef inputs[] = {flags.node, yes.node, no.node};
  return {elementwise(Op::choose, inputs, flags.where), flags.where};
}

#define TUTTI_TERM_OPERATOR(symbol, id)                                                        \
  inline Term operator symbol(const Term& a, const Term& b) { return apply_op(Op::id, a, b); } \
  inline Term operator symbol(const Term& a, double b) {                                       \
    return apply_op(Op::id, a, number_like(a, b));                                             \
  }
TUTTI_TERM_OPERATOR(+, add)
TUTTI_TERM_OPERATOR(-, subtract)
TUTTI_TERM_OPERATOR(*, multiply)
TUTTI_TERM_OPERATOR(/, divide)
TUTTI_TERM_OPERATOR(%, remainder)
TUTTI_TERM_OPERATOR(==, equal)
TUTTI_TERM_OPERATOR(!=, not_equal)
TUTTI_TERM_OPERATOR(<, less)
TUTTI_TERM_OPERATOR(<=, less_equal)
TUTTI_TERM_OPERATOR(>, greater)
TUTTI_TERM_OPERATOR(>=, greater_equal)
#undef TUTTI_TERM_OPERATOR
inline Term operator&&(const Term& a, const Term& b) { return apply_op(Op::logical_and, a, b); }
inline Term operator||(const Term& a, const Term& b) { return apply_op(Op::logical_or, a, b); }

inline Term cast(const Term& a, ElementType type) { return {cast(a.node, type, a.where), a.where}; }
inline Term index_term(const Extents& shape, int axis, const Location& where) {
  return {index(shape, axis, where), where};
}
inline Term reshape(const Term& a, const Extents& shape) {
  return {reshape(a.node, shape, a.where), a.where};
}
inline Term reduce(Reduction reduction, const Term& a, std::span<const int> axes) {
  return {reduce(reduction, a.node, axes, a.where), a.where};
}
// Returns elements of a vector at indices of any shape; outside of it, the nearest element.
inline Term look_up(const Term& vector, const Term& indices) {
  const Term narrow = cast(indices, ElementType::i32);
  return {gather(vector.node, {&narrow.node, 1}, Boundary::clamp(), 0, vector.where), vector.where};
}
// Returns `count` elements along an axis, from `begin` on.
inline Term part(const Term& a, int axis, int64_t begin, int64_t count) {
  SmallVector<Range> ranges;
  for (int i = 0; i < a.rank(); ++i)
    ranges.push_back(i == axis ? Range{begin, count} : Range{0, a.shape()[i]});
  return {section(a.node, ranges, a.where), a.where};
}
// Inserts an axis of extent 1, such as a reduced axis, so that the term broadcasts.
inline Term with_axis(const Term& a, int axis) {
  return {add_dimension(a.node, axis, 1, a.where), a.where};
}
inline Extents vector_shape(int64_t elements) {
  Extents shape;
  shape.push_back(elements);
  return shape;
}

// Throws ShapeError unless the array has this axis.
inline void require_axis(const NodeRef& a, int axis, const char* operation, const Location& where) {
  const Extents& shape = shape_of(a, operation);
  if (axis < 0 || axis >= shape.rank)
    throw ShapeError(std::string(operation) + ": axis " + std::to_string(axis) + " of the shape " +
                     to_string(shape) + at(where));
}
// Also throws if there are no elements along the axis.
inline void require_elements_along(const NodeRef& a, int axis, const char* operation,
                                   const Location& where) {
  require_axis(a, axis, operation, where);
  if (a->shape[axis] == 0)
    throw ShapeError(std::string(operation) + ": there are no elements along axis " +
                     std::to_string(axis) + " of the shape " + to_string(a->shape) + at(where));
}

}  // namespace tutti::detail
