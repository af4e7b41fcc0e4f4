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

// Where the sequence lies, unless that is much more than what is asked for. In a side of a choice
// its elements would have to be copied before they are folded, and most of them are often there.
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

// The row of the first greatest (least) element of each segment, in two passes: the extreme, then
// where it is.
NodeRef extreme_row_by_search(const Application& a, Reduction max_or_min, const NodeRef& rows,
                              const Segments& segments) {
  const NodeRef best = reduce_rows(a, max_or_min, rows, segments);
  const NodeRef best_here = pick(best, segments.element_segments());
  NodeRef found = apply(Op::equal, rows, best_here);
  if (is_floating(rows->type))  // NaN is the extreme of what it is in
    found = apply(Op::logical_or, found,
                  apply(Op::logical_and, apply(Op::is_nan, rows), apply(Op::is_nan, best_here)));
  const NodeRef none = number(std::numeric_limits<int32_t>::max());
  return reduce_rows(a, Reduction::min, choose(found, numbered(rows->shape[0]), none), segments);
}

NodeRef wide(int64_t value) {
  return detail::constant({ElementType::i64, static_cast<uint64_t>(value)}, {}, Location());
}

// An element of at most four bytes as an integer of 32 bits, the greater the more extreme. Zeros
// are alike, and NaN is the extreme, also of a minimum, which is the maximum of what is negated.
NodeRef rank(const Application& a, Reduction max_or_min, const NodeRef& rows) {
  const bool greatest = max_or_min == Reduction::max;
  if (is_floating(rows->type)) {
    const NodeRef zero = detail::constant({rows->type, 0}, {}, a.where());
    const NodeRef number = apply(greatest ? Op::add : Op::subtract, zero, rows);
    return detail::cast(apply(Op::ordinal, number), ElementType::i64, a.where());
  }
  NodeRef number = detail::cast(rows, ElementType::i64, a.where());
  if (rows->type == ElementType::u32) number = subtract(number, wide(int64_t{1} << 31));
  return greatest ? number : apply(Op::bit_not, number);
}

// The same in one pass: how extreme an element is and, below that, its row as one integer, in which
// earlier rows are greater.
NodeRef extreme_row(const Application& a, Reduction max_or_min, const NodeRef& rows,
                    const Segments& segments) {
  const NodeRef row = detail::cast(numbered(rows->shape[0]), ElementType::i64, a.where());
  const NodeRef key = add(apply(Op::shift_left, rank(a, max_or_min, rows), wide(32)),
                          subtract(wide(0xffffffff), row));
  const NodeRef best = reduce_rows(a, Reduction::max, key, segments);
  return detail::cast(apply(Op::bit_and, apply(Op::bit_not, best), wide(0xffffffff)),
                      ElementType::i32, a.where());
}

}  // namespace

Value extreme_index(const ContextRef& at, Reduction max_or_min, const Value& sequence,
                    const Location& where) {
  const Application a = beside(at, sequence, "extreme_index", where);
  const SequenceRef dense = a.sequence(0).dense();
  const Segments& segments = *dense->segments();
  const NodeRef rows =
      spread(scalar_of(dense->elements(), "extreme_index", where), segments.total().get());
  const NodeRef first = size_of(rows->type) < 8
                            ? extreme_row(a, max_or_min, rows, segments)
                            : extreme_row_by_search(a, max_or_min, rows, segments);
  return a.result(as_data(choose(apply(Op::equal, segments.lengths(), number(0)), number(-1),
                                 subtract(first, segments.starts()))));
}

}  // namespace tutti::nested
