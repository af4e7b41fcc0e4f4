#include "nesl/syntax/ast_printer.hpp"

#include "nesl/syntax/operators.hpp"
#include "nesl/syntax/parser.hpp"
#include "nesl/values/number_text.hpp"

namespace tutti::nesl {
namespace {

std::string print(const Expr& expr, int level);

std::string wrapped(std::string text, bool parentheses) {
  return parentheses ? "(" + std::move(text) + ")" : text;
}

// Names that would be read as something else are escaped.
std::string name_text(const std::string& name) {
  const bool plain = !is_reserved(name) && !(name[0] >= '0' && name[0] <= '9') &&
                     name.find('-') == std::string::npos;
  return plain ? name : "!" + name;
}

bool is_builtin(const Expr& expr, const char* name) {
  return expr.kind == Expr::Kind::builtin && expr.text == name;
}

std::string print_apply(const Expr& expr, int level) {
  const Expr& argument = *expr.b;
  const bool two = argument.kind == Expr::Kind::pair;
  if (expr.a->kind == Expr::Kind::builtin) {
    if (two && is_builtin(*expr.a, "elt"))
      return print(*argument.a, application_level) + "[" + print(*argument.b, comma_left) + "]";
    if (two && is_builtin(*expr.a, "iseq") && argument.b->kind == Expr::Kind::pair)
      return "[" + print(*argument.a, comma_left) + ":" + print(*argument.b->b, comma_left) + ":" +
             print(*argument.b->a, comma_left) + "]";
    if (const Operator* op = operator_of(expr.a->text, false); op && two)
      return wrapped(print(*argument.a, op->right < op->left ? op->left : op->left - 1) + " " +
                         op->symbol + " " + print(*argument.b, op->right),
                     op->left <= level);
    if (const Operator* op = operator_of(expr.a->text, true))
      return wrapped(op->symbol + print(argument, op->right), prefix_level <= level);
  }
  return print(*expr.a, application_level - 1) + "(" + print(argument, 0) + ")";
}

std::string print_bindings(const Expr& expr, const char* sign) {
  std::string text;
  for (std::size_t i = 0; i < expr.bindings.size(); ++i)
    text += (i ? "; " : "") + to_source(*expr.bindings[i].pattern) + sign +
            print(*expr.bindings[i].value, 0);
  return text;
}

std::string print_each(const Expr& expr) {
  std::string text = expr.serial ? "{* " : "{";
  if (expr.a) text += print(*expr.a, 0) + " : ";
  text += print_bindings(expr, " in ");
  if (expr.b) text += " | " + print(*expr.b, 0);
  return text + "}";
}

std::string print_sequence(const Expr& expr) {
  std::string text = "[";
  for (std::size_t i = 0; i < expr.elements.size(); ++i)
    text += (i ? ", " : "") + print(*expr.elements[i], comma_left);
  return text + "]";
}

// `level`: the binding power of what stands around it.
std::string print(const Expr& expr, int level) {
  switch (expr.kind) {
    case Expr::Kind::integer:
      return std::to_string(expr.integer);
    case Expr::Kind::floating:
      return float_text(expr.floating);
    case Expr::Kind::boolean:
      return expr.integer ? "t" : "f";
    case Expr::Kind::character:
      return std::string("`") + static_cast<char>(expr.integer);
    case Expr::Kind::string:
      return quoted(expr.text);
    case Expr::Kind::name:
      return name_text(expr.text);
    case Expr::Kind::builtin:
      if (const Operator* op = operator_of(expr.text, false)) return std::string("'") + op->symbol;
      if (const Operator* op = operator_of(expr.text, true)) return std::string("'") + op->symbol;
      return expr.text;
    case Expr::Kind::apply:
      return print_apply(expr, level);
    case Expr::Kind::pair:
      return wrapped(print(*expr.a, comma_left) + ", " + print(*expr.b, comma_right),
                     comma_left <= level);
    case Expr::Kind::condition:
      return wrapped(
          "if " + print(*expr.a, 0) + " then " + print(*expr.b, 0) + " else " + print(*expr.c, 0),
          level > 0);
    case Expr::Kind::let:
      return wrapped("let " + print_bindings(expr, " = ") + " in " + print(*expr.a, 0), level > 0);
    case Expr::Kind::lambda:
      return wrapped(to_source(*expr.pattern) + " => " + print(*expr.a, lambda_right),
                     lambda_left <= level);
    case Expr::Kind::sequence:
      return print_sequence(expr);
    case Expr::Kind::empty:
      // Parentheses after a type would belong to it.
      return wrapped("[] " + to_source(*expr.type), level >= application_level - 1);
    case Expr::Kind::each:
      return print_each(expr);
    case Expr::Kind::time:
      return "time(" + print(*expr.a, 0) + ")";
    case Expr::Kind::keyword:
      return wrapped(name_text(expr.text) + " := " + print(*expr.a, keyword_right),
                     keyword_left <= level);
  }
  return "";
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string to_source(const Expr& expr) { return print(expr, 0); }

std::string to_source(const Pattern& pattern) {
  switch (pattern.kind) {
    case Pattern::Kind::variable:
      return name_text(pattern.name);
    case Pattern::Kind::pair: {
      std::string text = "(" + to_source(*pattern.left);
      const Pattern* at = pattern.right.get();
      for (; at->kind == Pattern::Kind::pair; at = at->right.get())
        text += ", " + to_source(*at->left);
      return text + ", " + to_source(*at) + ")";
    }
    case Pattern::Kind::record: {
      const std::string inside = to_source(*pattern.left);
      return name_text(pattern.name) + (inside.front() == '(' ? inside : "(" + inside + ")");
    }
    case Pattern::Kind::defaulted:
      return name_text(pattern.name) + " := " + print(*pattern.value, keyword_right);
  }
  return "";
}

std::string to_source(const TypeExpr& type) {
  switch (type.kind) {
    case TypeExpr::Kind::name:
      return name_text(type.name);
    case TypeExpr::Kind::sequence:
      return "[" + to_source(*type.a) + "]";
    case TypeExpr::Kind::pair:
      return "(" + to_source(*type.a) + ", " + to_source(*type.b) + ")";
    case TypeExpr::Kind::arrow:
      return "(" + to_source(*type.a) + " -> " + to_source(*type.b) + ")";
    case TypeExpr::Kind::apply:
      return name_text(type.name) + "(" + to_source(*type.a) + ")";
  }
  return "";
}

}  // namespace tutti::nesl
