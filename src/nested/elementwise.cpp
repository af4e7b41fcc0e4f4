// Operations on numbers, and by them on tuples and on sequences element by element.
#include <algorithm>

#include "nested/apply.hpp"

namespace tutti::nested {
namespace {

// Applies the operation to rows of the context that the application runs in.
Data apply_to(const Application& a, Op op);

// If operands are sequences, their elements are instances, and other operands are lifted to each.
Data apply_to_elements(const Application& a, Op op, int operands, std::span<const int> sequences) {
  const Application::Aligned aligned = a.align(sequences);
  const ContextRef inner = aligned.segments->elements_context(a.context());
  SmallVector<Value> values;
  for (int i = 0; i < operands; ++i) values.push_back({a.operand(i), a.context()});
  for (size_t i = 0; i < sequences.size(); ++i)
    values[static_cast<size_t>(sequences[i])] = {aligned.elements[i], inner};
  const Application deeper = Application::in(inner, a.at(), values, a.operation(), a.where());
  return as_data(aligned.segments, apply_to(deeper, op));
}

// Applies the operation to tuples part by part.
Data apply_to_parts(const Application& a, Op op, int operands, size_t parts) {
  Data result;
  result.kind = Kind::tuple;
  for (size_t part = 0; part < parts; ++part) {
    SmallVector<Value> values;
    for (int i = 0; i < operands; ++i) {
      const Data& operand = a.operand(i);
      if (operand.kind == Kind::tuple && operand.parts.size() != parts)
        throw TypeError(std::string(a.operation()) + ": tuples of " + std::to_string(parts) +
                        " and " + std::to_string(operand.parts.size()) + " parts" +
                        detail::at(a.where()));
      values.push_back({operand.kind == Kind::tuple ? operand.parts[part] : operand, a.context()});
    }
    result.parts.push_back(
        apply_to(Application::in(a.context(), a.at(), values, a.operation(), a.where()), op));
  }
  return result;
}

Data apply_to(const Application& a, Op op) {
  const int operands = ir::op_arity(op);
  SmallVector<int> sequences;
  SmallVector<NodeRef> nodes;
  size_t parts = 0;
  for (int i = 0; i < operands; ++i) {
    if (a.operand(i).kind == Kind::sequence) sequences.push_back(i);
    parts = std::max(parts, a.operand(i).parts.size());
    nodes.push_back(a.operand(i).node);
  }
  if (!sequences.empty()) return apply_to_elements(a, op, operands, sequences);
  if (parts > 0) return apply_to_parts(a, op, operands, parts);
  return as_data(detail::elementwise(op, nodes, a.where()));
}

Data cast_data(const Data& data, ElementType type, const Location& where) {
  Data result = data;
  switch (data.kind) {
    case Kind::scalar:
      result.node = detail::cast(data.node, type, where);
      break;
    case Kind::tuple:
      for (Data& part : result.parts) part = cast_data(part, type, where);
      break;
    case Kind::sequence:
      // The rows of a view are cast in place.
      result = as_data(data.sequence->segments(),
                       make_small<const Rows>(Size(data.sequence->rows()->count()),
                                              cast_data(data.sequence->elements(), type, where)));
      break;
  }
  return result;
}

}  // namespace

Value elementwise(const ContextRef& at, Op op, std::span<const Value> operands,
                  const Location& where) {
  if (static_cast<int>(operands.size()) != ir::op_arity(op))
    throw TypeError(std::string(ir::op_name(op)) + " takes " + std::to_string(ir::op_arity(op)) +
                    " operands" + detail::at(where));
  const Application a(at, operands, ir::op_name(op), where);
  return a.result(apply_to(a, op));
}

Value cast(const ContextRef& at, const Value& value, ElementType type, const Location& where) {
  const Application a(at, {&value, 1}, "cast", where);
  return a.result(cast_data(a.operand(0), type, where));
}

}  // namespace tutti::nested
