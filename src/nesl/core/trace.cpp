#include "nesl/core/trace.hpp"

#include "nesl/syntax/ast_printer.hpp"

namespace tutti::nesl {
namespace {

// Names that a program cannot write, so that nothing of its own is hidden.
constexpr const char* ignored = "trace-ignored";
constexpr const char* result = "trace-result";

class Tracer {
 public:
  Tracer(int level, const Environment& environment) : level_(level), environment_(environment) {}

  ExprRef body(const Definition& function) {
    const bool values = level_ == 2 || level_ >= 4;
    ExprRef outer = make_expr(Expr::Kind::let, function.body->span);
    add(*outer, print(text("Entering " + function.name + "\n")));
    if (values) add(*outer, print(variables(*function.parameter, 2)));
    add(*outer, level_ >= 3 ? inside(function.body) : function.body, result);
    add(*outer, print(text("Leaving " + function.name + "\n")));
    if (values) add(*outer, print(shown(result, "result", 2)));
    outer->a = make_name(result, function.body->span);
    return outer;
  }

 private:
  ExprRef builtin(const char* name) const {
    ExprRef expr = make_builtin(name, {});
    expr->definition = environment_.find_builtin(name);
    return expr;
  }
  static ExprRef text(const std::string& contents) {
    ExprRef expr = make_expr(Expr::Kind::string, {});
    expr->text = contents;
    return expr;
  }
  ExprRef append(const ExprRef& a, const ExprRef& b) const {
    return make_apply(builtin("++"), make_pair(a, b));
  }
  ExprRef print(const ExprRef& what) const { return make_apply(builtin("print_string"), what); }

  // A line `name = value`.
  ExprRef shown(const char* variable, const std::string& name, int indent) const {
    const ExprRef value = make_apply(builtin("trace-text"), make_name(variable, {}));
    const std::string begin = std::string(static_cast<std::size_t>(indent), ' ') + name + " = ";
    return append(append(text(begin), value), text("\n"));
  }

  ExprRef variables(const Pattern& pattern, int indent) const {
    switch (pattern.kind) {
      case Pattern::Kind::pair:
        return append(variables(*pattern.left, indent), variables(*pattern.right, indent));
      case Pattern::Kind::record:
        return variables(*pattern.left, indent);
      default:
        return shown(pattern.name.c_str(), pattern.name, indent);
    }
  }

  static void add(Expr& let, const ExprRef& value, const char* name = ignored) {
    auto pattern = std::make_shared<Pattern>();
    pattern->kind = Pattern::Kind::variable;
    pattern->name = name;
    let.bindings.push_back({pattern, value});
  }

  // The lets on the way to the value of an expression, and of the arguments of its calls. What is
  // inside of an apply-to-each is left alone.
  ExprRef inside(const ExprRef& expr) {
    auto copy = std::make_shared<Expr>(*expr);
    switch (expr->kind) {
      case Expr::Kind::let:
        copy->bindings.clear();
        for (const Binding& binding : expr->bindings) {
          copy->bindings.push_back(binding);
          add(*copy, print(level_ >= 4 ? variables(*binding.pattern, 4)
                                       : text("  Let: " + to_source(*binding.pattern) + "\n")));
        }
        copy->a = inside(expr->a);
        return copy;
      case Expr::Kind::condition:
        copy->a = inside(expr->a);
        copy->b = inside(expr->b);
        copy->c = inside(expr->c);
        return copy;
      case Expr::Kind::pair:
        copy->a = inside(expr->a);
        copy->b = inside(expr->b);
        return copy;
      case Expr::Kind::apply:
        copy->b = inside(expr->b);
        return copy;
      default:
        return expr;
    }
  }

  int level_;
  const Environment& environment_;
};

}  // namespace

ExprRef traced(const Definition& function, int level, const Environment& environment) {
  return Tracer(level, environment).body(function);
}

}  // namespace tutti::nesl
