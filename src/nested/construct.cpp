// Builds sequences from single values and from other sequences.
#include "nested/apply.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nested {
namespace {

// Interleaves rows: row r is that of item r mod k, of instance r / k.
Data interleave(std::span<const Data> items, const NodeRef& instance, const NodeRef& item,
                int64_t first, int64_t rows) {
  if (items.size() == 1) return take(items[0], instance, rows);
  const size_t half = items.size() / 2;
  const int64_t middle = first + static_cast<int64_t>(half);
  return choose(apply(Op::less, item, number(middle)),
                interleave(items.first(half), instance, item, first, rows),
                interleave(items.subspan(half), instance, item, middle, rows), rows);
}

// Interleaved sequences have as many elements as all items together.
void note_total(const Data& taken, std::span<const Data> items) {
  if (taken.kind != Kind::sequence) return;
  Size total(0);
  for (const Data& item : items) {
    const std::optional<Size>& part = item.sequence->segments()->known_total();
    if (!part) return;
    total = total.plus(*part);
  }
  taken.sequence->segments()->note_total(total);
}

Data literal_of(const Application& a, int items) {
  const SegmentsRef segments = a.context()->segments_of(items);
  std::vector<Data> data;
  for (int i = 0; i < items; ++i) {
    data.push_back(a.operand(i));
    if (data.back().kind != data[0].kind)
      throw TypeError(std::string(a.operation()) + ": elements of different types" +
                      detail::at(a.where()));
  }
  const Data rows =
      interleave(data, segments->element_segments(), segments->positions(), 0, a.count() * items);
  note_total(rows, data);
  return as_data(segments, rows);
}

Data flatten_rows(const Application& a, const Data& nested) {
  const SequenceRef outer = sequence_of(nested, a.operation(), a.where()).dense();
  const SequenceRef inner = sequence_of(outer->elements(), a.operation(), a.where()).dense();
  const Segments &groups = *outer->segments(), &pieces = *inner->segments();
  require_vector_size(a.at(), pieces.total());
  if (a.is_top()) {
    const NodeRef length = pick(pieces.offsets(), number(pieces.count()));
    return as_data(Segments::alike(1, length, pieces.total()), inner->rows());
  }
  return as_data(Segments::of_offsets(groups.count(), pick(pieces.offsets(), groups.offsets()),
                                      pieces.total()),
                 inner->rows());
}

// Returns segments with the lengths in the operand, which must not be negative.
SegmentsRef counted(const Application& a, int operand) {
  const NodeRef count = a.integer(operand);
  if (const auto known = known_number(count); known && *known >= 0)
    return Segments::of_lengths(a.count(), count);
  a.require_not(apply(Op::less, count, number(0)), {count}, [](auto n) { return no_length(n[0]); });
  return Segments::of_lengths(a.count(), apply(Op::max, count, number(0)));
}

}  // namespace

Value literal(const ContextRef& at, std::span<const Value> elements, const Location& where) {
  if (elements.empty())
    throw TypeError("seq: without elements the type is not known; use zero()" + detail::at(where));
  const Application a(at, elements, "seq", where);
  return a.result(literal_of(a, static_cast<int>(elements.size())));
}

Value iota(const ContextRef& at, const Value& count, const Location& where) {
  const Application a(at, {&count, 1}, "iota", where);
  const SegmentsRef segments = counted(a, 0);
  return a.result(as_data(segments, make_small<const Rows>(segments->total(), [segments] {
                            return as_data(segments->positions());
                          })));
}

Value distribute(const ContextRef& at, const Value& value, const Value& count,
                 const Location& where) {
  const Value operands[] = {value, count};
  const Application a(at, operands, "distribute", where);
  const SegmentsRef segments = counted(a, 1);
  const Value here{a.operand(0), a.context()};
  return a.result(as_data(segments, make_small<const Rows>(segments->total(), [segments, here] {
                            return lift(here, segments->elements_context(here.context));
                          })));
}

Value concat(const ContextRef& at, std::span<const Value> sequences, const Location& where) {
  const Application a(at, sequences, "concat", where);
  if (sequences.size() == 1) return a.result(a.operand(0));
  return a.result(flatten_rows(a, literal_of(a, static_cast<int>(sequences.size()))));
}

Value flatten(const ContextRef& at, const Value& sequence_of_sequences, const Location& where) {
  const Application a(at, {&sequence_of_sequences, 1}, "flatten", where);
  return a.result(flatten_rows(a, a.operand(0)));
}

Value partition(const ContextRef& at, const Value& sequence, const Value& counts,
                const Location& where) {
  const Value operands[] = {sequence, counts};
  const Application a(at, operands, "partition", where);
  const SequenceRef from = a.sequence(0).dense(), pieces = a.sequence(1).dense();
  const Segments& groups = *pieces->segments();
  const ContextRef each_count = groups.elements_context(a.context());
  const Value count{pieces->elements(), each_count};
  const Application counting = Application::in(each_count, at, {&count, 1}, "partition", where);
  const SegmentsRef segments = counted(counting, 0);

  const Value total =
      reduce(a.context(), Reduction::sum,
             {as_data(pieces->segments(), as_data(segments->lengths())), a.context()}, where);
  const NodeRef length = from->segments()->lengths(), sum = total.data.node;
  a.require_not(apply(Op::not_equal, sum, length), {sum, length},
                [](auto n) { return wrong_total(n[0], n[1]); });
  // If the counts are wrong, the error comes with their total; nothing is read outside before that.
  const auto rows = make_small<const Rows>(segments->total(), [segments, from] {
    const int64_t wanted = segments->total().get();
    return from->rows()->count() == wanted ? from->elements()
                                           : take(from->elements(), numbered(wanted), wanted);
  });
  return a.result(as_data(pieces->segments(), as_data(segments, rows)));
}

}  // namespace tutti::nested
