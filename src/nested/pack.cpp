// Filters, and the packing step that choices use too.
#include "nested/pack.hpp"

#include "nested/apply.hpp"

namespace tutti::nested {

NodeRef running_count(const NodeRef& flags, const Location& where) {
  return detail::scan(Reduction::sum, to_int32(flags, where), NodeRef(), false, where);
}

namespace {

// Returns the flagged rows of any kind: numbers are packed, sequences become views.
Data packed_rows(const Data& rows, const NodeRef& flags, int64_t found) {
  Data result = rows;
  switch (rows.kind) {
    case Kind::scalar:
      if (!is_uniform(rows.node)) result.node = detail::pack(flags, rows.node, found, Location());
      break;
    case Kind::tuple:
      for (Data& part : result.parts) part = packed_rows(part, flags, found);
      break;
    case Kind::sequence:
      result = take(rows, indices_of(flags, found), found);
      break;
  }
  return result;
}

// Returns the segments of the flagged elements. With many segments, a running count of the flags is
// read at the start of each: one pass, instead of several for counting and adding up.
SegmentsRef packed_segments(const Application& a, const NodeRef& flags, const Segments& segments) {
  const NodeRef ones = to_int32(flags, a.where());
  if (a.is_top()) {
    const int axis = 0;
    return Segments::of_lengths(1, detail::reduce(Reduction::sum, ones, {&axis, 1}, a.where()));
  }
  const NodeRef before = running_offsets(ones);
  const NodeRef offsets = pick(before, segments.offsets());
  const NodeRef found = pick(before, number(flags->shape[0]));
  return Segments::of_offsets(a.count(), offsets, Size::pending(found, {offsets}));
}

}  // namespace

NodeRef indices_of(const NodeRef& flags, int64_t found) {
  return detail::pack(flags, numbered(flags->shape[0]), found, Location());
}

Value filter(const ContextRef& at, const Value& sequence, const Value& flags,
             const Location& where) {
  const Value operands[] = {sequence, flags};
  const Application a(at, operands, "filter", where);
  const int both[] = {0, 1};
  const Application::Aligned aligned = a.align(both);
  const Segments& segments = *aligned.segments;
  const int64_t rows = segments.total().get();
  const NodeRef hold = spread(scalar_of(aligned.elements[1], "filter", where), rows);
  if (hold->type != ElementType::b8)
    throw TypeError(std::string("filter takes flags of type bool, not ") + name(hold->type) +
                    detail::at(where));
  if (rows == 0) return a.result(as_data(aligned.segments, aligned.elements[0]));

  want_with_next_size(hold);
  const SegmentsRef packed = packed_segments(a, hold, segments);
  const Size total = packed->total();
  const auto make = [elements = aligned.elements[0], hold, total] {
    Data result = packed_rows(elements, hold, total.get());
    want(result);
    return result;
  };
  return a.result(as_data(packed, make_small<const Rows>(total, make)));
}

}  // namespace tutti::nested
