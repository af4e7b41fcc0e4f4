#include "nesl/mixed_evaluator.hpp"

#include <chrono>
#include <cstring>

#include "nesl/core_walk.hpp"
#include "nesl/flat/convert.hpp"
#include "nesl/flat/place_notes.hpp"
#include "nesl/flat/primitives.hpp"
#include "nesl/free_variables.hpp"
#include "nesl/kernel_count.hpp"
#include "nesl/primitive.hpp"

namespace tutti::nesl {
namespace {

// Sequences up to this length are handled on the host: some 50 ns an element and operation there,
// about 20 us an operation in a context (two cores with AVX-512, November 2026).
constexpr std::size_t few_elements = 512;
// Steps that an apply-to-each on the host may take before it is flattened: some 3 ms.
constexpr std::int64_t each_steps = 60'000;
// Its calls need more stack than those of the plain evaluator.
constexpr int stack_weight = 2;

// Whether a primitive on host values would make a large sequence.
bool makes_many(const Primitive& primitive, const std::vector<Value>& operands) {
  if (std::strcmp(primitive.name, "iseq") == 0)
    return std::int64_t{operands[2].integer()} - operands[0].integer() >
           static_cast<std::int64_t>(few_elements) * std::max(1, operands[1].integer());
  if (std::strcmp(primitive.name, "dist") == 0)
    return operands[1].integer() > static_cast<int>(few_elements);
  return false;
}

}  // namespace

StoredValue MixedEvaluator::run(const CoreFunction& function) {
  const Mixed result = call(function, {});
  if (result.is_plain()) return StoredValue(function.result, result.plain);
  nested::Value value = to_flat(result, function.result);
  nested::synchronise();
  return StoredValue(function.result, std::move(value));
}

MixedEvaluator::Mixed MixedEvaluator::call(const CoreFunction& function,
                                           std::vector<Mixed> arguments) {
  const Machine::Call depth(machine_, function, stack_weight);
  // As in the plain evaluator, loops may be of any length.
  for (const CoreFunction* at = &function;;) {
    const KernelCount kernels(machine_, at->name);
    Frame frame{*at, std::move(arguments)};
    frame.slots.resize(at->slots);
    const CoreExpr& last = last_of(*at->body, frame);
    if (last.kind != CoreExpr::Kind::call) return evaluate(last, frame);
    arguments = arguments_of(last, frame);
    machine_.note_call(*at, last);
    at = last.function;
  }
}

const CoreExpr& MixedEvaluator::last_of(const CoreExpr& expr, Frame& frame) {
  return nesl::last_of(
      expr, frame.slots, [&](const CoreExpr& part) { return evaluate(part, frame); },
      [&](const Mixed& truth) { return to_host(truth, mono::boolean()).boolean(); });
}

std::vector<MixedEvaluator::Mixed> MixedEvaluator::arguments_of(const CoreExpr& call,
                                                                Frame& frame) {
  return nesl::arguments_of<Mixed>(call,
                                   [&](const CoreExpr& part) { return evaluate(part, frame); });
}

MixedEvaluator::Mixed MixedEvaluator::evaluate(const CoreExpr& expr, Frame& frame) {
  machine_.spend(1);
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return {expr.value, nullptr, nullptr};
    case CoreExpr::Kind::global:
      if (expr.global->is_plain()) return {expr.global->plain(), nullptr, nullptr};
      return {{}, std::make_shared<const nested::Value>(expr.global->flat()), nullptr};
    case CoreExpr::Kind::variable:
      return frame.slots[expr.slots[0]];
    case CoreExpr::Kind::let:
    case CoreExpr::Kind::condition:
      return evaluate(last_of(expr, frame), frame);
    case CoreExpr::Kind::call: {
      std::vector<Mixed> arguments = arguments_of(expr, frame);
      machine_.note_call(frame.function, expr);
      return call(*expr.function, std::move(arguments));
    }
    case CoreExpr::Kind::each:
      return each(expr, frame);
    case CoreExpr::Kind::pair: {
      Mixed first = evaluate(*expr.operands[0], frame);
      return pair(std::move(first), evaluate(*expr.operands[1], frame));
    }
    case CoreExpr::Kind::first:
      return part(evaluate(*expr.operands[0], frame), true);
    case CoreExpr::Kind::rest:
      return part(evaluate(*expr.operands[0], frame), false);
    case CoreExpr::Kind::sequence:
      return sequence(expr, frame);
    case CoreExpr::Kind::primitive:
      return primitive(expr, frame);
    case CoreExpr::Kind::time:
      return time(expr, frame);
    case CoreExpr::Kind::once:
      break;
  }
  throw InternalError("an expression that belongs inside an apply-to-each");
}

MixedEvaluator::Mixed MixedEvaluator::pair(Mixed first, Mixed second) const {
  if (first.is_plain() && second.is_plain())
    return {Value(std::move(first.plain), std::move(second.plain)), nullptr, nullptr};
  return {{},
          nullptr,
          std::make_shared<const std::pair<Mixed, Mixed>>(std::move(first), std::move(second))};
}

MixedEvaluator::Mixed MixedEvaluator::part(const Mixed& pair, bool first) const {
  if (pair.parts) return first ? pair.parts->first : pair.parts->second;
  if (pair.flat)
    return {{},
            std::make_shared<const nested::Value>(nested::part(*pair.flat, first ? 0 : 1)),
            nullptr};
  return {first ? pair.plain.first() : pair.plain.second(), nullptr, nullptr};
}

// Scalars come to the host at once: what is done with them is serial.
MixedEvaluator::Mixed MixedEvaluator::made_flat(nested::Value value, Mono type) const {
  if (mono::representation(type)->is_scalar())
    return {flat::to_plain(value, type), nullptr, nullptr};
  return {{}, std::make_shared<const nested::Value>(std::move(value)), nullptr};
}

Value MixedEvaluator::to_host(const Mixed& value, Mono type) const {
  if (value.flat) return flat::to_plain(*value.flat, type);
  if (!value.parts) return value.plain;
  const Mono pair = mono::representation(type);
  return Value(to_host(value.parts->first, pair->a), to_host(value.parts->second, pair->b));
}

nested::Value MixedEvaluator::to_flat(const Mixed& value, Mono type) const {
  if (value.flat) return *value.flat;
  if (!value.parts) return flat::to_flat(value.plain, type);
  const Mono pair = mono::representation(type);
  const nested::Value parts[] = {to_flat(value.parts->first, pair->a),
                                 to_flat(value.parts->second, pair->b)};
  return nested::tuple(nested::top_context(), parts);
}

MixedEvaluator::Mixed MixedEvaluator::sequence(const CoreExpr& expr, Frame& frame) {
  std::vector<Mixed> elements;
  bool plain = true;
  for (const CoreRef& operand : expr.operands) {
    elements.push_back(evaluate(*operand, frame));
    plain = plain && elements.back().is_plain();
  }
  if (plain) {
    Values values;
    for (Mixed& element : elements) values.push_back(std::move(element.plain));
    return {Value(std::move(values)), nullptr, nullptr};
  }
  std::vector<nested::Value> values;
  for (const Mixed& element : elements) values.push_back(to_flat(element, expr.type->a));
  return made_flat(nested::literal(nested::top_context(), values, detail::Location()), expr.type);
}

MixedEvaluator::Mixed MixedEvaluator::primitive(const CoreExpr& expr, Frame& frame) {
  std::vector<Mixed> operands;
  std::vector<Mono> types;
  bool plain = true;
  for (const CoreRef& operand : expr.operands) {
    operands.push_back(evaluate(*operand, frame));
    types.push_back(operand->type);
    plain = plain && operands.back().is_plain();
  }
  return flat::at_place(machine_, frame.function, expr,
                        [&] { return apply_primitive(expr, operands, types, plain); });
}

MixedEvaluator::Mixed MixedEvaluator::apply_primitive(const CoreExpr& expr,
                                                      const std::vector<Mixed>& operands,
                                                      const std::vector<Mono>& types, bool plain) {
  if (plain) {
    std::vector<Value> values;
    for (const Mixed& operand : operands) values.push_back(operand.plain);
    if (!makes_many(*expr.primitive, values))
      return {expr.primitive->run({values, types, expr.type, machine_}), nullptr, nullptr};
  }
  const flat::Function function = flat::find(*expr.primitive, types[0]);
  if (!function) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
      values.push_back(to_host(operands[i], types[i]));
    return {expr.primitive->run({values, types, expr.type, machine_}), nullptr, nullptr};
  }
  std::vector<nested::Value> values;
  for (std::size_t i = 0; i < operands.size(); ++i)
    values.push_back(to_flat(operands[i], types[i]));
  return made_flat(
      function({*expr.primitive, nested::top_context(), values, types, expr.type, machine_}),
      expr.type);
}

MixedEvaluator::Mixed MixedEvaluator::each(const CoreExpr& expr, Frame& frame) {
  if (expr.serial) {
    std::vector<Mixed> sources;
    for (std::size_t i = 0; i < expr.slots.size(); ++i)
      sources.push_back(evaluate(*expr.operands[i], frame));
    return serial_each(expr, frame, sources);
  }
  Mixed result;
  // What prints or draws random numbers does so in the order of contexts.
  if (!expr.effects && try_each_on_host(expr, frame, result)) return result;
  return flat_each(expr, frame);
}

MixedEvaluator::Mixed MixedEvaluator::serial_each(const CoreExpr& expr, Frame& frame,
                                                  const std::vector<Mixed>& sources) {
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < sources.size(); ++i)
    sequences.push_back(to_host(sources[i], expr.operands[i]->type));
  Values results;
  const std::size_t length = sequences[0].elements().size();
  flat::at_place(machine_, frame.function, expr, [&] {
    for (const Value& sequence : sequences) check_lengths(length, sequence.elements().size());
  });
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t i = 0; i < sequences.size(); ++i)
      frame.slots[expr.slots[i]] = {sequences[i].elements()[k], nullptr, nullptr};
    results.push_back(to_host(evaluate(*expr.operands.back(), frame), expr.type->a));
  }
  return {Value(std::move(results)), nullptr, nullptr};
}

const std::vector<std::pair<int, Mono>>& MixedEvaluator::variables_of(const CoreExpr& expr) {
  const auto [at, is_new] = variables_.try_emplace(&expr);
  if (is_new) at->second = free_variables(expr);
  return at->second;
}

// Everything it uses must be on the host; the steps it takes show whether it belongs there.
bool MixedEvaluator::try_each_on_host(const CoreExpr& expr, Frame& frame, Mixed& result) {
  for (const auto& [slot, type] : variables_of(expr))
    if (!frame.slots[slot].is_plain()) return false;
  if (machine_.in_trial()) return false;
  std::vector<Value> slots(frame.slots.size());
  for (const auto& [slot, type] : variables_of(expr)) slots[slot] = frame.slots[slot].plain;
  machine_.begin_trial(each_steps);
  try {
    result = {plain_.run_part(frame.function, expr, std::move(slots)), nullptr, nullptr};
    machine_.end_trial(true);
    return true;
  } catch (const TrialOver&) {
    machine_.end_trial(false);
    return false;
  } catch (...) {
    machine_.end_trial(true);
    throw;
  }
}

MixedEvaluator::Mixed MixedEvaluator::flat_each(const CoreExpr& expr, Frame& frame) {
  std::vector<nested::Value> slots(frame.slots.size());
  for (const auto& [slot, type] : variables_of(expr))
    slots[slot] = to_flat(frame.slots[slot], type);
  return made_flat(flat_.run_part(frame.function, expr, std::move(slots)), expr.type);
}

MixedEvaluator::Mixed MixedEvaluator::time(const CoreExpr& expr, Frame& frame) {
  const auto begin = std::chrono::steady_clock::now();
  Mixed value = evaluate(*expr.operands[0], frame);
  if (!value.is_plain()) flat::force(to_flat(value, expr.operands[0]->type));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return pair(std::move(value), {rounded(seconds.count(), expr.type->b), nullptr, nullptr});
}

}  // namespace tutti::nesl
