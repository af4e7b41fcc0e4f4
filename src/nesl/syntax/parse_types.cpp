// The part of the parser that reads types.
#include "nesl/syntax/parser.hpp"

namespace tutti::nesl {
namespace {

TypeExprRef make(TypeExpr::Kind kind, Span span, TypeExprRef a = nullptr, TypeExprRef b = nullptr) {
  auto result = std::make_shared<TypeExpr>();
  result->kind = kind;
  result->span = span;
  result->a = std::move(a);
  result->b = std::move(b);
  return result;
}

}  // namespace

// `->` binds tighter than `,`, and both to the right.
TypeExprRef Parser::type() {
  TypeExprRef left = arrow_type();
  const Nesting nesting(*this);
  if (!accept(",")) return left;
  TypeExprRef right = type();
  return make(TypeExpr::Kind::pair, join(left->span, right->span), left, right);
}

TypeExprRef Parser::arrow_type() {
  const Nesting nesting(*this);
  TypeExprRef left = atomic_type();
  if (!accept("->")) return left;
  TypeExprRef to = arrow_type();
  return make(TypeExpr::Kind::arrow, join(left->span, to->span), left, to);
}

TypeExprRef Parser::atomic_type() {
  const Nesting nesting(*this);
  if (peek().is("[")) {
    const Span open = take().span;
    TypeExprRef element = type();
    return make(TypeExpr::Kind::sequence, join(open, expect("]", "the type of elements")), element);
  }
  if (accept("(")) {
    TypeExprRef inside = type();
    expect(")", "a type in parentheses");
    return inside;
  }
  if (peek().kind != Token::Kind::name) fail("a type is expected");
  const Token name = take();
  TypeExprRef result = make(TypeExpr::Kind::name, name.span);
  result->name = name.text;
  if (accept("(")) {
    result->kind = TypeExpr::Kind::apply;
    result->a = type();
    result->span = join(name.span, expect(")", "the arguments of a type"));
  }
  return result;
}

std::vector<ClassBound> Parser::context() {
  const bool parenthesised = accept("(");
  std::vector<ClassBound> bounds;
  do {
    if (peek().kind != Token::Kind::name) fail("a type variable is expected");
    const Token variable = take();
    expect("in", "a type variable");
    if (peek().kind != Token::Kind::name) fail("a type class is expected");
    bounds.push_back({variable.text, take().text, variable.span});
  } while (peek().is(";") && peek(1).kind == Token::Kind::name && peek(2).is_name("in") &&
           accept(";"));
  if (parenthesised) expect(")", "the classes of a type");
  return bounds;
}

TypeDeclaration Parser::type_declaration() {
  TypeDeclaration result;
  result.type = type();
  if (accept("::")) result.context = context();
  return result;
}

}  // namespace tutti::nesl
