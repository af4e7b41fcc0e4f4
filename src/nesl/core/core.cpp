#include "nesl/core/core.hpp"

#include "nesl/library/primitive.hpp"
#include "nesl/values/stored_value.hpp"
#include "nesl/values/value_text.hpp"

namespace tutti::nesl {
namespace {

std::string slot(int number) { return "v" + std::to_string(number); }

std::string print(const CoreExpr& expr, int indent);

std::string line(int indent, const std::string& text) {
  return std::string(2 * indent, ' ') + text + "\n";
}

std::string children(const CoreExpr& expr, int indent) {
  std::string text;
  for (const CoreRef& operand : expr.operands) text += print(*operand, indent);
  return text;
}

std::string named(const CoreExpr& expr, int indent, const char* sign) {
  std::string text;
  for (std::size_t i = 0; i < expr.slots.size(); ++i)
    text += line(indent, slot(expr.slots[i]) + sign) + print(*expr.operands[i], indent + 1);
  return text;
}

std::string print(const CoreExpr& expr, int indent) {
  const std::string type = " : " + to_string(expr.type);
  const auto node = [&](const std::string& label) {
    return line(indent, label + type) + children(expr, indent + 1);
  };
  switch (expr.kind) {
    case CoreExpr::Kind::constant:
      return line(indent, to_text(expr.value, expr.type, 10) + type);
    case CoreExpr::Kind::global:
      return node("global");
    case CoreExpr::Kind::variable:
      return line(indent, slot(expr.slots[0]) + type);
    case CoreExpr::Kind::let:
      return line(indent, "let") + named(expr, indent + 1, " =") + line(indent, "in") +
             print(*expr.operands.back(), indent + 1);
    case CoreExpr::Kind::condition:
      return node("if");
    case CoreExpr::Kind::call:
      return node("call " + expr.function->name);
    case CoreExpr::Kind::each:
      return line(indent, std::string(expr.serial ? "each in order" : "each") + type) +
             named(expr, indent + 1, " in") + line(indent, "do") +
             print(*expr.operands.back(), indent + 1);
    case CoreExpr::Kind::pair:
      return node("pair");
    case CoreExpr::Kind::first:
      return node("first");
    case CoreExpr::Kind::rest:
      return node("rest");
    case CoreExpr::Kind::sequence:
      return node("sequence");
    case CoreExpr::Kind::primitive:
      return node(expr.primitive->name);
    case CoreExpr::Kind::once:
      return node("once");
    case CoreExpr::Kind::time:
      return node("time");
  }
  return "";
}

}  // namespace

std::string to_text(const CoreFunction& function) { return print(*function.body, 1); }

}  // namespace tutti::nesl
