// Expressions without variables inside an apply-to-each have one value for all its elements.
#include <set>

#include "nesl/core/function_builder.hpp"

namespace tutti::nesl {
namespace {

using Slots = std::set<int>;

Slots free_slots(const CoreExpr& expr) {
  Slots result;
  if (expr.kind == CoreExpr::Kind::variable) result.insert(expr.slots[0]);
  for (const CoreRef& operand : expr.operands) result.merge(free_slots(*operand));
  const bool binds = expr.kind == CoreExpr::Kind::let || expr.kind == CoreExpr::Kind::each;
  if (binds)
    for (int slot : expr.slots) result.erase(slot);
  return result;
}

bool is_work(const CoreExpr& expr) {
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
    case CoreExpr::Kind::global:
    case CoreExpr::Kind::variable:
    case CoreExpr::Kind::once:
      return false;
    case CoreExpr::Kind::first:
    case CoreExpr::Kind::rest:
    case CoreExpr::Kind::pair:
      for (const CoreRef& operand : expr.operands)
        if (is_work(*operand)) return true;
      return false;
    default:
      return true;
  }
}

void mark(CoreRef& expr, CoreFunction& function, std::vector<int>& slots) {
  if (is_work(*expr) && free_slots(*expr).empty()) {
    auto once = std::make_shared<CoreExpr>();
    once->kind = CoreExpr::Kind::once;
    once->type = expr->type;
    once->span = expr->span;
    once->slots = {function.slots++};
    once->operands = {expr};
    slots.push_back(once->slots[0]);
    expr = once;
    return;
  }
  // Closed expressions of an inner apply-to-each have been marked already. They belong to the outer
  // one as well: without variables they do not change from one run of the inner one to the next.
  if (expr->kind == CoreExpr::Kind::each) {
    slots.insert(slots.end(), expr->once_slots.begin(), expr->once_slots.end());
    expr->once_slots.clear();
  }
  for (CoreRef& operand : expr->operands) mark(operand, function, slots);
}

}  // namespace

std::vector<int> mark_closed(CoreRef& body, CoreFunction& function) {
  std::vector<int> slots;
  mark(body, function, slots);
  return slots;
}

}  // namespace tutti::nesl
