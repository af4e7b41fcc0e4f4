// Filters, and the step behind them.
#include "nested/pack.hpp"

#include "nested/apply.hpp"

namespace tutti::nested {

NodeRef running_count(const NodeRef& flags, const Location& where) {
  return detail::scan(Reduction::sum, to_int32(flags, where), NodeRef(), false, where);
}

NodeRef places_of(const NodeRef& flags, const NodeRef& running, int64_t rows, int64_t found) {
  const NodeRef nowhere = spread(number(0), found);
  if (found == 0) return nowhere;
  const NodeRef target = choose(flags, subtract(running, number(1)), number(-1));
  return detail::scatter(nowhere, {&target, 1}, numbered(rows), Collision::any, Location());
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
    const int64_t left = total.get();
    Data result = take(elements, places_of(hold, running, rows, left), left);
    want(result);
    return result;
  };
  return a.result(as_data(packed, std::make_shared<const Rows>(total, make)));
}

}  // namespace tutti::nested
