#include "nesl/eval/flat/calls.hpp"

#include <unordered_set>

namespace tutti::nesl::flat {
namespace {

void add_callees(const CoreExpr& expr, std::vector<const CoreFunction*>& callees) {
  if (expr.kind == CoreExpr::Kind::call) callees.push_back(expr.function);
  for (const CoreRef& operand : expr.operands) add_callees(*operand, callees);
}

void add_last_callees(const CoreExpr& expr, std::vector<const CoreFunction*>& callees) {
  if (expr.kind == CoreExpr::Kind::call) callees.push_back(expr.function);
  if (expr.kind == CoreExpr::Kind::let) add_last_callees(*expr.operands.back(), callees);
  if (expr.kind == CoreExpr::Kind::condition)
    for (int branch : {1, 2}) add_last_callees(*expr.operands[branch], callees);
}

}  // namespace

bool reaches(const CoreFunction& from, const CoreFunction& to) {
  std::unordered_set<const CoreFunction*> seen;
  std::vector<const CoreFunction*> open;
  add_callees(*from.body, open);
  while (!open.empty()) {
    const CoreFunction* callee = open.back();
    open.pop_back();
    if (callee == &to) return true;
    if (seen.insert(callee).second) add_callees(*callee->body, open);
  }
  return false;
}

bool is_loop(const CoreFunction& function) {
  std::vector<const CoreFunction*> last;
  add_last_callees(*function.body, last);
  for (const CoreFunction* callee : last)
    if (callee == &function || reaches(*callee, function)) return true;
  return false;
}

}  // namespace tutti::nesl::flat
