// Reductions and scans: of the whole vector in the top context, else of each segment.
#include <limits>

#include "nested/apply.hpp"

namespace tutti::nested {
namespace {

NodeRef reduce_rows(const Application& a, Reduction reduction, const NodeRef& rows,
                    const Segments& segments) {
  if (!a.is_top()) return detail::segmented_reduce(reduction, rows, segments.offsets(), a.where());
  const int axis = 0;
  return detail::reduce(reduction, rows, {&axis, 1}, a.where());
}

Data reduce_data(const Application& a, Reduction reduction, const Data& elements,
                 const Segments& segments) {
  if (elements.kind == Kind::tuple) {
    Data result = elements;
    for (Data& part : result.parts) part = reduce_data(a, reduction, part, segments);
    return result;
  }
  const NodeRef rows =
      spread(scalar_of(elements, a.operation(), a.where()), segments.total().get());
  return as_data(reduce_rows(a, reduction, rows, segments));
}

Data scan_data(const Application& a, Reduction reduction, const Data& elements,
               const Segments& segments, bool exclusive) {
  if (elements.kind == Kind::tuple) {
    Data result = elements;
    for (Data& part : result.parts) part = scan_data(a, reduction, part, segments, exclusive);
    return result;
  }
  const NodeRef rows =
      spread(scalar_of(elements, a.operation(), a.where()), segments.total().get());
  return as_data(detail::scan(reduction, rows, a.is_top() ? NodeRef() : segments.offsets(),
                              exclusive, a.where()));
}

}  // namespace

Value reduce(const ContextRef& at, Reduction reduction, const Value& sequence,
             const Location& where) {
  const Application a(at, {&sequence, 1}, ir::reduction_name(reduction), where);
  const SequenceRef dense = a.sequence(0).dense();
  return a.result(reduce_data(a, reduction, dense->elements(), *dense->segments()));
}

Value scan(const ContextRef& at, Reduction reduction, const Value& sequence, bool exclusive,
           const Location& where) {
  const Application a(at, {&sequence, 1}, "scan", where);
  const SequenceRef dense = a.sequence(0).dense();
  return a.result(as_data(dense->segments(), scan_data(a, reduction, dense->elements(),
                                                       *dense->segments(), exclusive)));
}

Value extreme_index(const ContextRef& at, Reduction max_or_min, const Value& sequence,
                    const Location& where) {
  const Application a(at, {&sequence, 1}, "extreme_index", where);
  const SequenceRef dense = a.sequence(0).dense();
  const Segments& segments = *dense->segments();
  const int64_t count = segments.total().get();
  const NodeRef rows = spread(scalar_of(dense->elements(), "extreme_index", where), count);
  const NodeRef best = reduce_rows(a, max_or_min, rows, segments);
  const NodeRef best_here = pick(best, segments.element_segments());
  NodeRef found = apply(Op::equal, rows, best_here);
  if (is_floating(rows->type))  // NaN is the extreme of what it is in
    found = apply(Op::logical_or, found,
                  apply(Op::logical_and, apply(Op::is_nan, rows), apply(Op::is_nan, best_here)));
  const NodeRef none = number(std::numeric_limits<int32_t>::max());
  const NodeRef first =
      reduce_rows(a, Reduction::min, choose(found, numbered(count), none), segments);
  return a.result(as_data(
      choose(apply(Op::equal, first, none), number(-1), subtract(first, segments.starts()))));
}

}  // namespace tutti::nested
