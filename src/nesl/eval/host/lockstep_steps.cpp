#include "nesl/eval/host/lockstep_steps.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>
#include <set>

#include "nesl/core/free_variables.hpp"
#include "nesl/eval/host/code.hpp"
#include "nesl/eval/host/plain_evaluator.hpp"
#include "nesl/io/shared_program.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {

Value lifted(const Column& column, const Group& to) {
  if (column.group == &to) return column.values;
  const Values& values = column.values.elements();
  if (column.group->count == 1) return Values(to.count, values[0]);
  std::vector<int> indices(to.count);
  std::iota(indices.begin(), indices.end(), 0);
  for (const Group* at = &to; at != column.group; at = at->outer)
    for (int& index : indices) index = at->owners[static_cast<std::size_t>(index)];
  return values.gathered(indices);
}

namespace {

// Slots of `once` expressions that no apply-to-each inside of the expression evaluates anew.
void add_once_slots(const CoreExpr& expr, std::set<int>& slots) {
  for (const CoreRef& operand : expr.operands) add_once_slots(*operand, slots);
  if (expr.kind == CoreExpr::Kind::once) slots.insert(expr.slots[0]);
  for (int slot : expr.once_slots) slots.erase(slot);
}

Value called(const CoreFunction& function, ValueStack::Frame& slots, Machine& machine) {
  Value result = call(code_of(function), slots, machine);
  machine.throw_failure();
  return result;
}

// An expression without effects, evaluated by an apply-to-each over the variables that differ, or
// once where none does. Instances that are not in the group may not come to it, so that it is not
// evaluated for a larger one.
class Pure final : public Step {
 public:
  Pure(const CoreFunction& function, int slots, CoreRef expr, std::vector<int> dead)
      : function_(function),
        slots_(slots),
        expr_(std::move(expr)),
        dead_(std::move(dead)),
        variables_(free_variables(*expr_)) {}

  Column run(Run& run, const Group& its) const override {
    if (expr_->kind == CoreExpr::Kind::variable) return variable(run);
    std::vector<bool> varies;
    for (const auto& [slot, type] : variables_)
      varies.push_back(run.slots[static_cast<std::size_t>(slot)].group->count != 1);
    const bool is_uniform = std::find(varies.begin(), varies.end(), true) == varies.end();
    const Group* const at = is_uniform ? &run.top : &its;
    const CoreFunction& function = applied(varies);
    const Code& code = code_of(function);
    ValueStack::Frame slots(run.stack, code.slots);
    int sequence = slots_;
    if (is_uniform) slots.slots()[sequence] = Values{Value(0)};
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const int slot = variables_[i].first;
      const Column& column = run.slots[static_cast<std::size_t>(slot)];
      if (varies[i])
        slots.slots()[sequence++] = lifted(column, *at);
      else
        code.put(slot, column.values.elements()[0], slots.slots());
    }
    run.drop(dead_);
    return {at, called(function, slots, run.machine)};
  }

 private:
  struct Applied {
    std::vector<bool> varies;
    CoreFunction function;
  };

  Column variable(Run& run) const {
    Column& column = run.slots[static_cast<std::size_t>(expr_->slots[0])];
    return dead_.empty() ? column : std::exchange(column, {});
  }
  // Made when these variables differ for the first time.
  const CoreFunction& applied(const std::vector<bool>& varies) const {
    const std::lock_guard lock(mutex_);
    for (const auto& known : applied_)
      if (known->varies == varies) return known->function;
    auto made = std::make_unique<Applied>();
    made->varies = varies;
    make(*made);
    applied_.push_back(std::move(made));
    return applied_.back()->function;
  }
  void make(Applied& applied) const {
    CoreFunction& function = applied.function;
    auto each = std::make_shared<CoreExpr>();
    function.name = function_.name;
    function.source = function_.source;
    function.slots = slots_;
    each->kind = CoreExpr::Kind::each;
    each->type = mono::sequence(expr_->type);
    each->span = expr_->span;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (applied.varies[i]) add_source(function, *each, variables_[i].first, variables_[i].second);
    if (each->operands.empty()) add_source(function, *each, slots_ + 1, mono::integer());
    ++function.slots;
    each->operands.push_back(expr_);
    std::set<int> once;
    add_once_slots(*expr_, once);
    each->once_slots.assign(once.begin(), once.end());
    function.result = each->type;
    function.body = std::move(each);
  }
  static void add_source(CoreFunction& function, CoreExpr& each, int slot, Mono type) {
    auto source = std::make_shared<CoreExpr>();
    source->kind = CoreExpr::Kind::variable;
    source->type = mono::sequence(type);
    source->span = each.span;
    source->slots = {function.slots++};
    each.slots.push_back(slot);
    each.operands.push_back(std::move(source));
  }

  const CoreFunction& function_;
  const int slots_;
  const CoreRef expr_;
  const std::vector<int> dead_;
  const std::vector<std::pair<int, Mono>> variables_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Applied>> applied_;
};

// Effects, and what may fail before these, from left to right. The expression around them uses the
// results.
class Effects final : public Step {
 public:
  Effects(std::vector<std::pair<int, StepRef>> effects, StepRef rest)
      : effects_(std::move(effects)), rest_(std::move(rest)) {}
  Column run(Run& run, const Group& at) const override {
    for (const auto& [slot, effect] : effects_) {
      Column column = effect->run(run, at);
      run.slots[static_cast<std::size_t>(slot)] = std::move(column);
    }
    return rest_->run(run, at);
  }

 private:
  const std::vector<std::pair<int, StepRef>> effects_;
  const StepRef rest_;
};

class EffectPrimitive final : public Step {
 public:
  EffectPrimitive(const CoreFunction& function, const CoreExpr& expr, std::vector<StepRef> operands)
      : function_(function), expr_(expr), operands_(std::move(operands)) {
    for (const CoreRef& operand : expr.operands) types_.push_back(operand->type);
  }
  Column run(Run& run, const Group& at) const override {
    std::vector<Column> columns;
    for (const StepRef& operand : operands_) columns.push_back(operand->run(run, at));
    std::vector<Value> operands;
    for (const Column& column : columns) operands.push_back(lifted(column, at));
    run.machine.spend(static_cast<std::int64_t>(at.count));
    Values results;
    results.reserve(at.count);
    std::vector<Value> arguments(operands.size());
    at_place(expr_, function_, run.machine, [&] {
      for (std::size_t k = 0; k < at.count; ++k) {
        for (std::size_t i = 0; i < operands.size(); ++i) arguments[i] = operands[i].elements()[k];
        results.push_back(expr_.primitive->run({arguments, types_, expr_.type, run.machine}));
      }
    });
    return {&at, std::move(results)};
  }

 private:
  const CoreFunction& function_;
  const CoreExpr& expr_;
  const std::vector<StepRef> operands_;
  std::vector<Mono> types_;
};

class Let final : public Step {
 public:
  Let(const CoreExpr& expr, std::vector<StepRef> values, StepRef body, std::vector<int> dead)
      : expr_(expr), values_(std::move(values)), body_(std::move(body)), dead_(std::move(dead)) {}
  Column run(Run& run, const Group& at) const override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Column column = values_[i]->run(run, at);
      run.slots[static_cast<std::size_t>(expr_.slots[i])] = std::move(column);
    }
    run.drop(dead_);
    return body_->run(run, at);
  }

 private:
  const CoreExpr& expr_;
  const std::vector<StepRef> values_;
  const StepRef body_;
  const std::vector<int> dead_;
};

class Condition final : public Step {
 public:
  Condition(StepRef test, Side yes, Side no, std::vector<int> in_both)
      : test_(std::move(test)),
        sides_{std::move(yes), std::move(no)},
        in_both_(std::move(in_both)) {}
  Column run(Run& run, const Group& at) const override {
    const Value tests = lifted(test_->run(run, at), at);
    const std::span<const Values::Flag> flags = tests.elements().numbers<Values::Flag>();
    run.machine.spend(static_cast<std::int64_t>(at.count));
    std::vector<int> its[2];
    for (std::size_t k = 0; k < at.count; ++k)
      its[flags[k].value ? 0 : 1].push_back(static_cast<int>(k));
    for (std::size_t i : {0, 1})
      if (its[1 - i].empty()) return take(sides_[i], run, at);
    return merged(run, at, its);
  }

 private:
  static Column take(const Side& side, Run& run, const Group& at) {
    run.drop(side.dead);
    return side.step->run(run, at);
  }
  // The first side, then the second one.
  Column merged(Run& run, const Group& at, std::vector<int> (&its)[2]) const {
    std::vector<Column> kept;
    for (int slot : in_both_) kept.push_back(run.slots[static_cast<std::size_t>(slot)]);
    std::vector<int> order(at.count);
    Values both;
    for (std::size_t i : {0, 1}) {
      const Group group(at, std::move(its[i]));
      int next = static_cast<int>(both.size());
      for (int k : group.owners) order[static_cast<std::size_t>(k)] = next++;
      if (i == 0) {
        both = lifted(sides_[0].step->run(run, group), group).elements();
        for (std::size_t k = 0; k < kept.size(); ++k)
          run.slots[static_cast<std::size_t>(in_both_[k])] = std::move(kept[k]);
      } else {
        both.append(lifted(take(sides_[1], run, group), group).elements());
      }
    }
    return {&at, both.gathered(order)};
  }

  const StepRef test_;
  const Side sides_[2];
  const std::vector<int> in_both_;
};

// The elements of sequences, one sequence after the other, and the lengths of these.
Value joined_elements(const Values& sequences, std::vector<int>& lengths) {
  lengths.clear();
  if (sequences.are_rows()) {
    const std::span<const int> offsets = sequences.offsets();
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k)
      lengths.push_back(offsets[k + 1] - offsets[k]);
    return sequences.contents();
  }
  for (const Value& sequence : sequences)
    lengths.push_back(static_cast<int>(sequence.elements().size()));
  if (lengths.size() == 1) return sequences[0];
  Values all;
  for (const Value& sequence : sequences) all.append(sequence.elements());
  return all;
}

class InnerEach final : public Step {
 public:
  InnerEach(const CoreFunction& function, const CoreExpr& expr, std::vector<StepRef> sequences,
            StepRef body)
      : function_(function),
        expr_(expr),
        sequences_(std::move(sequences)),
        body_(std::move(body)) {}
  Column run(Run& run, const Group& at) const override {
    std::vector<Column> columns;
    for (const StepRef& sequence : sequences_) columns.push_back(sequence->run(run, at));
    std::vector<int> lengths, others;
    std::vector<Value> elements;
    for (const Column& column : columns) {
      const Value sequences = lifted(column, at);
      elements.push_back(joined_elements(sequences.elements(), others));
      if (elements.size() == 1) lengths = others;
      check(lengths, others, run.machine);
    }
    columns.clear();
    std::vector<int> offsets(1), owners;
    if (std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) >
        std::numeric_limits<int>::max())
      throw std::bad_alloc();
    for (std::size_t k = 0; k < at.count; ++k) {
      owners.insert(owners.end(), static_cast<std::size_t>(lengths[k]), static_cast<int>(k));
      offsets.push_back(offsets.back() + lengths[k]);
    }
    run.machine.spend(offsets.back());
    const Group group(at, std::move(owners));
    if (group.count == 0) return {&at, Values(at.count, Values())};
    for (std::size_t i = 0; i < elements.size(); ++i)
      run.slots[static_cast<std::size_t>(expr_.slots[i])] = {&group, std::move(elements[i])};
    run.drop(expr_.dead[0]);
    run.drop(expr_.once_slots);  // evaluated anew
    Value results = lifted(body_->run(run, group), group);
    if (at.count == 1) return {&at, Values{std::move(results)}};
    return {&at, Values::nested(std::move(offsets), std::move(results))};
  }

 private:
  void check(const std::vector<int>& first, const std::vector<int>& others,
             Machine& machine) const {
    at_place(expr_, function_, machine, [&] {
      for (std::size_t k = 0; k < first.size(); ++k)
        check_lengths(static_cast<std::size_t>(first[k]), static_cast<std::size_t>(others[k]));
    });
  }

  const CoreFunction& function_;
  const CoreExpr& expr_;
  const std::vector<StepRef> sequences_;
  const StepRef body_;
};

class Once final : public Step {
 public:
  Once(const CoreFunction& function, const CoreExpr& expr) : slot_(expr.slots[0]) {
    function_.name = function.name;
    function_.source = function.source;
    function_.slots = function.slots;
    function_.result = expr.type;
    function_.body = expr.operands[0];
  }
  Column run(Run& run, const Group&) const override {
    Column& known = run.slots[static_cast<std::size_t>(slot_)];
    if (!known.group) {
      ValueStack::Frame slots(run.stack, code_of(function_).slots);
      Value value = called(function_, slots, run.machine);
      known = {&run.top, Values{std::move(value)}};
    }
    return known;
  }

 private:
  const int slot_;
  CoreFunction function_;
};

class Time final : public Step {
 public:
  Time(Mono seconds, StepRef operand) : seconds_(seconds), operand_(std::move(operand)) {}
  Column run(Run& run, const Group& at) const override {
    const auto begin = std::chrono::steady_clock::now();
    Value values = lifted(operand_->run(run, at), at);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const Value its = rounded(from_first("take the time", seconds.count()), seconds_);
    return {&at, Values::zipped(std::move(values), Values(at.count, its))};
  }

 private:
  const Mono seconds_;
  const StepRef operand_;
};

}  // namespace

StepRef pure_step(const CoreFunction& function, int slots, CoreRef expr, std::vector<int> dead) {
  return std::make_unique<Pure>(function, slots, std::move(expr), std::move(dead));
}
StepRef effects_step(std::vector<std::pair<int, StepRef>> effects, StepRef rest) {
  return std::make_unique<Effects>(std::move(effects), std::move(rest));
}
StepRef primitive_step(const CoreFunction& function, const CoreExpr& expr,
                       std::vector<StepRef> operands) {
  return std::make_unique<EffectPrimitive>(function, expr, std::move(operands));
}
StepRef let_step(const CoreExpr& expr, std::vector<StepRef> values, StepRef body,
                 std::vector<int> dead) {
  return std::make_unique<Let>(expr, std::move(values), std::move(body), std::move(dead));
}
StepRef condition_step(StepRef test, Side yes, Side no, std::vector<int> in_both) {
  return std::make_unique<Condition>(std::move(test), std::move(yes), std::move(no),
                                     std::move(in_both));
}
StepRef each_step(const CoreFunction& function, const CoreExpr& expr,
                  std::vector<StepRef> sequences, StepRef body) {
  return std::make_unique<InnerEach>(function, expr, std::move(sequences), std::move(body));
}
StepRef once_step(const CoreFunction& function, const CoreExpr& expr) {
  return std::make_unique<Once>(function, expr);
}
StepRef time_step(Mono seconds, StepRef operand) {
  return std::make_unique<Time>(seconds, std::move(operand));
}

}  // namespace tutti::nesl::host
