#include "nesl/core/last_uses.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "nesl/core/free_variables.hpp"

namespace tutti::nesl {
namespace {

using Slots = std::set<int>;

std::vector<int> difference(const Slots& of, const Slots& without) {
  std::vector<int> result;
  std::set_difference(of.begin(), of.end(), without.begin(), without.end(),
                      std::back_inserter(result));
  return result;
}

// Backwards through an expression: `live` are the slots that are used after it, and becomes those
// that are used from its beginning on.
class Marker {
 public:
  void mark(CoreRef& expr, Slots& live) {
    // A mark belongs to one place.
    if (!seen_.insert(expr.get()).second) {
      expr = std::make_shared<CoreExpr>(*expr);
      seen_.insert(expr.get());
    }
    switch (expr->kind) {
      case CoreExpr::Kind::variable:
        expr->last = live.insert(expr->slots[0]).second;
        return;
      case CoreExpr::Kind::let:
        return let(*expr, live);
      case CoreExpr::Kind::condition:
        return condition(*expr, live);
      case CoreExpr::Kind::each:
        return each(*expr, live);
      case CoreExpr::Kind::once: {
        Slots none;  // it has no variables but its own
        return mark(expr->operands[0], none);
      }
      default:
        for (std::size_t i = expr->operands.size(); i-- > 0;) mark(expr->operands[i], live);
    }
  }

 private:
  void bound(CoreExpr& expr, int slot, Slots& live) {
    if (live.erase(slot) == 0) expr.dead[0].push_back(slot);
  }
  void let(CoreExpr& expr, Slots& live) {
    mark(expr.operands.back(), live);
    for (std::size_t i = expr.slots.size(); i-- > 0;) {
      bound(expr, expr.slots[i], live);
      mark(expr.operands[i], live);
    }
  }
  void condition(CoreExpr& expr, Slots& live) {
    const Slots after = live;
    Slots sides[2] = {after, after};
    for (int i : {0, 1}) mark(expr.operands[static_cast<std::size_t>(i) + 1], sides[i]);
    for (int slot : sides[0])
      if (sides[1].contains(slot) && !after.contains(slot)) expr.in_both.push_back(slot);
    live.insert(sides[0].begin(), sides[0].end());
    live.insert(sides[1].begin(), sides[1].end());
    for (int i : {0, 1}) expr.dead[i] = difference(live, sides[i]);
    mark(expr.operands[0], live);
  }
  void each(CoreExpr& expr, Slots& live) {
    mark(expr.operands.back(), live);
    for (int slot : expr.slots) bound(expr, slot, live);
    for (std::size_t i = expr.operands.size() - 1; i-- > 0;) mark(expr.operands[i], live);
  }

  std::unordered_set<const CoreExpr*> seen_;
};

void add_last_uses(const CoreExpr& expr, Slots& found) {
  if (expr.kind == CoreExpr::Kind::variable && expr.last) found.insert(expr.slots[0]);
  if (expr.kind == CoreExpr::Kind::condition)
    for (const std::vector<int>& dead : expr.dead) found.insert(dead.begin(), dead.end());
  for (const CoreRef& operand : expr.operands) add_last_uses(*operand, found);
}

}  // namespace

void mark_last_uses(CoreFunction& function) {
  Slots live;
  Marker().mark(function.body, live);
}

std::vector<int> last_used_in(const CoreExpr& expr) {
  Slots used;
  add_last_uses(expr, used);
  std::vector<int> result;
  for (const auto& [slot, type] : free_variables(expr))
    if (used.contains(slot)) result.push_back(slot);
  return result;
}

}  // namespace tutti::nesl
