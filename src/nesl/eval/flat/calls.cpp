#include "nesl/eval/flat/calls.hpp"

#include <algorithm>
#include <unordered_set>

#include "nesl/eval/flat/loop_shape.hpp"
#include "nesl/values/stored_value.hpp"

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

bool has_sequence(Mono type) {
  const Mono its = mono::representation(type);
  if (its->kind == MonoType::Kind::pair) return has_sequence(its->a) || has_sequence(its->b);
  return its->kind == MonoType::Kind::sequence;
}

bool is_serial(const CoreExpr& expr) {
  switch (expr.kind) {
    case CoreExpr::Kind::each:
    case CoreExpr::Kind::sequence:
      return false;
    case CoreExpr::Kind::global:
      return expr.global->is_plain();
    case CoreExpr::Kind::primitive:
      if (has_sequence(expr.type)) return false;
      break;
    default:
      break;
  }
  for (const CoreRef& operand : expr.operands)
    if (!is_serial(*operand)) return false;
  return true;
}

// What a loop that is captured as one kernel counts for: it takes about as long to compile.
constexpr std::int64_t expressions_of_a_loop = 5;
// Quicksort of 41 and 51 expressions compiles 35 and 64 kernels, straight code a third of that; and
// the host is better at the small sequences in which recursions end.
constexpr std::int64_t times_in_recursion = 6;

std::int64_t expressions_in(const CoreExpr& expr) {
  std::int64_t count = expr.operands.empty() ? 0 : 1;
  for (const CoreRef& operand : expr.operands) count += expressions_in(*operand);
  return count;
}

// A function and all that it calls, directly or through others.
std::vector<const CoreFunction*> reachable(const CoreFunction& function) {
  std::unordered_set<const CoreFunction*> seen{&function};
  std::vector<const CoreFunction*> result{&function};
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::vector<const CoreFunction*> callees;
    add_callees(*result[i]->body, callees);
    for (const CoreFunction* callee : callees)
      if (seen.insert(callee).second) result.push_back(callee);
  }
  return result;
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

bool calls_recursion(const CoreExpr& expr) {
  std::vector<const CoreFunction*> callees;
  add_callees(expr, callees);
  for (const CoreFunction* callee : callees)
    for (const CoreFunction* its : reachable(*callee))
      if (reaches(*its, *its)) return true;
  return false;
}

bool is_serial(const CoreFunction& function) {
  const std::vector<const CoreFunction*> all = reachable(function);
  return std::all_of(all.begin(), all.end(),
                     [](const CoreFunction* its) { return is_serial(*its->body); });
}

std::int64_t expressions_in(const CoreFunction& function) {
  std::int64_t count = 0;
  for (const CoreFunction* its : reachable(function)) {
    const std::int64_t more = expressions_in(*its->body);
    if (loop_shape(*its))
      count += std::min(more, expressions_of_a_loop);
    else
      count += reaches(*its, *its) && !is_loop(*its) ? more * times_in_recursion : more;
  }
  return count;
}

bool is_loop(const CoreFunction& function) {
  std::vector<const CoreFunction*> last;
  add_last_callees(*function.body, last);
  for (const CoreFunction* callee : last)
    if (callee == &function || reaches(*callee, function)) return true;
  return false;
}

}  // namespace tutti::nesl::flat
