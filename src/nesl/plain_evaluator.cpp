#include "nesl/plain_evaluator.hpp"

#include <chrono>

#include "nesl/core_walk.hpp"
#include "nesl/primitive.hpp"
#include "nesl/stored_value.hpp"
#include "nesl/value_text.hpp"
#include "nested/problems.hpp"

namespace tutti::nesl {

void check_lengths(std::size_t first, std::size_t other) {
  if (first != other) throw RuntimeError("apply-to-each: " + nested::unequal_lengths(first, other));
}

// A call that gives the result of its function takes the place of it, so that loops, which are
// recursive functions, may be of any length.
Value PlainEvaluator::run(const CoreFunction& function, std::vector<Value> arguments) {
  const Machine::Call call(machine_);
  for (const CoreFunction* at = &function;;) {
    Frame frame{std::move(arguments), {}};
    frame.slots.resize(at->slots);
    if (machine_.observer.is_on()) return observed(*at, frame);
    const CoreExpr& last = last_of(*at->body, frame);
    if (last.kind != CoreExpr::Kind::call) return evaluate(last, frame);
    arguments = arguments_of(last, frame);
    at = last.function;
  }
}

const CoreExpr& PlainEvaluator::last_of(const CoreExpr& expr, Frame& frame) {
  return nesl::last_of(
      expr, frame.slots, [&](const CoreExpr& part) { return evaluate(part, frame); },
      [](const Value& truth) { return truth.boolean(); });
}

std::vector<Value> PlainEvaluator::arguments_of(const CoreExpr& call, Frame& frame) {
  return nesl::arguments_of<Value>(call,
                                   [&](const CoreExpr& part) { return evaluate(part, frame); });
}

Value PlainEvaluator::run_part(const CoreExpr& expr, std::vector<Value> slots) {
  Frame frame{std::move(slots), {}};
  return evaluate(expr, frame);
}

Value PlainEvaluator::observed(const CoreFunction& function, Frame& frame) {
  Observer& observer = machine_.observer;
  const auto traced = observer.trace.find(function.name);
  const int level = traced == observer.trace.end() ? 0 : traced->second;
  if (level > 2)
    machine_.print("Entering " + function.name + ": " +
                   to_text(frame.slots[0], function.parameter) + "\n");
  else if (level > 0)
    machine_.print("Entering " + function.name + "\n");
  const auto begin = std::chrono::steady_clock::now();
  Value result = evaluate(*function.body, frame);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (const auto cost = observer.profile.find(function.name); cost != observer.profile.end()) {
    ++cost->second.calls;
    cost->second.seconds += took.count();
  }
  if (level > 1)
    machine_.print("Leaving " + function.name + ": " + to_text(result, function.result) + "\n");
  else if (level > 0)
    machine_.print("Leaving " + function.name + "\n");
  return result;
}

Value PlainEvaluator::evaluate(const CoreExpr& expr, Frame& frame) {
  machine_.spend(1);
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return expr.value;
    case CoreExpr::Kind::global:
      // A value that was too large for the host makes the whole program large.
      if (!expr.global->is_plain()) machine_.end_of_trial();
      return expr.global->plain();
    case CoreExpr::Kind::variable:
      return frame.slots[expr.slots[0]];
    case CoreExpr::Kind::let:
    case CoreExpr::Kind::condition:
      return evaluate(last_of(expr, frame), frame);
    case CoreExpr::Kind::call:
      return run(*expr.function, arguments_of(expr, frame));
    case CoreExpr::Kind::each:
      return each(expr, frame);
    case CoreExpr::Kind::pair: {
      Value first = evaluate(*expr.operands[0], frame);
      return Value(std::move(first), evaluate(*expr.operands[1], frame));
    }
    case CoreExpr::Kind::first:
      return evaluate(*expr.operands[0], frame).first();
    case CoreExpr::Kind::rest:
      return evaluate(*expr.operands[0], frame).second();
    case CoreExpr::Kind::sequence: {
      Values elements;
      elements.reserve(expr.operands.size());
      for (const CoreRef& operand : expr.operands) elements.push_back(evaluate(*operand, frame));
      return Value(std::move(elements));
    }
    case CoreExpr::Kind::primitive:
      return primitive(expr, frame);
    case CoreExpr::Kind::once:
      return once(expr, frame);
    case CoreExpr::Kind::time:
      return time(expr, frame);
  }
  throw InternalError("an expression of the core language that the evaluator does not know");
}

Value PlainEvaluator::each(const CoreExpr& expr, Frame& frame) {
  const std::size_t sources = expr.slots.size();
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < sources; ++i) sequences.push_back(evaluate(*expr.operands[i], frame));
  const std::size_t length = sequences[0].elements().size();
  for (const Value& sequence : sequences) check_lengths(length, sequence.elements().size());
  if (!expr.once_slots.empty()) {
    frame.known.resize(frame.slots.size());
    for (int slot : expr.once_slots) frame.known[slot] = false;
  }
  Values results;
  results.reserve(length);
  for (std::size_t k = 0; k < length; ++k) {
    for (std::size_t i = 0; i < sources; ++i)
      frame.slots[expr.slots[i]] = sequences[i].elements()[k];
    results.push_back(evaluate(*expr.operands.back(), frame));
  }
  return Value(std::move(results));
}

Value PlainEvaluator::once(const CoreExpr& expr, Frame& frame) {
  const int slot = expr.slots[0];
  if (frame.known[slot]) return frame.slots[slot];
  Value value = evaluate(*expr.operands[0], frame);
  frame.known[slot] = true;
  return frame.slots[slot] = std::move(value);
}

Value PlainEvaluator::primitive(const CoreExpr& expr, Frame& frame) {
  Value arguments[8];
  Mono types[8];
  const std::size_t count = expr.operands.size();
  for (std::size_t i = 0; i < count; ++i) {
    arguments[i] = evaluate(*expr.operands[i], frame);
    types[i] = expr.operands[i]->type;
  }
  return expr.primitive->run({{arguments, count}, {types, count}, expr.type, machine_});
}

Value PlainEvaluator::time(const CoreExpr& expr, Frame& frame) {
  const auto begin = std::chrono::steady_clock::now();
  Value value = evaluate(*expr.operands[0], frame);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return Value(std::move(value), rounded(seconds.count(), expr.type->b));
}

}  // namespace tutti::nesl
