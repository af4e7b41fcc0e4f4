#include "nesl/eval/host/lockstep.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "nesl/core/free_variables.hpp"
#include "nesl/core/last_uses.hpp"
#include "nesl/eval/core_walk.hpp"
#include "nesl/eval/host/code.hpp"
#include "nesl/eval/host/lockstep_steps.hpp"
#include "nesl/library/primitive.hpp"

namespace tutti::nesl::host {

class Lockstep {
 public:
  Lockstep(const CoreFunction& function, const CoreRef& expr);
  Column run(Run& run, const Group& at) const { return step_->run(run, at); }
  std::size_t slots() const { return static_cast<std::size_t>(slots_); }

 private:
  int slots_;
  StepRef step_;
};

namespace {

bool is_effect(const CoreExpr& primitive) {
  return primitive.primitive->effect != Effect::none ||
         std::string_view(primitive.primitive->name) == "rand";
}

bool has_effects(const CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::call && (expr.function->prints || expr.function->draws > 0))
    return true;
  if (expr.kind == CoreExpr::Kind::primitive && is_effect(expr)) return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [](const CoreRef& operand) { return has_effects(*operand); });
}

class Call final : public Step {
 public:
  Call(const CoreFunction& caller, const CoreExpr& expr, std::vector<StepRef> arguments)
      : caller_(caller), expr_(expr), arguments_(std::move(arguments)) {}
  Column run(Run& run, const Group& at) const override {
    const CoreFunction& function = *expr_.function;
    const Lockstep& callee = code_of(function).lockstep.of(function, function.body);
    Run inner{function, run.machine, run.stack, run.top, {}};
    inner.slots.resize(callee.slots());
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      inner.slots[i] = arguments_[i]->run(run, at);
    run.machine.note_call(caller_, expr_);
    const Machine::Call depth(run.machine, function);
    run.machine.spend(1);
    return callee.run(inner, at);
  }

 private:
  const CoreFunction& caller_;
  const CoreExpr& expr_;
  const std::vector<StepRef> arguments_;
};

// Slots that are needed after an expression, although it says that it uses them for the last time.
using Kept = std::set<int>;

class StepCompiler {
 public:
  explicit StepCompiler(const CoreFunction& function)
      : function_(function), slots_(function.slots) {}
  int slots() const { return slots_; }

  StepRef step(const CoreRef& expr, const Kept& kept) {
    if (!has_effects(*expr)) return pure(expr, last_used_in(*expr), kept);
    switch (expr->kind) {
      case CoreExpr::Kind::let:
        return let(*expr, kept);
      case CoreExpr::Kind::condition:
        return condition(*expr, kept);
      case CoreExpr::Kind::each:
        return each_step(function_, *expr, sequences(*expr, kept),
                         step(expr->operands.back(), kept));
      case CoreExpr::Kind::once:
        return once_step(function_, *expr);
      case CoreExpr::Kind::time:
        return time_step(expr->type->b, step(expr->operands[0], kept));
      case CoreExpr::Kind::call:
        if (expr->function->prints || expr->function->draws > 0)
          return std::make_unique<Call>(function_, *expr, operands(*expr, kept));
        break;
      case CoreExpr::Kind::primitive:
        if (is_effect(*expr)) return primitive_step(function_, *expr, operands(*expr, kept));
        break;
      default:
        break;
    }
    return effects(expr, kept);
  }

 private:
  static std::vector<int> without(std::vector<int> slots, const Kept& kept) {
    std::erase_if(slots, [&](int slot) { return kept.contains(slot); });
    return slots;
  }
  StepRef pure(const CoreRef& expr, std::vector<int> dead, const Kept& kept) {
    return pure_step(function_, slots_, expr, without(std::move(dead), kept));
  }
  std::vector<StepRef> operands(const CoreExpr& expr, const Kept& kept) {
    std::vector<StepRef> steps;
    for (const CoreRef& operand : expr.operands) steps.push_back(step(operand, kept));
    return steps;
  }
  std::vector<StepRef> sequences(const CoreExpr& each, const Kept& kept) {
    std::vector<StepRef> steps;
    for (std::size_t i = 0; i < each.slots.size(); ++i)
      steps.push_back(step(each.operands[i], kept));
    return steps;
  }
  StepRef let(const CoreExpr& expr, const Kept& kept) {
    std::vector<StepRef> values = sequences(expr, kept);
    return let_step(expr, std::move(values), step(expr.operands.back(), kept),
                    without(expr.dead[0], kept));
  }
  StepRef condition(const CoreExpr& expr, const Kept& kept) {
    StepRef test = step(expr.operands[0], kept);
    Side yes{step(expr.operands[1], kept), without(expr.dead[0], kept)};
    Side no{step(expr.operands[2], kept), without(expr.dead[1], kept)};
    return condition_step(std::move(test), std::move(yes), std::move(no),
                          without(expr.in_both, kept));
  }
  // An expression without effects but for some operands, or operands of these.
  StepRef effects(const CoreRef& expr, const Kept& kept) {
    std::vector<std::pair<int, CoreRef>> found;
    const CoreRef rest = taken_out(expr, found);
    Kept its = kept;
    for (const auto& [slot, type] : free_variables(*rest)) its.insert(slot);
    std::vector<std::pair<int, StepRef>> steps;
    for (const auto& [slot, effect] : found) steps.emplace_back(slot, step(effect, its));
    std::vector<int> dead = last_used_in(*expr);
    for (const auto& [slot, effect] : found) dead.push_back(slot);
    return effects_step(std::move(steps), pure(rest, std::move(dead), kept));
  }
  // Puts variables in the place of operands with effects, and of what may fail before these.
  CoreRef taken_out(const CoreRef& expr, std::vector<std::pair<int, CoreRef>>& found) {
    auto copy = std::make_shared<CoreExpr>(*expr);
    std::size_t left = copy->operands.size();
    while (!has_effects(*copy->operands[left - 1])) --left;
    for (std::size_t i = 0; i < left; ++i) {
      CoreRef& operand = copy->operands[i];
      if (i + 1 == left && is_strict(*operand))
        operand = taken_out(operand, found);
      else if (!is_value(*operand))
        operand = named(operand, found);
    }
    return copy;
  }
  static bool is_value(const CoreExpr& expr) {
    return expr.kind == CoreExpr::Kind::constant || expr.kind == CoreExpr::Kind::global ||
           variable_of(expr) != nullptr;
  }
  // Whether all operands are evaluated, and nothing else happens.
  static bool is_strict(const CoreExpr& expr) {
    switch (expr.kind) {
      case CoreExpr::Kind::pair:
      case CoreExpr::Kind::first:
      case CoreExpr::Kind::rest:
      case CoreExpr::Kind::sequence:
        return true;
      case CoreExpr::Kind::primitive:
        return !is_effect(expr);
      case CoreExpr::Kind::call:
        return !expr.function->prints && expr.function->draws == 0;
      default:
        return false;
    }
  }
  CoreRef named(const CoreRef& effect, std::vector<std::pair<int, CoreRef>>& found) {
    auto variable = std::make_shared<CoreExpr>();
    variable->kind = CoreExpr::Kind::variable;
    variable->type = effect->type;
    variable->span = effect->span;
    variable->slots = {slots_};
    found.emplace_back(slots_++, effect);
    return variable;
  }

  const CoreFunction& function_;
  int slots_;
};

}  // namespace

Lockstep::Lockstep(const CoreFunction& function, const CoreRef& expr) {
  StepCompiler compiler(function);
  step_ = compiler.step(expr, {});
  slots_ = compiler.slots();
}

LockstepCode::~LockstepCode() { delete made_.load(); }

const Lockstep& LockstepCode::of(const CoreFunction& function, const CoreRef& expr) const {
  if (const Lockstep* made = made_.load(std::memory_order_acquire)) return *made;
  auto mine = std::make_unique<Lockstep>(function, expr);
  const Lockstep* before = nullptr;
  if (made_.compare_exchange_strong(before, mine.get(), std::memory_order_acq_rel))
    return *mine.release();
  return *before;  // another thread was first
}

Values each_in_lockstep(const CoreExpr& each, const LockstepCode& body, const Code& code,
                        Frame& frame, const Value* sequences) {
  const std::size_t count = sequences[0].elements().size();
  if (count == 0) return {};
  const Lockstep& lockstep = body.of(code.function, each.operands.back());
  const Group top;
  const Group elements(top, std::vector<int>(count));
  Run run{code.function, frame.machine, frame.stack, top, {}};
  run.slots.resize(lockstep.slots());
  for (const auto& [slot, type] : free_variables(*each.operands.back()))
    if (std::find(each.slots.begin(), each.slots.end(), slot) == each.slots.end())
      run.slots[static_cast<std::size_t>(slot)] = {&top, Values{code.value(slot, frame.slots)}};
  for (std::size_t i = 0; i < each.slots.size(); ++i)
    run.slots[static_cast<std::size_t>(each.slots[i])] = {&elements, sequences[i]};
  return lifted(lockstep.run(run, elements), elements).elements();
}

}  // namespace tutti::nesl::host
