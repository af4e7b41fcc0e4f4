#include "nesl/mark_effects.hpp"

#include <algorithm>
#include <string_view>

#include "nesl/primitive.hpp"

namespace tutti::nesl {
namespace {

bool has_effects(const CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::call && expr.function->effects) return true;
  if (expr.kind == CoreExpr::Kind::primitive)
    if (expr.primitive->effect != Effect::none || std::string_view(expr.primitive->name) == "rand")
      return true;
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [](const CoreRef& operand) { return has_effects(*operand); });
}

void mark_eachs(CoreExpr& expr) {
  if (expr.kind == CoreExpr::Kind::each) expr.effects = has_effects(*expr.operands.back());
  for (const CoreRef& operand : expr.operands) mark_eachs(*operand);
}

}  // namespace

void mark_effects(const std::vector<CoreFunctionRef>& functions) {
  // Calls may be recursive: until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (const CoreFunctionRef& function : functions)
      if (!function->effects && has_effects(*function->body)) changed = function->effects = true;
  }
  for (const CoreFunctionRef& function : functions) mark_eachs(*function->body);
}

}  // namespace tutti::nesl
