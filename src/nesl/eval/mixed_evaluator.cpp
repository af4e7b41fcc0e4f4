#include "nesl/eval/mixed_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "nesl/core/free_variables.hpp"
#include "nesl/core/last_uses.hpp"
#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/flat/calls.hpp"
#include "nesl/eval/flat/convert.hpp"
#include "nesl/eval/flat/place_notes.hpp"
#include "nesl/eval/flat/primitives.hpp"
#include "nesl/eval/race/form_race.hpp"
#include "nesl/eval/race/kernel_count.hpp"
#include "nesl/io/shared_program.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl {
namespace {

// Sequences up to this length are handled on the host. An operation takes some 4 ns an element
// there, and about 20 us in a context (two cores with AVX-512, November 2026).
constexpr std::size_t few_elements = 4096;
// Values elsewhere are copied to the host for an apply-to-each that uses at most this many
// elements.
constexpr std::int64_t few_to_bring = 64;
// How long an apply-to-each is tried also where flattening was fast before, because there may be
// fewer elements now.
constexpr std::chrono::microseconds least_trial{50};
// Values up to this number of elements are copied to the host for a race, in some milliseconds.
// This happens for an apply-to-each that is new, or whose flattening took long the last time.
constexpr std::int64_t most_to_bring = 400'000;
constexpr std::chrono::milliseconds long_time{100};
// The plain evaluator waits in a race of forms until flattening has taken this part of what the
// host is expected to take for an apply-to-each.
constexpr int part_of_host_time = 8;
// The host begins with an apply-to-each inside of such a race after this part of its time so far.
constexpr int part_of_form_time = 2;

// Whether a primitive on host values would make a large sequence.
bool makes_many(const Primitive& primitive, std::span<const Value> operands) {
  if (primitive.name[0] != 'i' && primitive.name[0] != 'd') return false;  // most of them
  if (std::strcmp(primitive.name, "iseq") == 0)
    return std::int64_t{operands[2].integer()} - operands[0].integer() >
           static_cast<std::int64_t>(few_elements) * std::max(1, operands[1].integer());
  if (std::strcmp(primitive.name, "dist") == 0)
    return operands[1].integer() > static_cast<int>(few_elements);
  return false;
}

bool calls_the_program(const CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::call && !expr.function->is_library()) return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [](const CoreRef& operand) { return calls_the_program(*operand); });
}

}  // namespace

StoredValue MixedEvaluator::run(const CoreFunction& function) {
  const Value result = call(function, {});
  // Also what the result does not depend on may be an error.
  if (result.is_plain()) {
    nested::synchronise();
    return StoredValue(function.result, result);
  }
  nested::Value value = to_flat(result, function.result);
  nested::synchronise();
  return StoredValue(function.result, std::move(value));
}

bool MixedEvaluator::is_for_the_host(const CoreFunction& function,
                                     const std::vector<Value>& arguments) {
  const bool plain = std::all_of(arguments.begin(), arguments.end(),
                                 [](const Value& argument) { return argument.is_plain(); });
  if (!plain || machine_.observer.count_kernels) return false;
  const auto [known, is_new] = serial_.try_emplace(&function);
  if (is_new) known->second = flat::is_serial(function);
  return known->second;
}

Value MixedEvaluator::call(const CoreFunction& function, std::vector<Value> arguments) {
  if (is_for_the_host(function, arguments)) return plain_.run(function, std::move(arguments));
  const Machine::Call depth(machine_, function);
  // As in the plain evaluator, loops may be of any length.
  for (const CoreFunction* at = &function;;) {
    const KernelCount kernels(machine_, at->name);
    Frame frame{*at, std::move(arguments), {}};
    frame.slots.resize(at->slots);
    const CoreExpr& last = last_of(*at->body, frame);
    if (last.kind != CoreExpr::Kind::call) return evaluate(last, frame);
    arguments = arguments_of(last, frame);
    machine_.note_call(*at, last);
    if (at != last.function && is_for_the_host(*last.function, arguments))
      return plain_.run(*last.function, std::move(arguments));
    at = last.function;
  }
}

const CoreExpr& MixedEvaluator::last_of(const CoreExpr& expr, Frame& frame) {
  return nesl::last_of(
      expr, frame.slots, [&](const CoreExpr& part) { return evaluate(part, frame); },
      [&](const Value& truth) { return to_host(truth, mono::boolean()).boolean(); });
}

std::vector<Value> MixedEvaluator::arguments_of(const CoreExpr& call, Frame& frame) {
  return nesl::arguments_of<Value>(call,
                                   [&](const CoreExpr& part) { return evaluate(part, frame); });
}

Value MixedEvaluator::evaluate(const CoreExpr& expr, Frame& frame) {
  machine_.spend(1);
  machine_.begin_operation();
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return expr.value;
    case CoreExpr::Kind::global:
      if (expr.global->is_plain()) return expr.global->plain();
      return Value::elsewhere(expr.global->flat());
    case CoreExpr::Kind::variable:
      return expr.last ? std::move(frame.slots[expr.slots[0]]) : frame.slots[expr.slots[0]];
    case CoreExpr::Kind::let:
    case CoreExpr::Kind::condition:
      return evaluate(last_of(expr, frame), frame);
    case CoreExpr::Kind::call: {
      std::vector<Value> arguments = arguments_of(expr, frame);
      machine_.note_call(frame.function, expr);
      return call(*expr.function, std::move(arguments));
    }
    case CoreExpr::Kind::each: {
      Value result = each(expr, frame);
      if (form_race_) form_race_->note_end(expr);
      return result;
    }
    case CoreExpr::Kind::pair: {
      Value first = evaluate(*expr.operands[0], frame);
      return Value(std::move(first), evaluate(*expr.operands[1], frame));
    }
    case CoreExpr::Kind::first:
    case CoreExpr::Kind::rest:
      if (const Value* known = find_part(expr, frame.slots)) {
        Value result = *known;
        if (const CoreExpr* variable = variable_of(expr); variable->last)
          frame.slots[variable->slots[0]] = Value();
        return result;
      }
      return part(evaluate(*expr.operands[0], frame), expr);
    case CoreExpr::Kind::sequence:
      return sequence(expr, frame);
    case CoreExpr::Kind::primitive:
      return expr.operands.size() <= few_operands ? primitive<few_operands>(expr, frame)
                                                  : primitive<most_operands>(expr, frame);
    case CoreExpr::Kind::time:
      return time(expr, frame);
    case CoreExpr::Kind::once:
      return once(expr, frame);
  }
  throw InternalError("an expression of the core language that the evaluator does not know");
}

Value MixedEvaluator::part(const Value& pair, const CoreExpr& expr) const {
  if (!pair.is_elsewhere()) return part_of(pair, expr);
  const int i = expr.kind == CoreExpr::Kind::first ? 0 : 1;
  return Value::elsewhere(nested::part(pair.flat(), i));
}

// Counts down the numbers that are not on the host.
bool MixedEvaluator::fits(const Value& value, Mono type, std::int64_t& left,
                          flat::Sizes sizes) const {
  if (value.is_plain()) return true;
  if (value.is_elsewhere()) return flat::fits(value.flat(), type, left, sizes);
  const Mono pair = mono::representation(type);
  return fits(value.first(), pair->a, left, sizes) && fits(value.second(), pair->b, left, sizes);
}

// Scalars come to the host at once: what is done with them is serial.
Value MixedEvaluator::made_flat(nested::Value value, Mono type) const {
  if (mono::representation(type)->is_scalar()) return flat::to_plain(value, type);
  return Value::elsewhere(std::move(value));
}

Value MixedEvaluator::to_host(const Value& value, Mono type) const {
  if (value.is_plain()) return value;
  if (value.is_elsewhere()) return flat::to_plain(value.flat(), type);
  const Mono pair = mono::representation(type);
  return Value(to_host(value.first(), pair->a), to_host(value.second(), pair->b));
}

nested::Value MixedEvaluator::to_flat(const Value& value, Mono type) const {
  if (value.is_plain()) return flat::to_flat(value, type);
  if (value.is_elsewhere()) return value.flat();
  const Mono pair = mono::representation(type);
  const nested::Value parts[] = {to_flat(value.first(), pair->a), to_flat(value.second(), pair->b)};
  return nested::tuple(nested::top_context(), parts);
}

Value MixedEvaluator::sequence(const CoreExpr& expr, Frame& frame) {
  std::vector<Value> elements;
  bool plain = true;
  for (const CoreRef& operand : expr.operands) {
    elements.push_back(evaluate(*operand, frame));
    plain = plain && elements.back().is_plain();
  }
  if (plain) {
    Values values;
    values.reserve(elements.size());
    for (Value& element : elements) values.push_back(std::move(element));
    return values;
  }
  std::vector<nested::Value> values;
  for (const Value& element : elements) values.push_back(to_flat(element, expr.type->a));
  return made_flat(nested::literal(nested::top_context(), values, detail::Location()), expr.type);
}

template <std::size_t most>
Value MixedEvaluator::primitive(const CoreExpr& expr, Frame& frame) {
  Value operands[most];
  const std::size_t count = expr.operands.size();
  bool plain = true;
  for (std::size_t i = 0; i < count; ++i) {
    operands[i] = evaluate(*expr.operands[i], frame);
    plain = plain && operands[i].is_plain();
  }
  const std::span<const Value> its{operands, count};
  // An error that came before an effect ends the program.
  if (expr.primitive->effect != Effect::none) nested::synchronise();
  if (plain && !makes_many(*expr.primitive, its)) return plain_.apply(expr, frame.function, its);
  return flat_primitive(expr, frame.function, its);
}

// On the host where contexts cannot do it.
Value MixedEvaluator::flat_primitive(const CoreExpr& expr, const CoreFunction& caller,
                                     std::span<const Value> operands) {
  std::vector<Mono> types;
  for (const CoreRef& operand : expr.operands) types.push_back(operand->type);
  const flat::Function function = flat::find(*expr.primitive, types[0]);
  if (!function) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
      values.push_back(to_host(operands[i], types[i]));
    return plain_.apply(expr, caller, values);
  }
  return flat::at_place(machine_, caller, expr, [&] {
    std::vector<nested::Value> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
      values.push_back(to_flat(operands[i], types[i]));
    return made_flat(
        function({*expr.primitive, nested::top_context(), values, types, expr.type, machine_}),
        expr.type);
  });
}

Value MixedEvaluator::each(const CoreExpr& expr, Frame& frame) {
  std::vector<Value> sources;
  for (std::size_t i = 0; i < expr.slots.size(); ++i)
    sources.push_back(source(*expr.operands[i], frame));
  if (expr.serial) return serial_each(expr, frame, sources);
  const bool few = is_few(expr, frame, sources);
  if (expr.effects && !few) return flat_each(expr, frame, std::move(sources));
  if (few) check_sources(expr, frame, sources);
  if (few && expr.pure && sources[0].elements().size() == 1)
    return only_element(expr, frame, sources);
  Record& record = records_[&expr];
  if (patience_.settled && !few) return flat_each(expr, frame, std::move(sources));
  std::optional<HostEach> host = on_host(expr, frame, sources, record);
  Clock::duration spent{};
  if (few && try_on_host(*host, record, spent)) {
    drop(last_used(*expr.operands.back()), frame);
    return Value(std::move(host->results));
  }
  // In a race of forms the host works on it already.
  const bool is_second = form_race_ && !form_race_->is_unbounded();
  if (!host || !expr.pure || patience_.settled || is_second)
    return flat_each(expr, frame, std::move(sources));
  return race(expr, frame, std::move(sources), std::move(*host), record, spent);
}

void MixedEvaluator::drop(const std::vector<int>& slots, Frame& frame) {
  for (int slot : slots) frame.slots[slot] = Value();
}

const std::vector<int>& MixedEvaluator::last_used(const CoreExpr& expr) {
  const auto [known, is_new] = last_used_.try_emplace(&expr);
  if (is_new) known->second = last_used_in(expr);
  return known->second;
}

// A sequence made of others that are elsewhere is made there as well: a scalar on the way, such as
// a length, need not come to the host. Functions of the program may be serial.
Value MixedEvaluator::source(const CoreExpr& expr, Frame& frame) {
  const auto [at, is_new] = sources_.try_emplace(&expr);
  if (is_new) at->second = {free_variables(expr), calls_the_program(expr)};
  const auto& [variables, calls] = at->second;
  const bool plain = std::all_of(variables.begin(), variables.end(), [&](const auto& variable) {
    return frame.slots[variable.first].is_plain();
  });
  if (plain || calls || expr.kind == CoreExpr::Kind::variable) return evaluate(expr, frame);
  std::vector<nested::Value> slots(frame.slots.size());
  for (const auto& [slot, type] : variables) slots[slot] = to_flat(frame.slots[slot], type);
  drop(last_used(expr), frame);
  return made_flat(flat_.run_part(frame.function, expr, std::move(slots)), expr.type);
}

void MixedEvaluator::check_sources(const CoreExpr& expr, const Frame& frame,
                                   const std::vector<Value>& sources) {
  flat::at_place(machine_, frame.function, expr, [&] {
    for (const Value& source : sources)
      check_lengths(sources[0].elements().size(), source.elements().size());
  });
}

Value MixedEvaluator::serial_each(const CoreExpr& expr, Frame& frame,
                                  const std::vector<Value>& sources) {
  std::vector<Value> sequences;
  for (std::size_t i = 0; i < sources.size(); ++i)
    sequences.push_back(to_host(sources[i], expr.operands[i]->type));
  Values results;
  const std::size_t length = sequences[0].elements().size();
  flat::at_place(machine_, frame.function, expr, [&] {
    for (const Value& sequence : sequences) check_lengths(length, sequence.elements().size());
  });
  // The body lets go of what it uses for the last time.
  std::vector<std::pair<int, Value>> kept;
  for (int slot : last_used(*expr.operands.back())) kept.emplace_back(slot, frame.slots[slot]);
  for (std::size_t k = 0; k < length; ++k) {
    for (const auto& [slot, value] : kept) frame.slots[slot] = value;
    for (std::size_t i = 0; i < sequences.size(); ++i)
      frame.slots[expr.slots[i]] = sequences[i].elements()[k];
    results.push_back(to_host(evaluate(*expr.operands.back(), frame), expr.type->a));
  }
  return Value(std::move(results));
}

// With one element there is nothing to do at once: the body is serial code.
Value MixedEvaluator::only_element(const CoreExpr& expr, Frame& frame,
                                   const std::vector<Value>& sources) {
  for (std::size_t i = 0; i < sources.size(); ++i)
    frame.slots[expr.slots[i]] = sources[i].elements()[0];
  frame.known.assign(frame.slots.size(), false);
  Value element = evaluate(*expr.operands.back(), frame);
  if (element.is_plain()) return Values{std::move(element)};
  const nested::Value elements[] = {to_flat(element, expr.type->a)};
  return made_flat(nested::literal(nested::top_context(), elements, detail::Location()), expr.type);
}

Value MixedEvaluator::once(const CoreExpr& expr, Frame& frame) {
  const int slot = expr.slots[0];
  if (frame.known[slot]) return frame.slots[slot];
  Value value = evaluate(*expr.operands[0], frame);
  frame.known[slot] = true;
  return frame.slots[slot] = std::move(value);
}

const std::vector<std::pair<int, Mono>>& MixedEvaluator::variables_of(const CoreExpr& each) {
  const auto [at, is_new] = variables_.try_emplace(&each);
  if (is_new) {
    at->second = free_variables(*each.operands.back());
    std::erase_if(at->second, [&](const auto& variable) {
      return std::find(each.slots.begin(), each.slots.end(), variable.first) != each.slots.end();
    });
  }
  return at->second;
}

// Whether everything it uses is on the host, where all of it is brought if that is little.
bool MixedEvaluator::is_few(const CoreExpr& expr, Frame& frame, std::vector<Value>& sources) {
  std::int64_t left = few_to_bring;
  if (!all_fits(expr, frame, sources, left)) return false;
  for (std::size_t i = 0; i < sources.size(); ++i)
    sources[i] = to_host(sources[i], expr.operands[i]->type);
  for (const auto& [slot, type] : variables_of(expr))
    frame.slots[slot] = to_host(frame.slots[slot], type);
  return true;
}

// The sizes of sources are waited for in any case, those of variables are not.
bool MixedEvaluator::all_fits(const CoreExpr& expr, Frame& frame, const std::vector<Value>& sources,
                              std::int64_t& left) {
  for (const auto& [slot, type] : variables_of(expr))
    if (!fits(frame.slots[slot], type, left, flat::Sizes::known)) return false;
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (!fits(sources[i], expr.operands[i]->type, left, flat::Sizes::waited_for)) return false;
  return true;
}

// Everything it uses on the host, if that is worth it.
std::optional<HostEach> MixedEvaluator::on_host(const CoreExpr& expr, Frame& frame,
                                                const std::vector<Value>& sources,
                                                const Record& record) {
  const bool was_fast = record.flat.count() > 0 && record.flat < long_time;
  std::int64_t left = was_fast ? 0 : most_to_bring;
  if (!all_fits(expr, frame, sources, left)) return {};
  const std::size_t slots = frame.slots.size();
  HostEach each{&frame.function,          &expr, std::vector<Value>(slots),
                std::vector<bool>(slots), {},    {}};
  for (std::size_t i = 0; i < sources.size(); ++i)
    each.sequences.push_back(to_host(sources[i], expr.operands[i]->type));
  for (const auto& [slot, type] : variables_of(expr))
    each.slots[slot] = to_host(frame.slots[slot], type), each.uses[slot] = true;
  for (const Value& sequence : each.sequences)
    if (sequence.elements().size() != each.length()) return {};  // flattening reports it
  return each;
}

// As many as it took the last time, or a part of what flattening took then.
std::int64_t MixedEvaluator::steps_to_try(const HostEach& each, const Record& record) const {
  if (!each.expr->pure || patience_.settled) return patience_.each_steps;
  if (record.flat.count() == 0)
    return std::max(patience_.each_steps, 2 * record.host / time_of_a_step);
  const Clock::duration allowed = std::max<Clock::duration>(record.flat / 4, least_trial);
  if (record.element * each.length() > allowed) return 0;
  return allowed / time_of_a_step;
}

// The steps it takes show whether it belongs there.
bool MixedEvaluator::try_on_host(HostEach& each, Record& record, Clock::duration& spent) {
  if (machine_.in_trial()) return false;
  const Clock::time_point begin = Clock::now();
  for (std::int64_t steps = steps_to_try(each, record); steps > 0;) {
    machine_.begin_trial(steps);
    try {
      plain_.go_on(each);
      machine_.end_trial(true);
      record.host = Clock::now() - begin;
      record.flat = {};
      return true;
    } catch (const TrialOver&) {
      machine_.end_trial(false);
    } catch (...) {
      machine_.end_trial(true);
      throw;
    }
    spent = Clock::now() - begin;
    const auto done = static_cast<std::int64_t>(each.results.size());
    if (done == 0 || !each.expr->pure || patience_.settled) break;
    record.element = spent / done;
    const Clock::duration rest = record.element * (each.length() - done);
    const bool is_short = record.flat.count() == 0 && spent + rest < patience_.short_time;
    steps = is_short ? 2 * rest / time_of_a_step : 0;
  }
  return false;
}

Value MixedEvaluator::flat_each(const CoreExpr& expr, Frame& frame, std::vector<Value> sources) {
  std::vector<nested::Value> slots(frame.slots.size()), sequences;
  for (const auto& [slot, type] : variables_of(expr))
    slots[slot] = to_flat(frame.slots[slot], type);
  drop(last_used(*expr.operands.back()), frame);
  for (std::size_t i = 0; i < sources.size(); ++i)
    sequences.push_back(to_flat(sources[i], expr.operands[i]->type));
  sources.clear();
  return made_flat(flat_.run_each(frame.function, expr, std::move(slots), std::move(sequences)),
                   expr.type);
}

// What the flattening evaluator has not computed when it returns is a few kernels: that is fast.
Value MixedEvaluator::race(const CoreExpr& expr, Frame& frame, std::vector<Value> sources,
                           HostEach each, Record& record, Clock::duration spent) {
  const Clock::time_point begin = Clock::now();
  Clock::duration head_start = std::max<Clock::duration>(
      2 * record.flat, spent.count() > 0 ? Clock::duration{} : patience_.head_start);
  if (form_race_) {
    head_start = std::max(head_start, (begin - form_race_->begun()) / part_of_form_time);
    if (!each.results.empty())
      form_race_->let_host_wait_until(begin + record.element * each.length() / part_of_host_time);
  }
  struct Stop {
    HostContender& contender;
    Machine& machine;
    FormRace* form_race;
    ~Stop() {
      machine.overtaken = nullptr;
      contender.stop();
      if (form_race) form_race->let_host_wait_until({});
    }
  };
  try {
    nested::Attempt flattening;
    contender_.start(machine_, std::move(each), head_start, spent);
    const Stop stop{contender_, machine_, form_race_};
    machine_.overtaken = &contender_.has_won();
    Value result = flat_each(expr, frame, std::move(sources));
    flattening.keep();
    record.flat = Clock::now() - begin;
    record.host = {};
    return result;
  } catch (const Overtaken&) {
    // ignored: the host has the result
  }
  record.host = Clock::now() - begin;
  record.flat = {};
  return contender_.result();
}

Value MixedEvaluator::time(const CoreExpr& expr, Frame& frame) {
  const auto begin = std::chrono::steady_clock::now();
  Value value = evaluate(*expr.operands[0], frame);
  if (!value.is_plain()) flat::force(to_flat(value, expr.operands[0]->type));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return Value(std::move(value),
               rounded(from_first("take the time", seconds.count()), expr.type->b));
}

}  // namespace tutti::nesl
