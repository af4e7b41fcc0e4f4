#include "nesl/eval/flat/cheap.hpp"

#include <string>
#include <unordered_set>

#include "nesl/library/primitive.hpp"

namespace tutti::nesl::flat {
namespace {

// Beyond this the work for instances on the other side outweighs the waiting: about as many
// element-wise operations as a split costs passes over memory.
constexpr int max_operations = 24;

const std::unordered_set<std::string>& total_operations() {
  static const std::unordered_set<std::string> names = {
#define NESL_OPERATION(name, type, op, description) name,
#include "nesl/library/scalar_operations.def"
      "nor",   "nand",  "btoi",      "float",     "float_num", "floor", "ceil",
      "trunc", "round", "char_code", "code_char", "select",    "first", "rest"};
  return names;
}

// Counts operations down; false when there is something else, or there are too many.
bool fits(const CoreExpr& expr, int& left) {
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
    case CoreExpr::Kind::variable:
    case CoreExpr::Kind::global:
      return true;
    case CoreExpr::Kind::primitive:
      if (!total_operations().contains(expr.primitive->name) || --left < 0) return false;
      break;
    case CoreExpr::Kind::condition:
      if (--left < 0) return false;
      break;
    case CoreExpr::Kind::pair:
    case CoreExpr::Kind::first:
    case CoreExpr::Kind::rest:
      break;
    default:
      return false;
  }
  for (const CoreRef& operand : expr.operands)
    if (!fits(*operand, left)) return false;
  return true;
}

}  // namespace

bool is_cheap(const CoreExpr& expr) {
  int left = max_operations;
  return fits(expr, left);
}

}  // namespace tutti::nesl::flat
