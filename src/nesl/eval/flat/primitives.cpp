#include "nesl/eval/flat/primitives.hpp"

#include <string_view>

#include "nesl/eval/flat/convert.hpp"
#include "nesl/library/primitive.hpp"
#include "nested/context.hpp"

namespace tutti::nesl::flat {

using detail::Location;

Function find(const Primitive& primitive, Mono first_operand) {
  const std::string_view wanted = primitive.name;
  if (wanted == "rand") return random_numbers;
  if (wanted == "name-first") return name;
  if (wanted == "hash") return can_hash(first_operand) ? hash : nullptr;
  static const Table table = [] {
    Table all;
    add_scalar_functions(all);
    add_sequence_functions(all);
    add_fold_functions(all);
    return all;
  }();
  const auto at = table.find(primitive.name);
  return at == table.end() ? nullptr : at->second;
}

nested::Value on_the_host(const Call& call) {
  const Primitive& primitive = call.primitive;
  // What has no effect is computed once for all instances that share its operands.
  const bool effects = primitive.effect != Effect::none;
  if (effects) nested::synchronise();  // an error that came before it ends the program
  const nested::ContextRef context =
      effects ? call.at : nested::meeting(call.at, call.operands, primitive.name, Location());
  std::vector<Values> operands;
  for (std::size_t i = 0; i < call.operands.size(); ++i)
    operands.push_back(rows_of(call.operands[i], context, call.types[i]));
  Values results;
  const auto rows = static_cast<std::size_t>(nested::instances(context));
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<Value> arguments;
    for (const Values& operand : operands) arguments.push_back(operand[row]);
    results.push_back(primitive.run({arguments, call.types, call.result, call.machine}));
  }
  return from_rows(results, context, call.result);
}

nested::Value apply(const Call& call, Op op, std::initializer_list<nested::Value> operands) {
  return nested::elementwise(call.at, op, {operands.begin(), operands.size()}, Location());
}

nested::Value integer(int value) {
  return nested::constant(scalar_value(std::int32_t{value}), Location());
}

nested::Value floating(double value) { return constant_of(value, mono::floating()); }

void require_not(const Call& call, const nested::Value& wrong, const char* message) {
  if (!call.machine.checks) return;
  if (call.instead) return call.instead->require_not(wrong, message);
  nested::require_not(call.at, wrong, "", message, Location());
}

}  // namespace tutti::nesl::flat
