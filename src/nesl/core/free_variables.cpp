#include "nesl/core/free_variables.hpp"

namespace tutti::nesl {
namespace {

void add_variables(const CoreExpr& expr, std::vector<std::pair<int, Mono>>& found,
                   std::vector<int>& bound) {
  if (expr.kind == CoreExpr::Kind::variable) {
    const int slot = expr.slots[0];
    for (int other : bound)
      if (other == slot) return;
    for (const auto& [other, type] : found)
      if (other == slot) return;
    found.emplace_back(slot, expr.type);
    return;
  }
  const bool binds = expr.kind == CoreExpr::Kind::let || expr.kind == CoreExpr::Kind::each;
  const std::size_t mark = bound.size();
  for (std::size_t i = 0; i < expr.operands.size(); ++i) {
    // The sources of an apply-to-each do not see its variables; each value of a let sees those
    // before it.
    if (expr.kind == CoreExpr::Kind::each && i + 1 == expr.operands.size())
      bound.insert(bound.end(), expr.slots.begin(), expr.slots.end());
    add_variables(*expr.operands[i], found, bound);
    if (expr.kind == CoreExpr::Kind::let && i < expr.slots.size()) bound.push_back(expr.slots[i]);
  }
  if (binds) bound.resize(mark);
}

}  // namespace

std::vector<std::pair<int, Mono>> free_variables(const CoreExpr& expr) {
  std::vector<std::pair<int, Mono>> found;
  std::vector<int> bound;
  add_variables(expr, found, bound);
  return found;
}

}  // namespace tutti::nesl
