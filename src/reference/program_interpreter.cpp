#include "reference/program_interpreter.hpp"

#include <cstdio>
#include <cstring>

#include "core/elements/convert.hpp"
#include "core/settings/settings.hpp"
#include "numerics/scalar_apply.hpp"

namespace tutti::ir {

ProgramInterpreter::ProgramInterpreter(const ScalarProgram& program, std::vector<Table> tables)
    : program_(program), tables_(std::move(tables)) {
  for (ElementType type : program.values) values_.push_back({type, 0});
}

std::vector<ScalarValue> ProgramInterpreter::run(std::span<const ScalarValue> inputs,
                                                 int64_t element) {
  element_ = element;
  std::copy(inputs.begin(), inputs.end(), values_.begin());
  slots_.clear();
  count(static_cast<int64_t>(program_.slots.size()));
  for (ElementType type : program_.slots) slots_.push_back({type, 0});
  arrays_.clear();
  for (const auto& array : program_.arrays) {
    count(array.size);
    arrays_.emplace_back(static_cast<size_t>(array.size), ScalarValue{array.type, 0});
  }
  run(program_.body);
  std::vector<ScalarValue> outputs;
  for (int output : program_.outputs) outputs.push_back(slots_[static_cast<size_t>(output)]);
  return outputs;
}

ProgramInterpreter::Flow ProgramInterpreter::run(const Block& block) {
  for (const Statement& statement : block)
    if (const Flow flow = run(statement); flow != Flow::on) return flow;
  return Flow::on;
}

ProgramInterpreter::Flow ProgramInterpreter::run(const Statement& s) {
  const auto result = static_cast<size_t>(s.result), place = static_cast<size_t>(s.place);
  count(1);
  switch (s.kind) {
    case StatementKind::operation: {
      ScalarValue operands[3];
      for (size_t i = 0; i < s.inputs.size(); ++i) operands[i] = value(s.inputs[i]);
      values_[result] = apply_operation(s.op, s.type, std::span(operands, s.inputs.size()));
      note(s);
      break;
    }
    case StatementKind::cast:
      values_[result] = convert(value(s.inputs[0]), s.type);
      note(s);
      break;
    case StatementKind::gather: {
      const int64_t position = position_of(s);
      values_[result] = gather(s, position);
      note(s, position);
      break;
    }
    case StatementKind::read:
      values_[result] = slots_[place];
      note(s);
      break;
    case StatementKind::assign:
      slots_[place] = value(s.inputs[0]);
      note(s);
      break;
    case StatementKind::clear:
      count(static_cast<int64_t>(arrays_[place].size()));
      for (ScalarValue& element : arrays_[place]) element.bits = 0;
      note(s);
      break;
    case StatementKind::read_element: {
      const int64_t i = element_of(s);
      values_[result] = i < 0 ? ScalarValue{s.type, 0} : arrays_[place][static_cast<size_t>(i)];
      note(s, i);
      break;
    }
    case StatementKind::assign_element: {
      const int64_t i = element_of(s);
      if (i >= 0) arrays_[place][static_cast<size_t>(i)] = value(s.inputs[1]);
      note(s, i);
      break;
    }
    case StatementKind::branch:
      return run(s.blocks[value(s.inputs[0]).bits ? 0 : 1]);
    case StatementKind::loop:
      return run_loop(s);
    case StatementKind::leave:
      return Flow::leave;
    case StatementKind::next:
      return Flow::next;
    case StatementKind::trace:
      if (live_settings().debug_programs) trace(s);
      break;
  }
  return Flow::on;
}

ProgramInterpreter::Flow ProgramInterpreter::run_loop(const Statement& loop) {
  while (run(loop.blocks[0]) != Flow::leave) {
    count(1);  // iterations without a statement count too
    if (run(loop.blocks[1]) == Flow::leave) break;
  }
  return Flow::on;
}

void ProgramInterpreter::count(int64_t statements) {
  if (left_ && (*left_ -= statements) < 0)
    throw Error("a program runs more statements than are allowed here");
}

int64_t ProgramInterpreter::position_of(const Statement& gather) const {
  const Table& table = tables_[static_cast<size_t>(gather.place)];
  int64_t position = 0;
  for (int axis = 0; axis < table.shape.rank; ++axis) {
    int64_t coordinate = static_cast<int32_t>(value(gather.inputs[static_cast<size_t>(axis)]).bits);
    if (!bring_inside(coordinate, table.shape[axis], gather.boundary)) return -1;
    position = position * table.shape[axis] + coordinate;
  }
  return position;
}

ScalarValue ProgramInterpreter::gather(const Statement& s, int64_t position) const {
  if (position < 0) return value(s.inputs.back());
  const Table& table = tables_[static_cast<size_t>(s.place)];
  ScalarValue result{s.type, 0};
  const auto size = static_cast<size_t>(size_of(s.type));
  std::memcpy(&result.bits, table.elements + static_cast<size_t>(position) * size, size);
  return result;
}

int64_t ProgramInterpreter::element_of(const Statement& s) const {
  const int64_t i = static_cast<int32_t>(value(s.inputs[0]).bits);
  return i >= 0 && i < program_.arrays[static_cast<size_t>(s.place)].size ? i : -1;
}

void ProgramInterpreter::trace(const Statement& s) const {
  const ScalarValue& x = value(s.inputs[0]);
  visit_type(x.type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::fprintf(stderr, "%s [element %lld] = %.9g\n",
                 program_.labels[static_cast<size_t>(s.place)].c_str(),
                 static_cast<long long>(element_), static_cast<double>(from_bits<T>(x.bits)));
  });
}

}  // namespace tutti::ir
