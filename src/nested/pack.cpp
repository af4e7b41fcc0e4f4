// Filters, and the step behind them.
#include "nested/pack.hpp"

#include "nested/apply.hpp"

namespace tutti::nested {

NodeRef running_count(const NodeRef& flags, const Location& where) {
  return detail::scan(Reduction::sum, to_int32(flags, where), NodeRef(), false, where);
}

namespace {

// What the flags let pass of the rows of a vector.
NodeRef pack(const NodeRef& vector, const NodeRef& flags, const NodeRef& running, int64_t found) {
  const NodeRef empty = detail::constant({vector->type, 0}, rows_shape(found), Location());
  if (found == 0) return empty;
  const NodeRef target = choose(flags, subtract(running, number(1)), number(-1));
  return detail::scatter(empty, {&target, 1}, vector, Collision::any, Location());
}

// The same of rows of any kind: numbers go to their places, everything else is found from there.
Data packed_rows(const Data& rows, const NodeRef& flags, const NodeRef& running, int64_t count,
                 int64_t found) {
  if (rows.kind != Kind::scalar) return take(rows, places_of(flags, running, count, found), found);
  if (is_uniform(rows.node)) return rows;
  return as_data(pack(rows.node, flags, running, found));
}

}  // namespace

NodeRef places_of(const NodeRef& flags, const NodeRef& running, int64_t rows, int64_t found) {
  return pack(numbered(rows), flags, running, found);
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
    throw TypeError(std::string("filter takes truth values, not ") + name(hold->type) +
                    detail::at(where));
  if (rows == 0) return a.result(as_data(aligned.segments, aligned.elements[0]));

  // Where a segment ended there are now as many elements before as flags hold before.
  const NodeRef running = running_count(hold, where);
  const NodeRef found = pick(running, number(rows - 1));
  std::vector<NodeRef> wanted{hold, running};
  NodeRef offsets;
  if (!a.is_top()) {
    offsets = pick_or_zero(running, subtract(segments.offsets(), number(1)));
    wanted.push_back(offsets);
  }
  const Size total = Size::pending(found, std::move(wanted));
  const SegmentsRef packed = a.is_top() ? Segments::alike(1, found, total)
                                        : Segments::of_offsets(a.count(), offsets, total);
  const auto make = [elements = aligned.elements[0], hold, running, rows, total] {
    Data result = packed_rows(elements, hold, running, rows, total.get());
    want(result);
    return result;
  };
  return a.result(as_data(packed, std::make_shared<const Rows>(total, make)));
}

}  // namespace tutti::nested
