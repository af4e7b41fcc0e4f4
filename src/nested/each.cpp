// Apply-to-each, and tuples of sequences.
#include <numeric>

#include "nested/apply.hpp"

namespace tutti::nested {
namespace {

std::vector<int> first_operands(size_t count) {
  std::vector<int> result(count);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

}  // namespace

Elements enter(const ContextRef& at, std::span<const Value> sequences, const char* operation,
               const Location& where) {
  require_stack(operation, where);
  const Application a = Application::in(at, at, sequences, operation, where);
  Application::Aligned aligned = a.align(first_operands(sequences.size()));
  Elements result{at, aligned.segments->elements_context(at), aligned.segments, {}};
  for (Data& elements : aligned.elements)
    result.values.push_back({std::move(elements), result.context});
  return result;
}

Value leave(const Elements& elements, const Value& result) {
  return {as_data(elements.segments, lift(result, elements.context)), elements.outer};
}

Value tuple(const ContextRef& at, std::span<const Value> parts) {
  const Application a(at, parts, "tuple", Location());
  Data result;
  result.kind = Kind::tuple;
  for (size_t i = 0; i < parts.size(); ++i) result.parts.push_back(a.operand(static_cast<int>(i)));
  return a.result(std::move(result));
}

Value part(const Value& tuple, int i) {
  if (tuple.data.kind != Kind::tuple || i < 0 || i >= static_cast<int>(tuple.data.parts.size()))
    throw TypeError("part: part " + std::to_string(i) + " of a value that does not have it");
  return {tuple.data.parts[static_cast<size_t>(i)], tuple.context};
}

Value zip(const ContextRef& at, std::span<const Value> sequences, const Location& where) {
  const Application a(at, sequences, "zip", where);
  Application::Aligned aligned = a.align(first_operands(sequences.size()));
  Data elements;
  elements.kind = Kind::tuple;
  elements.parts = std::move(aligned.elements);
  return a.result(as_data(aligned.segments, std::move(elements)));
}

Value unzip(const Value& sequence_of_tuples, int i) {
  const Sequence& sequence = sequence_of(sequence_of_tuples.data, "unzip", Location());
  const Value elements = part({sequence.elements(), sequence_of_tuples.context}, i);
  return {
      as_data(sequence.segments(), make_small<const Rows>(sequence.rows()->size(), elements.data)),
      sequence_of_tuples.context};
}

}  // namespace tutti::nested
