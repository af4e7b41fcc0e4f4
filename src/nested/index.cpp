// Lengths, single elements, gathers and slices: arithmetic on starts, without copies.
#include "nested/apply.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nested {
namespace {

NodeRef outside(const NodeRef& i, const NodeRef& length) {
  return apply(Op::logical_or, apply(Op::less, i, number(0)), apply(Op::greater_equal, i, length));
}

// Returns whether the index of an element is known to be valid.
bool is_inside(const NodeRef& i, const NodeRef& length) {
  const auto place = known_number(i), size = known_number(length);
  return place && size && *place >= 0 && *place < *size;
}

// Returns one element of the first operand in each row, at the index in the second.
Data element_at(const Application& a) {
  const Sequence& from = a.sequence(0);
  const NodeRef place = a.integer(1), length = from.segments()->lengths();
  if (!is_inside(place, length))
    a.require_not(outside(place, length), {place, length},
                  [](auto n) { return no_element(n[0], n[1]); });
  return take(from.elements(), add(from.segments()->starts(), place), a.count());
}

}  // namespace

Value length(const Value& sequence) {
  const SegmentsRef& segments = sequence_of(sequence.data, "length", Location()).segments();
  sequence.context->note(segments);
  return {as_data(segments->lengths()), sequence.context};
}

Value lengths(const ContextRef& at, const Value& sequence_of_sequences, const Location& where) {
  const Value operands[] = {sequence_of_sequences};
  const Application a(at, operands, "lengths", where);
  const SequenceRef outer = a.sequence(0).dense();
  const Sequence& inner = sequence_of(outer->elements(), "lengths", where);
  return a.result(as_data(outer->segments(), as_data(inner.segments()->lengths())));
}

Value index(const ContextRef& at, const Value& sequence, const Value& i, const Location& where) {
  const Value operands[] = {sequence, i};
  const Application a(at, operands, "index", where);
  return a.result(element_at(a));
}

Value gather(const ContextRef& at, const Value& sequence, const Value& indices,
             const Location& where) {
  const Value operands[] = {sequence, indices};
  const Application a(at, operands, "gather", where);
  const SequenceRef wanted = a.sequence(1).dense();
  const ContextRef inner = wanted->segments()->elements_context(a.context());
  const Value in_each[] = {{a.operand(0), a.context()}, {wanted->elements(), inner}};
  const Application element = Application::in(inner, at, in_each, "gather", where);
  return a.result(as_data(wanted->segments(), element_at(element)));
}

Value slice(const ContextRef& at, const Value& sequence, const Value& begin, const Value& count,
            const Location& where) {
  const Value operands[] = {sequence, begin, count};
  const Application a(at, operands, "slice", where);
  const Sequence& from = a.sequence(0);
  const NodeRef first = a.integer(1), wanted = a.integer(2), length = from.segments()->lengths();
  const NodeRef negative =
      apply(Op::logical_or, apply(Op::less, first, number(0)), apply(Op::less, wanted, number(0)));
  const NodeRef beyond = apply(Op::greater, wanted, subtract(length, first));
  a.require_not(apply(Op::logical_or, negative, beyond), {wanted, first, length},
                [](auto n) { return no_slice(n[0], n[1], n[2]); });
  const NodeRef taken = apply(Op::max, wanted, number(0));
  return a.result(as_data(Segments::view(a.count(), add(from.segments()->starts(), first), taken),
                          from.rows()));
}

}  // namespace tutti::nested
