#include "program/likely_uniform.hpp"

namespace tutti::ir {
namespace {

bool is_straight(const Statement& s) {
  switch (s.kind) {
    case StatementKind::operation:
    case StatementKind::cast:
    case StatementKind::gather:
    case StatementKind::read:
    case StatementKind::assign:
      return true;
    default:
      return false;
  }
}

bool splits_coordinate(const ScalarProgram& program, const Statement& s, const Uniformity& known) {
  return s.kind == StatementKind::operation && (s.op == Op::divide || s.op == Op::remainder) &&
         is_integer(program.values[static_cast<size_t>(s.result)]) &&
         known.consecutive(s.inputs[0]) && known.value(s.inputs[1]);
}

// Loops that all lanes leave together, and accesses to one element or to neighbours.
int uniform_statements(const ScalarProgram& program, const Uniformity& uniformity) {
  int count = 0;
  for_each_statement(program.body, [&](const Statement& s) {
    if (s.kind == StatementKind::loop) count += uniformity.loop(s);
    if (s.kind != StatementKind::gather) return;
    const auto rank = static_cast<size_t>(program.tables[static_cast<size_t>(s.place)].rank);
    bool row = uniformity.consecutive(s.inputs[rank - 1]);
    for (size_t axis = 0; axis + 1 < rank; ++axis) row &= uniformity.value(s.inputs[axis]);
    count += row || uniformity.value(s.result);
  });
  return count;
}

}  // namespace

LikelyUniform find_likely_uniform(const ScalarProgram& program, const Uniformity& known,
                                  const std::vector<bool>& uniform_inputs,
                                  const std::vector<bool>& consecutive_inputs) {
  LikelyUniform result;
  if (!program.loops) return result;
  result.assumed = {std::vector<bool>(program.values.size(), false),
                    std::vector<bool>(program.values.size(), false)};
  for (size_t i = 0; i < program.body.size() && is_straight(program.body[i]); ++i) {
    const Statement& s = program.body[i];
    if (!splits_coordinate(program, s, known)) continue;
    auto& set = s.op == Op::divide ? result.assumed.uniform : result.assumed.consecutive;
    set[static_cast<size_t>(s.result)] = true;
    result.prefix = i + 1;
  }
  if (result.empty()) return result;
  const Uniformity then(program, uniform_inputs, consecutive_inputs, result.assumed);
  if (uniform_statements(program, then) == uniform_statements(program, known)) return {};
  return result;
}

}  // namespace tutti::ir
