// What the evaluators share that walk the core language on the host, one instance at a time.
#pragma once
#include <vector>

#include "nesl/core/core.hpp"

namespace tutti::nesl {

// Most primitives have few operands; then a call takes less of the stack.
constexpr std::size_t few_operands = 3, most_operands = 8;

// Through lets, whose values go into slots, and ifs to the expression that gives the value.
// `evaluate` gives the value of an expression, `holds` whether a truth value is t.
template <class V, class Evaluate, class Holds>
const CoreExpr& last_of(const CoreExpr& expr, std::vector<V>& slots, const Evaluate& evaluate,
                        const Holds& holds) {
  const CoreExpr* at = &expr;
  for (;;) {
    if (at->kind == CoreExpr::Kind::let) {
      for (std::size_t i = 0; i < at->slots.size(); ++i)
        slots[at->slots[i]] = evaluate(*at->operands[i]);
      for (int slot : at->dead[0]) slots[slot] = V();
      at = at->operands.back().get();
    } else if (at->kind == CoreExpr::Kind::condition) {
      const std::size_t side = holds(evaluate(*at->operands[0])) ? 0 : 1;
      for (int slot : at->dead[side]) slots[slot] = V();
      at = at->operands[side + 1].get();
    } else {
      return *at;
    }
  }
}

// The part of a pair that a `first` or `rest` gives.
inline const Value& part_of(const Value& pair, const CoreExpr& expr) {
  return expr.kind == CoreExpr::Kind::first ? pair.first() : pair.second();
}

// The variable that a row of `first` and `rest` begins with; null where it is none.
inline const CoreExpr* variable_of(const CoreExpr& expr) {
  const CoreExpr* at = &expr;
  while (at->kind == CoreExpr::Kind::first || at->kind == CoreExpr::Kind::rest)
    at = at->operands[0].get();
  return at->kind == CoreExpr::Kind::variable ? at : nullptr;
}

// The part of a variable that such a row gives, without a copy of the pairs on the way; null where
// it is no variable, or a pair is elsewhere.
inline const Value* find_part(const CoreExpr& expr, const std::vector<Value>& slots) {
  if (expr.kind == CoreExpr::Kind::variable) return &slots[expr.slots[0]];
  if (expr.kind != CoreExpr::Kind::first && expr.kind != CoreExpr::Kind::rest) return nullptr;
  const Value* pair = find_part(*expr.operands[0], slots);
  return pair && !pair->is_elsewhere() ? &part_of(*pair, expr) : nullptr;
}

// The first slots of the function that is called.
template <class V, class Evaluate>
std::vector<V> arguments_of(const CoreExpr& call, const Evaluate& evaluate) {
  std::vector<V> arguments;
  arguments.reserve(call.function->slots);
  for (const CoreRef& operand : call.operands) arguments.push_back(evaluate(*operand));
  return arguments;
}

}  // namespace tutti::nesl
