// Reductions and scans: of the whole vector in the top context, otherwise of each segment.
#include <limits>

#include "graph/extreme_position.hpp"
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

// Folds the sequence in its own context, unless that reads far more elements than are needed. On a
// side of a choice its elements would have to be copied before they are folded, and often most of
// them are needed.
Application beside(const ContextRef& at, const Value& sequence, const char* operation,
                   const Location& where) {
  constexpr int64_t most_in_vain = 4;  // elements read for each that is needed
  const ContextRef wanted = meeting(at, {&sequence, 1}, operation, where);
  if (wanted != sequence.context && sequence.data.kind == Kind::sequence) {
    const Segments& segments = *sequence.data.sequence->segments();
    const std::optional<Size> needed = wanted->total_here(segments, *sequence.context);
    if (segments.is_dense() && needed && needed->known() && segments.total().known() &&
        *needed->known() * most_in_vain >= *segments.total().known())
      return Application::in(sequence.context, at, {&sequence, 1}, operation, where);
  }
  return Application::in(wanted, at, {&sequence, 1}, operation, where);
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
  const Application a = beside(at, sequence, ir::reduction_name(reduction), where);
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

namespace {

// Returns the row of the first greatest (least) element of each segment, in two passes: the
// extreme, then its position.
NodeRef extreme_row_by_search(const Application& a, Reduction max_or_min, const NodeRef& rows,
                              const Segments& segments) {
  const NodeRef best = reduce_rows(a, max_or_min, rows, segments);
  const NodeRef best_here = pick(best, segments.element_segments());
  NodeRef found = apply(Op::equal, rows, best_here);
  if (is_floating(rows->type))  // NaN is the extreme of any set that contains it
    found = apply(Op::logical_or, found,
                  apply(Op::logical_and, apply(Op::is_nan, rows), apply(Op::is_nan, best_here)));
  const NodeRef none = number(std::numeric_limits<int32_t>::max());
  return reduce_rows(a, Reduction::min, choose(found, numbered(rows->shape[0]), none), segments);
}

// Does the same in one pass.
NodeRef extreme_row(const Application& a, Reduction max_or_min, const NodeRef& rows,
                    const Segments& segments) {
  const NodeRef key = ir::make_extreme_key(max_or_min, rows, numbered(rows->shape[0]), a.where());
  const NodeRef best = reduce_rows(a, Reduction::min, key, segments);
  return detail::cast(ir::make_position_of_key(best, a.where()), ElementType::i32, a.where());
}

}  // namespace

Value extreme_index(const ContextRef& at, Reduction max_or_min, const Value& sequence,
                    const Location& where) {
  const Application a = beside(at, sequence, "extreme_index", where);
  const SequenceRef dense = a.sequence(0).dense();
  const Segments& segments = *dense->segments();
  const NodeRef rows =
      spread(scalar_of(dense->elements(), "extreme_index", where), segments.total().get());
  const NodeRef first = ir::fits_extreme_key(rows->type, rows->shape[0])
                            ? extreme_row(a, max_or_min, rows, segments)
                            : extreme_row_by_search(a, max_or_min, rows, segments);
  return a.result(as_data(choose(apply(Op::equal, segments.lengths(), number(0)), number(-1),
                                 subtract(first, segments.starts()))));
}

}  // namespace tutti::nested
