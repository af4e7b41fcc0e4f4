// Reductions and scans with user-defined operators, on numbers and tuples of them.
#include "nested/apply.hpp"
#include "program/user_reduction.hpp"

namespace tutti::nested {

class Operator {
 public:
  Type element;
  ir::Function function;
};

namespace {

bool has_sequences(const Type& type) {
  if (type.kind == Kind::sequence) return true;
  return std::any_of(type.parts.begin(), type.parts.end(), has_sequences);
}

Data make_parameters(const Type& type, ir::Components& parameters) {
  Data data;
  data.kind = type.kind;
  if (type.kind == Kind::scalar) {
    data.node = ir::make_parameter(type.element, 0, Location());
    parameters.push_back(data.node);
  }
  for (const Type& part : type.parts) data.parts.push_back(make_parameters(part, parameters));
  return data;
}

// Flattens a tuple, including nested tuples, to its numbers, and back.
void add_numbers(const Data& data, ir::Components& numbers) {
  if (data.kind == Kind::scalar) numbers.push_back(data.node);
  for (const Data& part : data.parts) add_numbers(part, numbers);
}
ir::Components numbers_of(const Data& data) {
  ir::Components numbers;
  add_numbers(data, numbers);
  return numbers;
}
Data with_numbers(const Data& like, ir::Components::const_iterator& number) {
  Data data = like;
  if (data.kind == Kind::scalar) data.node = *number++;
  for (Data& part : data.parts) part = with_numbers(part, number);
  return data;
}
Data with_numbers(const Data& like, const ir::Components& numbers) {
  auto number = numbers.begin();
  return with_numbers(like, number);
}

// A sequence, and the initial value of its fold.
struct Folded {
  Folded(const ContextRef& at, const Operator& combine, const Value& sequence, const Value& neutral,
         const char* operation, const Location& where)
      : a(at, std::vector{sequence, neutral}, operation, where),
        dense(a.sequence(0).dense()),
        segments(*dense->segments()),
        function(combine.function) {
    for (const NodeRef& number : numbers_of(dense->elements()))
      elements.push_back(nested::spread(number, segments.total().get()));
  }
  bool is_empty() const { return segments.total().get() == 0; }

  const Application a;
  const SequenceRef dense;
  const Segments& segments;
  const ir::Function& function;
  ir::Components elements;
};

}  // namespace

OperatorRef capture_operator(const Type& element,
                             const std::function<Value(const Value&, const Value&)>& combine) {
  if (has_sequences(element)) return nullptr;
  auto result = std::make_shared<Operator>();
  result->element = element;
  const Value left{make_parameters(element, result->function.parameters), top_context()},
      right{make_parameters(element, result->function.parameters), top_context()};
  NothingIsRead nothing_is_read;
  try {
    const Value combined = combine(left, right);
    if (combined.context != top_context() || !nothing_is_read.holds()) return nullptr;
    result->function.results = numbers_of(combined.data);
  } catch (const NothingIsRead::Violated&) {
    return nullptr;
  }
  return result;
}

Value reduce(const ContextRef& at, const Operator& combine, const Value& sequence,
             const Value& neutral, const Location& where) {
  const Folded f(at, combine, sequence, neutral, "reduce", where);
  if (f.is_empty()) return f.a.result(f.a.operand(1));
  if (!f.a.is_top())
    return f.a.result(with_numbers(f.dense->elements(),
                                   ir::fold_segments(f.function, f.elements, f.segments.offsets(),
                                                     numbers_of(f.a.operand(1)), where)));
  const int axis = 0;
  return f.a.result(
      with_numbers(f.dense->elements(), ir::fold_axes(f.function, f.elements, {&axis, 1}, where)));
}

Value scan(const ContextRef& at, const Operator& combine, const Value& sequence,
           const Value& neutral, const Location& where) {
  const Folded f(at, combine, sequence, neutral, "scan", where);
  ir::Components first = numbers_of(f.a.operand(1));
  for (NodeRef& number : first)
    if (!is_uniform(number)) number = pick(number, f.segments.element_segments());
  const ir::Components scanned = ir::scan_with(
      f.function, f.elements, f.a.is_top() ? NodeRef() : f.segments.offsets(), true, first, where);
  return f.a.result(as_data(f.dense->segments(), with_numbers(f.dense->elements(), scanned)));
}

}  // namespace tutti::nested
