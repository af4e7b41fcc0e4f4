#include "nesl/eval/plain_evaluator.hpp"

#include <chrono>

#include "nesl/core/free_variables.hpp"
#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/evaluator.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/values/stored_value.hpp"
#include "nested/error_texts.hpp"

namespace tutti::nesl {
void check_lengths(std::size_t first, std::size_t other) {
  if (first != other) throw RuntimeError("apply-to-each: " + nested::unequal_lengths(first, other));
}

// A call that gives the result of its function takes the place of it, so that loops, which are
// recursive functions, may be of any length.
Value PlainEvaluator::run(const CoreFunction& function, std::vector<Value> arguments) {
  const Machine::Call call(machine_, function);
  for (const CoreFunction* at = &function;;) {
    Frame frame{*at, std::move(arguments), {}};
    frame.slots.resize(at->slots);
    if (machine_.observer.is_on()) return observed(*at, frame);
    const CoreExpr& last = last_of(*at->body, frame);
    if (last.kind != CoreExpr::Kind::call) return evaluate(last, frame);
    arguments = arguments_of(last, frame);
    machine_.note_call(*at, last);
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

Value PlainEvaluator::run_part(const CoreFunction& function, const CoreExpr& expr,
                               std::vector<Value> slots) {
  Frame frame{function, std::move(slots), {}};
  return evaluate(expr, frame);
}

Value PlainEvaluator::observed(const CoreFunction& function, Frame& frame) {
  const ProfiledCall call(machine_.observer, function.name);
  return evaluate(*function.body, frame);
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
    case CoreExpr::Kind::call: {
      std::vector<Value> arguments = arguments_of(expr, frame);
      machine_.note_call(frame.function, expr);
      return run(*expr.function, std::move(arguments));
    }
    case CoreExpr::Kind::each:
      return each(expr, frame);
    case CoreExpr::Kind::pair: {
      Value first = evaluate(*expr.operands[0], frame);
      return Value(std::move(first), evaluate(*expr.operands[1], frame));
    }
    case CoreExpr::Kind::first:
    case CoreExpr::Kind::rest:
      if (const Value* known = find_part(expr, frame.slots)) return *known;
      return part_of(evaluate(*expr.operands[0], frame), expr);
    case CoreExpr::Kind::sequence: {
      Values elements;
      elements.reserve(expr.operands.size());
      for (const CoreRef& operand : expr.operands) elements.push_back(evaluate(*operand, frame));
      return Value(std::move(elements));
    }
    case CoreExpr::Kind::primitive:
      return expr.operands.size() <= few_operands ? primitive<few_operands>(expr, frame)
                                                  : primitive<most_operands>(expr, frame);
    case CoreExpr::Kind::once:
      return once(expr, frame);
    case CoreExpr::Kind::time:
      return time(expr, frame);
  }
  throw InternalError("an expression of the core language that the evaluator does not know");
}

// What prints or draws random numbers does so operation by operation for all elements, as contexts
// do: the output must not depend on the evaluator.
Value PlainEvaluator::each_in_contexts(const CoreExpr& expr, Frame& frame) {
  std::vector<nested::Value> slots(frame.slots.size());
  for (const auto& [slot, type] : free_variables(expr))
    slots[slot] = flat::to_flat(frame.slots[slot], type);
  flat::Evaluator evaluator(machine_);
  return flat::to_plain(evaluator.run_part(frame.function, expr, std::move(slots)), expr.type);
}

Value PlainEvaluator::each(const CoreExpr& expr, Frame& frame) {
  if (expr.effects && !expr.serial) return each_in_contexts(expr, frame);
  const std::size_t sources = expr.slots.size();
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < sources; ++i) sequences.push_back(evaluate(*expr.operands[i], frame));
  const std::size_t length = sequences[0].elements().size();
  at_place(expr, frame.function, [&] {
    for (const Value& sequence : sequences) check_lengths(length, sequence.elements().size());
    return Value();
  });
  if (!expr.once_slots.empty()) {
    frame.known.resize(frame.slots.size());
    for (int slot : expr.once_slots) frame.known[slot] = false;
  }
  Values results;
  results.reserve(length);
  add_results(expr, frame, sequences, results);
  return Value(std::move(results));
}

void PlainEvaluator::add_results(const CoreExpr& expr, Frame& frame,
                                 const std::vector<Value>& sequences, Values& results) {
  const std::size_t length = sequences[0].elements().size();
  for (std::size_t k = results.size(); k < length; ++k) {
    for (std::size_t i = 0; i < sequences.size(); ++i)
      frame.slots[expr.slots[i]] = sequences[i].elements()[k];
    results.push_back(evaluate(*expr.operands.back(), frame));
  }
}

void PlainEvaluator::go_on(HostEach& each) {
  Frame frame{*each.function, each.slots, {}};
  frame.known.resize(frame.slots.size());
  add_results(*each.expr, frame, each.sequences, each.results);
}

Value PlainEvaluator::once(const CoreExpr& expr, Frame& frame) {
  const int slot = expr.slots[0];
  if (frame.known[slot]) return frame.slots[slot];
  Value value = evaluate(*expr.operands[0], frame);
  frame.known[slot] = true;
  return frame.slots[slot] = std::move(value);
}

template <std::size_t most>
Value PlainEvaluator::primitive(const CoreExpr& expr, Frame& frame) {
  Value arguments[most];
  const std::size_t count = expr.operands.size();
  for (std::size_t i = 0; i < count; ++i) arguments[i] = evaluate(*expr.operands[i], frame);
  return apply(expr, frame.function, {arguments, count});
}

Value PlainEvaluator::apply(const CoreExpr& primitive, const CoreFunction& function,
                            std::span<const Value> arguments) {
  Mono types[most_operands];
  for (std::size_t i = 0; i < arguments.size(); ++i) types[i] = primitive.operands[i]->type;
  return at_place(primitive, function, [&] {
    return primitive.primitive->run(
        {arguments, {types, arguments.size()}, primitive.type, machine_});
  });
}

// The errors of the work happened at this expression.
template <class Work>
Value PlainEvaluator::at_place(const CoreExpr& expr, const CoreFunction& function,
                               const Work& work) {
  try {
    return work();
  } catch (RuntimeError& error) {
    if (!error.place.function) error.place = machine_.place_of(function, expr);
    throw;
  }
}

Value PlainEvaluator::time(const CoreExpr& expr, Frame& frame) {
  const auto begin = std::chrono::steady_clock::now();
  Value value = evaluate(*expr.operands[0], frame);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return Value(std::move(value), rounded(seconds.count(), expr.type->b));
}

}  // namespace tutti::nesl
