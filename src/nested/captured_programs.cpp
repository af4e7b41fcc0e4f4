// Runs captured programs in the instances of a context.
#include "nested/apply.hpp"
#include "tutti/seq_program.hpp"

namespace tutti::nested {
namespace {

void add_numbers(const Data& data, const Location& where, std::vector<detail::Argument>& numbers) {
  for (const Data& part : data.parts) add_numbers(part, where, numbers);
  if (data.kind == Kind::tuple) return;
  detail::Argument& number = numbers.emplace_back();
  number.nodes = {scalar_of(data, "each with a captured function", where)};
  number.where = where;
}

Data as_tuple(const std::vector<NodeRef>& nodes) {
  Data result;
  if (nodes.size() == 1) return as_data(nodes[0]);
  result.kind = Kind::tuple;
  for (const NodeRef& node : nodes) result.parts.push_back(as_data(node));
  return result;
}

void add_components(const Data& data, std::vector<NodeRef>& components) {
  if (data.kind == Kind::scalar) components.push_back(data.node);
  for (const Data& part : data.parts) add_components(part, components);
}

}  // namespace

Table table_of(const Value& value) {
  const Sequence& sequence = sequence_of(value.data, "a table of a program", Location());
  Table table;
  table.rows = sequence.rows()->count();
  add_components(spread(sequence.elements(), table.rows), table.components);
  table.starts = {as_data(sequence.segments()->starts()), value.context};
  table.lengths = {as_data(sequence.segments()->lengths()), value.context};
  return table;
}

Value run(const ContextRef& at, const detail::ProgramHandle& program,
          std::span<const Value> operands, const Location& where) {
  const Application a(at, operands, "each", where);
  std::vector<detail::Argument> numbers;
  for (int i = 0; i < static_cast<int>(operands.size()); ++i)
    add_numbers(a.operand(i), where, numbers);
  return a.result(as_tuple(detail::run(detail::bind(program, numbers))));
}

}  // namespace tutti::nested
