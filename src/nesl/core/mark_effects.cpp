#include "nesl/core/mark_effects.hpp"

#include <algorithm>
#include <string_view>

#include "nesl/library/primitive.hpp"

namespace tutti::nesl {
namespace {

constexpr int several = 2;

struct Effects {
  bool prints = false;
  int draws = 0;
  bool rounds = false;
};

bool rounds_by_position(const CoreExpr& primitive) {
  const std::string_view name = primitive.primitive->name;
  return (name == "plus_scan" || name == "mult_scan") &&
         mono::representation(primitive.type)->a->kind == MonoType::Kind::floating;
}

Effects effects_of(const CoreExpr& expr) {
  Effects result;
  if (expr.kind == CoreExpr::Kind::call)
    result = {expr.function->prints, expr.function->draws, expr.function->rounds_by_position};
  if (expr.kind == CoreExpr::Kind::primitive) {
    result.prints = expr.primitive->effect != Effect::none;
    result.draws = std::string_view(expr.primitive->name) == "rand" ? 1 : 0;
    result.rounds = rounds_by_position(expr);
  }
  for (const CoreRef& operand : expr.operands) {
    const Effects its = effects_of(*operand);
    result.prints = result.prints || its.prints;
    result.rounds = result.rounds || its.rounds;
    result.draws = std::min(result.draws + its.draws, several);
  }
  // One number for all elements, also where a function with this expression is called for each.
  if (expr.kind == CoreExpr::Kind::once && result.draws > 0) result.draws = several;
  return result;
}

// Numbers that are drawn at one place are drawn in the order of the elements, whether one element
// follows the other or all are taken at once.
void mark_eachs(CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::each) {
    const Effects its = effects_of(*expr.operands.back());
    expr.effects = its.prints || its.draws >= several;
    expr.pure = !its.prints && its.draws == 0 && !its.rounds;
  }
  for (const CoreRef& operand : expr.operands) mark_eachs(*operand);
}

}  // namespace

void mark_effects(const std::vector<CoreFunctionRef>& functions) {
  // Calls may be recursive: until nothing changes. A recursive function that draws does so at
  // several places.
  for (bool changed = true; changed;) {
    changed = false;
    for (const CoreFunctionRef& function : functions) {
      const Effects its = effects_of(*function->body);
      changed = changed || its.prints != function->prints || its.draws != function->draws ||
                its.rounds != function->rounds_by_position;
      function->prints = its.prints;
      function->rounds_by_position = its.rounds;
      function->draws = its.draws;
    }
  }
  for (const CoreFunctionRef& function : functions) mark_eachs(*function->body);
}

}  // namespace tutti::nesl
