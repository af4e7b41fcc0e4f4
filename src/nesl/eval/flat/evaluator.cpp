#include "nesl/eval/flat/evaluator.hpp"

#include <chrono>
#include <utility>

#include "nesl/core/last_uses.hpp"
#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/flat/captured_loop.hpp"
#include "nesl/eval/flat/cheap.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/place_notes.hpp"
#include "nesl/eval/flat/primitives.hpp"
#include "nesl/eval/race/kernel_count.hpp"
#include "nesl/io/shared_program.hpp"
#include "nesl/library/primitive.hpp"
#include "nesl/values/stored_value.hpp"
#include "nested/rounds.hpp"

namespace tutti::nesl::flat {
namespace {

using detail::Location;
using nested::ContextRef;

// Evaluating a node is some hundred times the work of a step of the plain evaluator.
constexpr std::int64_t steps_of_a_node = 100;

nested::Value constant(const CoreExpr& expr) {
  const Mono type = mono::representation(expr.type);
  return type->is_scalar() ? constant_of(expr.value, type) : to_flat(expr.value, type);
}

// Both branches are computed everywhere.
bool is_selected(const CoreExpr& condition) {
  return is_cheap(*condition.operands[1]) && is_cheap(*condition.operands[2]);
}

// The call that the other calls of a body are joined with: of the function itself if there is one,
// so that a recursion is a loop.
const CoreExpr* next_call(const CoreFunction& running, const auto& leaves) {
  const CoreExpr* next = nullptr;
  for (const auto& leaf : leaves)
    if (leaf.call && (!next || leaf.call->function == &running)) next = leaf.call;
  return next;
}

}  // namespace

nested::Value Evaluator::run(const CoreFunction& function) {
  nested::Value result = call(function, {}, nested::top_context());
  nested::synchronise();
  return result;
}

nested::Value Evaluator::run_part(const CoreFunction& function, const CoreExpr& expr,
                                  std::vector<nested::Value> slots) {
  Frame frame{function, std::move(slots), {}, nested::top_context()};
  frame.known.resize(frame.slots.size());
  return evaluate(expr, frame, nested::top_context());
}

nested::Value Evaluator::run_each(const CoreFunction& function, const CoreExpr& expr,
                                  std::vector<nested::Value> slots,
                                  std::vector<nested::Value> sequences) {
  Frame frame{function, std::move(slots), {}, nested::top_context()};
  frame.known.resize(frame.slots.size());
  return each_of(expr, frame, nested::top_context(), std::move(sequences));
}

nested::Value Evaluator::call(const CoreFunction& function, std::vector<nested::Value> arguments,
                              const ContextRef& at) {
  const Machine::Call depth(machine_, function);
  if (!may_loop(function)) {
    const KernelCount kernels(machine_, function.name);
    const ProfiledCall profiled(machine_.observer, function.name);
    Frame frame{function, std::move(arguments), {}, at};
    frame.slots.resize(function.slots);
    return evaluate(*function.body, frame, at);
  }
  return loop(function, std::move(arguments), at);
}

bool Evaluator::may_loop(const CoreFunction& function) {
  const auto [known, is_new] = loops_.try_emplace(&function, false);
  if (is_new) known->second = is_loop(function);
  return known->second;
}

const LoopShape* Evaluator::captured_shape(const CoreFunction& function) {
  if (machine_.observer.is_on()) return nullptr;
  const auto [known, is_new] = shapes_.try_emplace(&function);
  if (is_new) known->second = loop_shape(function);
  return known->second ? &*known->second : nullptr;
}

// A call that gives the result of its function takes the place of it. Instances that have come to
// their result leave; those that call the same function, in whichever branch, go on together. What
// a round has computed for itself is dropped with it.
nested::Value Evaluator::loop(const CoreFunction& function, std::vector<nested::Value> arguments,
                              const ContextRef& at) {
  if (at != nested::top_context())
    if (const LoopShape* shape = captured_shape(function)) {
      const KernelCount kernels(machine_, function.name);
      return run_captured(function, *shape, arguments, at, machine_);
    }
  nested::Finished finished(at);
  nested::Round now{at, std::move(arguments)};
  for (const CoreFunction* running = &function;;) {
    std::vector<Leaf> leaves = leaves_of(*running, std::move(now.values), now.context);
    const CoreExpr* next = next_call(*running, leaves);
    std::vector<nested::Round> going_on;
    for (Leaf& leaf : leaves) {
      if (!leaf.call)
        finished.add(leaf.at, leaf.values[0]);
      else if (leaf.call->function == next->function)
        going_on.push_back({leaf.at, std::move(leaf.values)});
      else
        finished.add(leaf.at, call_now(*running, *leaf.call, std::move(leaf.values), leaf.at));
    }
    if (!next) return finished.value();
    leaves.clear();
    now = nested::regroup(at, std::move(going_on));
    machine_.note_call(*running, *next);
    if (tails_)
      if (const auto result = tails_->finish(*next, now.values, now.context)) {
        finished.add(now.context, *result);
        return finished.value();
      }
    running = next->function;
  }
}

std::vector<Evaluator::Leaf> Evaluator::leaves_of(const CoreFunction& function,
                                                  std::vector<nested::Value> arguments,
                                                  const ContextRef& at) {
  const KernelCount kernels(machine_, function.name);
  const ProfiledCall profiled(machine_.observer, function.name);
  Frame frame{function, std::move(arguments), {}, at};
  frame.slots.resize(function.slots);
  std::vector<Leaf> leaves;
  add_leaves(*function.body, frame, at, leaves);
  return leaves;
}

// Through lets and ifs to the expressions that give the value. Where the order of effects shows,
// calls are not put off.
void Evaluator::add_leaves(const CoreExpr& expr, Frame& frame, const ContextRef& at,
                           std::vector<Leaf>& leaves) {
  if (expr.kind == CoreExpr::Kind::let) {
    bind(expr, frame, at);
    return add_leaves(*expr.operands.back(), frame, at, leaves);
  }
  if (expr.kind == CoreExpr::Kind::condition && !is_selected(expr)) {
    const nested::Branches branches =
        nested::branch(at, evaluate(*expr.operands[0], frame, at), Location());
    return take_sides(expr, frame, branches, [&](const CoreExpr& side, const ContextRef& its) {
      add_leaves(side, frame, its, leaves);
    });
  }
  if (expr.kind == CoreExpr::Kind::call && !frame.function.effects())
    leaves.push_back({at, &expr, arguments_of(expr, frame, at)});
  else
    leaves.push_back({at, nullptr, {evaluate(expr, frame, at)}});
}

std::vector<nested::Value> Evaluator::arguments_of(const CoreExpr& call, Frame& frame,
                                                   const ContextRef& at) {
  std::vector<nested::Value> arguments;
  arguments.reserve(call.function->slots);
  for (const CoreRef& operand : call.operands) arguments.push_back(evaluate(*operand, frame, at));
  return arguments;
}

bool Evaluator::is_recursive(const CoreFunction& caller, const CoreFunction& callee) {
  if (&caller == &callee) return true;
  const auto [known, is_new] = reaches_.try_emplace({&callee, &caller}, false);
  if (is_new) known->second = reaches(callee, caller);
  return known->second;
}

bool Evaluator::may_recur(const CoreExpr& expr, const CoreFunction& function) {
  if (const auto known = recurring_.find(&expr); known != recurring_.end()) return known->second;
  bool result = expr.kind == CoreExpr::Kind::call && is_recursive(function, *expr.function);
  for (const CoreRef& operand : expr.operands) result = result || may_recur(*operand, function);
  return recurring_[&expr] = result;
}

const std::vector<int>& Evaluator::last_used(const CoreExpr& expr) {
  const auto [known, is_new] = last_used_.try_emplace(&expr);
  if (is_new) known->second = last_used_in(expr);
  return known->second;
}

// A call after which the body goes on. Each level of a recursion has values of its own, so each
// keeps as little as it can: what it will use, and not what that would be computed from.
nested::Value Evaluator::inner_call(const CoreExpr& call, Frame& frame, const ContextRef& at) {
  std::vector<nested::Value> arguments = arguments_of(call, frame, at);
  if (is_recursive(frame.function, *call.function)) {
    for (nested::Value& value : frame.slots)
      if (value.context) nested::settle(value.data);
    nested::forget_lifted(at, frame.entry);
  }
  return call_now(frame.function, call, std::move(arguments), at);
}

nested::Value Evaluator::call_now(const CoreFunction& caller, const CoreExpr& expr,
                                  std::vector<nested::Value> arguments, const ContextRef& at) {
  machine_.note_call(caller, expr);
  if (tails_)
    if (std::optional<nested::Value> result = tails_->finish(expr, arguments, at)) return *result;
  return call(*expr.function, std::move(arguments), at);
}

void Evaluator::bind(const CoreExpr& let, Frame& frame, const ContextRef& at) {
  for (std::size_t i = 0; i < let.slots.size(); ++i)
    frame.slots[let.slots[i]] = evaluate(*let.operands[i], frame, at);
  drop(let.dead[0], frame);
}

void Evaluator::drop(const std::vector<int>& slots, Frame& frame) {
  for (int slot : slots) frame.slots[slot] = {};
}

// Runs `side` for the sides of a choice that have instances, one after the other. What the second
// needs is kept while the first runs; what neither needs is dropped.
template <class Side>
void Evaluator::take_sides(const CoreExpr& condition, Frame& frame,
                           const nested::Branches& branches, const Side& side) {
  const ContextRef its[] = {branches.then_side, branches.else_side};
  std::vector<nested::Value> kept;
  if (its[0] && its[1])
    for (int slot : condition.in_both) kept.push_back(frame.slots[slot]);
  for (std::size_t i : {0, 1}) {
    if (!its[i]) continue;
    if (i == 1)
      for (std::size_t k = 0; k < kept.size(); ++k)
        frame.slots[condition.in_both[k]] = std::move(kept[k]);
    if (i == 1 || !its[1]) drop(condition.dead[i], frame);
    side(*condition.operands[i + 1], its[i]);
  }
}

nested::Value Evaluator::evaluate(const CoreExpr& expr, Frame& frame, const ContextRef& at) {
  machine_.spend(steps_of_a_node);
  machine_.begin_operation();
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return constant(expr);
    case CoreExpr::Kind::global:
      return expr.global->flat();
    case CoreExpr::Kind::variable:
      return expr.last ? std::exchange(frame.slots[expr.slots[0]], {}) : frame.slots[expr.slots[0]];
    case CoreExpr::Kind::let:
      bind(expr, frame, at);
      return evaluate(*expr.operands.back(), frame, at);
    case CoreExpr::Kind::condition:
      return condition(expr, frame, at);
    case CoreExpr::Kind::call:
      return inner_call(expr, frame, at);
    case CoreExpr::Kind::each:
      return each(expr, frame, at);
    case CoreExpr::Kind::pair: {
      const nested::Value parts[] = {evaluate(*expr.operands[0], frame, at),
                                     evaluate(*expr.operands[1], frame, at)};
      return nested::tuple(at, parts);
    }
    case CoreExpr::Kind::first:
      return nested::part(evaluate(*expr.operands[0], frame, at), 0);
    case CoreExpr::Kind::rest:
      return nested::part(evaluate(*expr.operands[0], frame, at), 1);
    case CoreExpr::Kind::sequence: {
      std::vector<nested::Value> elements;
      for (const CoreRef& operand : expr.operands)
        elements.push_back(evaluate(*operand, frame, at));
      return nested::literal(at, elements, Location());
    }
    case CoreExpr::Kind::primitive:
      return primitive(expr, frame, at);
    case CoreExpr::Kind::once:
      return once(expr, frame);
    case CoreExpr::Kind::time:
      return time(expr, frame, at);
  }
  throw InternalError("an expression of the core language that the evaluator does not know");
}

nested::Value Evaluator::condition(const CoreExpr& expr, Frame& frame, const ContextRef& at) {
  const nested::Value test = evaluate(*expr.operands[0], frame, at);
  nested::Branches branches;
  nested::Value results[2];
  std::size_t taken = 0;
  const auto add = [&](const CoreExpr& side, const ContextRef& its) {
    if (its != at && may_recur(side, frame.function))
      for (int slot : last_used(side)) nested::enter_side(frame.slots[slot], its);
    nested::Value& result = results[taken++];
    result = evaluate(side, frame, its);
    if (taken == 1 && branches.else_side != its && may_recur(*expr.operands[2], frame.function))
      result = nested::compacted(result, its);
  };
  if (is_selected(expr)) {
    branches.then_side = branches.else_side = at;
    take_sides(expr, frame, branches, add);
    return nested::select(at, test, results[0], results[1], Location());
  }
  branches = nested::branch(at, test, Location());
  take_sides(expr, frame, branches, add);
  if (taken == 1) return std::move(results[0]);
  return nested::merge(branches, results[0], results[1], Location());
}

nested::Value Evaluator::each(const CoreExpr& expr, Frame& frame, const ContextRef& at) {
  std::vector<nested::Value> sequences;
  for (std::size_t i = 0; i < expr.slots.size(); ++i)
    sequences.push_back(evaluate(*expr.operands[i], frame, at));
  return each_of(expr, frame, at, std::move(sequences));
}

nested::Value Evaluator::each_of(const CoreExpr& expr, Frame& frame, const ContextRef& at,
                                 std::vector<nested::Value> sequences) {
  note_place(machine_, frame.function, expr);
  if (expr.serial && at == nested::top_context())
    return serial_each(expr, frame, std::move(sequences));
  nested::Elements elements = nested::enter(at, sequences, "apply-to-each", Location());
  sequences.clear();
  // Nothing to run, and a recursive body would never end.
  if (nested::instances(elements.context) == 0)
    return nested::leave(elements, nested::zero(nested_type(expr.type->a)));
  if (!expr.once_slots.empty()) {
    frame.known.resize(frame.slots.size());
    for (int slot : expr.once_slots) frame.known[slot] = false;
  }
  for (std::size_t i = 0; i < elements.values.size(); ++i)
    frame.slots[expr.slots[i]] = std::move(elements.values[i]);
  elements.values.clear();
  drop(expr.dead[0], frame);
  const nested::Value result = evaluate(*expr.operands.back(), frame, elements.context);
  drop(expr.once_slots, frame);
  return nested::leave(elements, result);
}

// One element after the other, each in the top context.
nested::Value Evaluator::serial_each(const CoreExpr& expr, Frame& frame,
                                     std::vector<nested::Value> sequences) {
  const ContextRef top = nested::top_context();
  const nested::Elements elements = nested::enter(top, sequences, "apply-to-each", Location());
  Values results;
  // The body lets go of what it uses for the last time.
  std::vector<std::pair<int, nested::Value>> kept;
  for (int slot : last_used_in(*expr.operands.back())) kept.emplace_back(slot, frame.slots[slot]);
  for (int k = 0; k < nested::instances(elements.context); ++k) {
    for (const auto& [slot, value] : kept) frame.slots[slot] = value;
    for (std::size_t i = 0; i < sequences.size(); ++i)
      frame.slots[expr.slots[i]] = nested::index(top, sequences[i], integer(k), Location());
    results.push_back(to_plain(evaluate(*expr.operands.back(), frame, top), expr.type->a));
  }
  return to_flat(Value(std::move(results)), expr.type);
}

nested::Value Evaluator::primitive(const CoreExpr& expr, Frame& frame, const ContextRef& at) {
  std::vector<nested::Value> operands;
  std::vector<Mono> types;
  for (const CoreRef& operand : expr.operands) {
    operands.push_back(evaluate(*operand, frame, at));
    types.push_back(operand->type);
  }
  const Call call{*expr.primitive, at, operands, types, expr.type, machine_};
  const Function function = find(*expr.primitive, types[0]);
  return at_place(machine_, frame.function, expr,
                  [&] { return function ? function(call) : on_the_host(call); });
}

nested::Value Evaluator::once(const CoreExpr& expr, Frame& frame) {
  const int slot = expr.slots[0];
  if (!frame.known[slot]) {
    frame.slots[slot] = evaluate(*expr.operands[0], frame, nested::top_context());
    frame.known[slot] = true;
  }
  return frame.slots[slot];
}

nested::Value Evaluator::time(const CoreExpr& expr, Frame& frame, const ContextRef& at) {
  const auto begin = std::chrono::steady_clock::now();
  const nested::Value value = evaluate(*expr.operands[0], frame, at);
  force(value);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  const nested::Value parts[] = {value, floating(from_first("take the time", seconds.count()))};
  return nested::tuple(at, parts);
}

}  // namespace tutti::nesl::flat
