// Sorts, permutes and otherwise reorders the elements of sequences.
#include "nested/apply.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nested {
namespace {

// A sequence with the properties of each element's segment.
struct Seen {
  SequenceRef dense;
  const Segments& segments;
  int64_t rows;
  NodeRef start, length, position;  // of the element's segment; of the element in it

  Seen(const Application& a, int operand)
      : dense(a.sequence(operand).dense()),
        segments(*dense->segments()),
        rows(segments.total().get()),
        start(pick(segments.starts(), segments.element_segments())),
        length(pick(segments.lengths(), segments.element_segments())),
        position(segments.positions()) {}

  // Returns the elements at the given positions of their own segments.
  Data at(const NodeRef& positions) const {
    return as_data(dense->segments(), take(dense->elements(), add(start, positions), rows));
  }
};

NodeRef offsets_or_none(const Application& a, const Segments& segments) {
  return a.is_top() ? NodeRef() : segments.offsets();
}

NodeRef is_outside(const NodeRef& place, const NodeRef& length) {
  return apply(Op::logical_or, apply(Op::less, place, number(0)),
               apply(Op::greater_equal, place, length));
}

// Replaces rows at some indices: numbers directly, other kinds by the index of their source row.
Data put_rows(const Data& into, int64_t rows, const NodeRef& indices, const Data& values,
              int64_t count, Collision collision, const Location& where) {
  if (into.kind == Kind::scalar)
    return as_data(detail::scatter(spread(into.node, rows), {&indices, 1},
                                   spread(values.node, count), collision, where));
  if (collision != Collision::last && collision != Collision::any)
    throw TypeError("put: only numbers are combined where they collide" + detail::at(where));
  const NodeRef sources = add(numbered(count), number(rows));
  return take(append(into, rows, values, count),
              detail::scatter(numbered(rows), {&indices, 1}, sources, Collision::last, where),
              rows);
}

Value put_into(const ContextRef& at, const Value& values, const Value& indices, const Value& into,
               Collision collision, const char* operation, const Location& where) {
  const Value operands[] = {values, indices, into};
  const Application a(at, operands, operation, where);
  const int pairs[] = {0, 1};
  const Application::Aligned aligned = a.align(pairs);
  const SequenceRef target = a.sequence(2).dense();
  const ContextRef each_value = aligned.segments->elements_context(a.context());
  const Value index{aligned.elements[1], each_value};
  const Application placing = Application::in(each_value, at, {&index, 1}, operation, where);
  const NodeRef place = placing.integer(0);
  const NodeRef start = each_value->lift(target->segments()->starts(), *a.context());
  const NodeRef length = each_value->lift(target->segments()->lengths(), *a.context());
  const NodeRef wrong = is_outside(place, length);
  placing.require_not(wrong, {place, length}, [](auto n) { return no_place(n[0], n[1]); });

  const int64_t rows = target->rows()->count(), count = placing.count();
  if (rows == 0 || count == 0) return a.result(a.operand(2));
  const NodeRef targets = spread(choose(wrong, number(-1), add(start, place)), count);
  Data elements =
      put_rows(target->elements(), rows, targets, aligned.elements[0], count, collision, where);
  want(elements);
  return a.result(as_data(target->segments(), std::move(elements)));
}

}  // namespace

Value sort(const ContextRef& at, const Value& keys, const Value& values, bool descending,
           const Location& where) {
  const Value operands[] = {keys, values};
  const Application a(at, operands, "sort", where);
  const int both[] = {0, 1};
  const Application::Aligned aligned = a.align(both);
  const Segments& segments = *aligned.segments;
  const int64_t rows = segments.total().get();
  const NodeRef key = spread(scalar_of(aligned.elements[0], "sort", where), rows);
  const NodeRef offsets = offsets_or_none(a, segments);
  const Data& carried = aligned.elements[1];
  if (carried.kind == Kind::scalar)
    return a.result(as_data(
        aligned.segments,
        as_data(detail::sort_values(key, spread(carried.node, rows), offsets, descending, where))));
  const NodeRef order = detail::sort_permutation(key, offsets, descending, where);
  return a.result(as_data(aligned.segments, take(carried, order, rows)));
}

Value rank(const ContextRef& at, const Value& keys, bool descending, const Location& where) {
  const Application a(at, {&keys, 1}, "rank", where);
  const Seen seen(a, 0);
  const NodeRef key = spread(scalar_of(seen.dense->elements(), "rank", where), seen.rows);
  const NodeRef order =
      detail::sort_permutation(key, offsets_or_none(a, seen.segments), descending, where);
  return a.result(
      as_data(seen.dense->segments(),
              as_data(detail::scatter(spread(number(0), seen.rows), {&order, 1},
                                      spread(seen.position, seen.rows), Collision::any, where))));
}

Value reverse(const ContextRef& at, const Value& sequence, const Location& where) {
  const Application a(at, {&sequence, 1}, "reverse", where);
  const Seen seen(a, 0);
  return a.result(seen.at(subtract(subtract(seen.length, number(1)), seen.position)));
}

Value rotate(const ContextRef& at, const Value& sequence, const Value& by, const Location& where) {
  const Value operands[] = {sequence, by};
  const Application a(at, operands, "rotate", where);
  const Seen seen(a, 0);
  // by mod length, which is the same for all elements of a segment.
  const NodeRef steps = pick(a.integer(1), seen.segments.element_segments());
  const NodeRef less = apply(Op::remainder, steps, seen.length);
  const NodeRef moved = subtract(seen.position, less);
  const NodeRef wrapped = choose(apply(Op::less, moved, number(0)), add(moved, seen.length), moved);
  return a.result(seen.at(choose(apply(Op::greater_equal, wrapped, seen.length),
                                 subtract(wrapped, seen.length), wrapped)));
}

Value permute(const ContextRef& at, const Value& values, const Value& indices,
              const Location& where) {
  return put_into(at, values, indices, values, Collision::last, "permute", where);
}
Value put(const ContextRef& at, const Value& values, const Value& indices, const Value& into,
          const Location& where) {
  return put_into(at, values, indices, into, Collision::last, "put", where);
}
Value put(const ContextRef& at, const Value& values, const Value& indices, const Value& into,
          Collision collision, const Location& where) {
  return put_into(at, values, indices, into, collision, "put", where);
}

}  // namespace tutti::nested
