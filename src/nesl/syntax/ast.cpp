#include "nesl/syntax/ast.hpp"

namespace tutti::nesl {

ExprRef make_expr(Expr::Kind kind, Span span) {
  auto result = std::make_shared<Expr>();
  result->kind = kind;
  result->span = span;
  return result;
}

ExprRef make_name(std::string name, Span span) {
  ExprRef result = make_expr(Expr::Kind::name, span);
  result->text = std::move(name);
  return result;
}

ExprRef make_builtin(std::string name, Span span) {
  ExprRef result = make_expr(Expr::Kind::builtin, span);
  result->text = std::move(name);
  return result;
}

ExprRef make_apply(ExprRef function, ExprRef argument) {
  ExprRef result = make_expr(Expr::Kind::apply, join(function->span, argument->span));
  if (argument->span.begin < result->span.begin) result->span.begin = argument->span.begin;
  if (function->span.end > result->span.end) result->span.end = function->span.end;
  result->a = std::move(function);
  result->b = std::move(argument);
  return result;
}

ExprRef make_pair(ExprRef a, ExprRef b) {
  ExprRef result = make_expr(Expr::Kind::pair, join(a->span, b->span));
  result->a = std::move(a);
  result->b = std::move(b);
  return result;
}

}  // namespace tutti::nesl
