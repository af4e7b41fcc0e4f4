#include "nested/nodes.hpp"

#include <array>

#include "graph/element_count.hpp"

namespace tutti::nested {
namespace {

bool is_number(const NodeRef& node, int32_t value) { return known_number(node) == value; }

// Returns a number of rows as data. Constants in the coordinates of a gather are structure, so a
// plan with one could not be resized for other lengths.
NodeRef as_data(int64_t rows) { return apply(Op::max, number(rows), number(0)); }

}  // namespace

detail::Extents rows_shape(int64_t rows) {
  detail::Extents shape;
  shape.push_back(rows);
  return shape;
}

// Small constants are a sixth of all nodes: each is made once per thread.
NodeRef number(int64_t value) {
  ir::require_int32(value, "a length or an index of a sequence",
                    "sequences have at most as many elements", Location());
  const auto make = [&] {
    return detail::constant(scalar_value(static_cast<int32_t>(value)), {}, Location());
  };
  constexpr int64_t least = -1, greatest = 6;
  if (value < least || value > greatest) return make();
  thread_local std::array<NodeRef, greatest - least + 1> made;
  NodeRef& node = made[static_cast<size_t>(value - least)];
  if (!node || node->pending_bytes > 0) node = make();  // once in memory it would be another leaf
  return node;
}
std::optional<int32_t> known_number(const NodeRef& node) {
  if (node->kind != ir::Kind::constant || node->type != ElementType::i32) return std::nullopt;
  return static_cast<int32_t>(node->value.bits);
}
NodeRef flag(bool value) { return detail::constant(scalar_value(value), {}, Location()); }
NodeRef numbered(int64_t rows) { return detail::index(rows_shape(rows), 0, Location()); }
NodeRef to_int32(const NodeRef& node, const Location& where) {
  return detail::cast(node, ElementType::i32, where);
}

NodeRef apply(Op op, const NodeRef& a, const NodeRef& b, const Location& where) {
  const NodeRef inputs[] = {a, b};
  return detail::elementwise(op, inputs, where);
}
NodeRef apply(Op op, const NodeRef& a, const Location& where) {
  return detail::elementwise(op, {&a, 1}, where);
}
NodeRef choose(const NodeRef& condition, const NodeRef& yes, const NodeRef& no,
               const Location& where) {
  const NodeRef inputs[] = {condition, yes, no};
  return detail::elementwise(Op::choose, inputs, where);
}

NodeRef add(const NodeRef& a, const NodeRef& b) {
  if (is_number(a, 0) && is_uniform(a)) return b;
  if (is_number(b, 0) && is_uniform(b)) return a;
  return apply(Op::add, a, b);
}
NodeRef subtract(const NodeRef& a, const NodeRef& b) {
  if (is_number(b, 0) && is_uniform(b)) return a;
  return apply(Op::subtract, a, b);
}

NodeRef pick(const NodeRef& rows, const NodeRef& indices, const Location& where) {
  if (is_uniform(rows)) return rows;
  const bool none = rows->shape.size() == 0;
  return detail::gather(rows, {&indices, 1}, none ? Boundary::constant(0) : Boundary::clamp(), 0,
                        where);
}
NodeRef pick_or_zero(const NodeRef& rows, const NodeRef& indices) {
  return detail::gather(rows, {&indices, 1}, Boundary::constant(0), 0, Location());
}

NodeRef part_of(const NodeRef& rows, int64_t begin, int64_t count) {
  const Range range{begin, count, 1};
  return detail::section(rows, {&range, 1}, Location());
}

NodeRef spread(const NodeRef& node, int64_t rows) {
  if (!is_uniform(node)) return node;
  if (node->kind == ir::Kind::constant)
    return detail::constant(node->value, rows_shape(rows), Location());
  return detail::broadcast(node, rows_shape(rows), Location());
}

NodeRef append(const NodeRef& a, int64_t a_rows, const NodeRef& b, int64_t b_rows) {
  if (b_rows == 0) return a;
  if (a_rows == 0) return b;
  if (is_uniform(a) && is_uniform(b) && a == b) return a;
  const NodeRef row = numbered(a_rows + b_rows);
  return choose(apply(Op::less, row, number(a_rows)), pick(a, row),
                pick(b, subtract(row, as_data(a_rows))));
}

}  // namespace tutti::nested
