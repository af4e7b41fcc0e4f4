#include "nesl/mark_effects.hpp"

#include <algorithm>
#include <string_view>

#include "nesl/primitive.hpp"

namespace tutti::nesl {
namespace {

constexpr int several = 2;

struct Effects {
  bool prints = false;
  int draws = 0;
};

Effects effects_of(const CoreExpr& expr) {
  Effects result;
  if (expr.kind == CoreExpr::Kind::call) result = {expr.function->prints, expr.function->draws};
  if (expr.kind == CoreExpr::Kind::primitive) {
    result.prints = expr.primitive->effect != Effect::none;
    result.draws = std::string_view(expr.primitive->name) == "rand" ? 1 : 0;
  }
  for (const CoreRef& operand : expr.operands) {
    const Effects its = effects_of(*operand);
    result.prints = result.prints || its.prints;
    result.draws = std::min(result.draws + its.draws, several);
  }
  return result;
}

// Numbers that are drawn at one place are drawn in the order of the elements, whether one element
// follows the other or all are taken at once.
void mark_eachs(CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::each) {
    const Effects its = effects_of(*expr.operands.back());
    expr.effects = its.prints || its.draws >= several;
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
      changed = changed || its.prints != function->prints || its.draws != function->draws;
      function->prints = its.prints;
      function->draws = its.draws;
    }
  }
  for (const CoreFunctionRef& function : functions) mark_eachs(*function->body);
}

}  // namespace tutti::nesl
