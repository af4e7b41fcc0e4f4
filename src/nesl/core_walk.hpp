// What the evaluators share that walk the core language on the host, one instance at a time.
#pragma once
#include <vector>

#include "nesl/core.hpp"

namespace tutti::nesl {

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
      at = at->operands.back().get();
    } else if (at->kind == CoreExpr::Kind::condition) {
      at = at->operands[holds(evaluate(*at->operands[0])) ? 1 : 2].get();
    } else {
      return *at;
    }
  }
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
