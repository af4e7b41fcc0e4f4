#include "nesl/syntax/parser.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include "nesl/errors.hpp"
#include "nesl/syntax/operators.hpp"

namespace tutti::nesl {
namespace {

constexpr int max_depth = 2000;
constexpr int max_chain = 4000;

std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::string:
      return "a string";
    case Token::Kind::character:
      return "the character `" + token.text;
    default:
      return token.text;
  }
}

// The digits of the least int are not an int themselves: they are read together with their sign.
bool is_least_int_without_sign(const Token& token) {
  return token.kind == Token::Kind::integer &&
         token.number == -static_cast<double>(std::numeric_limits<int>::min());
}

bool can_be_operator(const Token& token) {
  return token.kind == Token::Kind::symbol || (token.kind == Token::Kind::name && !token.escaped);
}

}  // namespace

bool is_reserved(const std::string& name) {
  static constexpr std::string_view words[] = {
      "function", "datatype", "if",  "then", "else", "let",  "in",   "and",     "or",
      "nand",     "nor",      "xor", "t",    "f",    "time", "pair", "closure", "defconfig"};
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (parser_.depth_ >= max_depth) parser_.fail("this is nested too deeply");
  ++parser_.depth_;
}

void Parser::skip() {
  if (!at_end()) ++position_;
}

const Token& Parser::peek(int ahead) const {
  return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

Token Parser::take() {
  if (peek().kind == Token::Kind::bad || peek().kind == Token::Kind::incomplete)
    fail("a token is expected");
  const Token token = peek();
  skip();
  return token;
}

bool Parser::accept(const char* symbol) {
  if (!peek().is(symbol)) return false;
  skip();
  return true;
}

Span Parser::expect(const char* symbol, const char* after) {
  const bool word = symbol[0] >= 'a' && symbol[0] <= 'z';
  if (word ? !peek().is_name(symbol) : !peek().is(symbol))
    fail(std::string(symbol) + " is expected after " + after);
  return take().span;
}

void Parser::fail(const std::string& message) const {
  const Token& token = peek();
  if (token.kind == Token::Kind::bad) throw ProgramError(token.span, token.text);
  if (token.kind == Token::Kind::incomplete) throw IncompleteForm(token.span, token.text);
  std::string text = "syntax error at " + shown(token) + ": " + message;
  if (position_ > 0) {
    text += " (read last:";
    for (std::size_t i = position_ < 4 ? 0 : position_ - 4; i < position_; ++i)
      text += " " + shown(tokens_[i]);
    text += ")";
  }
  if (token.kind == Token::Kind::end) throw IncompleteForm(token.span, text);
  throw ProgramError(token.span, text);
}

ExprRef Parser::expression() { return operators(0); }
ExprRef Parser::component() { return operators(comma_left); }

ExprRef Parser::operators(int tighter_than) {
  const Nesting nesting(*this);
  ExprRef left = prefix();
  for (int length = 0;; ++length) {
    if (length > max_chain) fail("this expression is too long");
    const Token& token = peek();
    bool applied = false;
    if (application_level > tighter_than) left = postfix(left, applied);
    if (applied) continue;
    if (token.is("=>") && lambda_left > tighter_than) {
      take();
      ExprRef lambda = make_expr(Expr::Kind::lambda, left->span);
      lambda->pattern = to_pattern(left);
      lambda->a = operators(lambda_right);
      lambda->span = join(left->span, lambda->a->span);
      left = lambda;
    } else if (token.is(":=") && keyword_left > tighter_than) {
      take();
      if (left->kind != Expr::Kind::name) fail("a name must stand before :=");
      ExprRef keyword = make_expr(Expr::Kind::keyword, left->span);
      keyword->text = left->text;
      keyword->a = operators(keyword_right);
      left = keyword;
    } else if (token.is(",") && comma_left > tighter_than) {
      take();
      left = make_pair(left, operators(comma_right));
    } else {
      const Operator* op = can_be_operator(token) ? infix_operator(token.text) : nullptr;
      if (!op || op->left <= tighter_than) return left;
      const Span at = take().span;
      ExprRef right = operators(op->right);
      left = make_apply(make_builtin(op->function, at), make_pair(left, right));
    }
  }
}

ExprRef Parser::prefix() {
  const Token& token = peek();
  if (token.is("-") && is_least_int_without_sign(peek(1))) {
    const Span sign = take().span;
    ExprRef least = make_expr(Expr::Kind::integer, join(sign, take().span));
    least->integer = std::numeric_limits<int>::min();
    return least;
  }
  if (token.kind == Token::Kind::symbol)
    if (const Operator* op = prefix_operator(token.text)) {
      const Span at = take().span;
      return make_apply(make_builtin(op->function, at), operators(op->right));
    }
  if (token.is_name("if")) return condition();
  if (token.is_name("let")) return let();
  return primary();
}

bool Parser::begins_primary() const {
  const Token& token = peek();
  switch (token.kind) {
    case Token::Kind::integer:
    case Token::Kind::floating:
    case Token::Kind::character:
    case Token::Kind::string:
      return true;
    case Token::Kind::name:
      return token.escaped || !is_reserved(token.text) || token.text == "t" || token.text == "f" ||
             token.text == "time";
    case Token::Kind::symbol:
      return token.text == "(" || token.text == "{" || token.text == "[" || token.text == "'";
    default:
      return false;
  }
}

// Application, juxtaposition and indexing, which bind tightest.
ExprRef Parser::postfix(ExprRef expr, bool& applied) {
  if (!begins_primary()) return expr;
  applied = true;
  if (!peek().is("[")) return make_apply(expr, primary());
  ExprRef argument = bracket();
  // `s[i]` is an element of s; with commas or colons the brackets are a sequence, the argument.
  const bool index = argument->kind == Expr::Kind::sequence && argument->elements.size() == 1;
  if (!index) return make_apply(expr, argument);
  return make_apply(make_builtin("elt", argument->span), make_pair(expr, argument->elements[0]));
}

ExprRef Parser::primary() {
  const Nesting nesting(*this);
  const Token& token = peek();
  switch (token.kind) {
    case Token::Kind::integer: {
      if (token.number > std::numeric_limits<int>::max())
        fail("integers go up to " + std::to_string(std::numeric_limits<int>::max()));
      ExprRef e = make_expr(Expr::Kind::integer, token.span);
      e->integer = static_cast<int>(take().number);
      return e;
    }
    case Token::Kind::floating: {
      ExprRef e = make_expr(Expr::Kind::floating, token.span);
      e->floating = take().number;
      return e;
    }
    case Token::Kind::character: {
      ExprRef e = make_expr(Expr::Kind::character, token.span);
      e->integer = static_cast<unsigned char>(take().text[0]);
      return e;
    }
    case Token::Kind::string: {
      ExprRef e = make_expr(Expr::Kind::string, token.span);
      e->text = take().text;
      return e;
    }
    case Token::Kind::name: {
      if (token.is_name("t") || token.is_name("f")) {
        ExprRef e = make_expr(Expr::Kind::boolean, token.span);
        e->integer = take().text == "t";
        return e;
      }
      if (token.is_name("time")) {
        const Span at = take().span;
        ExprRef e = make_expr(Expr::Kind::time, at);
        e->a = primary();
        return e;
      }
      if (!token.escaped && is_reserved(token.text)) fail("an expression is expected");
      const Token name = take();
      return make_name(name.text, name.span);
    }
    case Token::Kind::symbol:
      break;
    default:
      fail("an expression is expected");
  }
  if (token.is("(")) {
    const Span open = take().span;
    ExprRef inside = expression();
    const Span close = expect(")", "the expression in parentheses");
    // A copy of the node, so that the parentheses belong to its place.
    auto result = std::make_shared<Expr>(*inside);
    result->span = join(open, close);
    return result;
  }
  if (token.is("[")) return bracket();
  if (token.is("{")) return each();
  if (accept("'")) {
    const Token next = peek();
    const Operator* op = can_be_operator(next) ? infix_operator(next.text) : nullptr;
    if (!op && can_be_operator(next)) op = prefix_operator(next.text);
    if (!op && (next.kind != Token::Kind::name || (!next.escaped && is_reserved(next.text))))
      fail("a name or an operator must follow '");
    take();
    return op ? make_builtin(op->function, next.span) : make_name(next.text, next.span);
  }
  fail("an expression is expected");
}

// [a, b, c], [a:b:s] and [] type
ExprRef Parser::bracket() {
  const Span open = expect("[", "this");
  if (accept("]")) {
    ExprRef e = make_expr(Expr::Kind::empty, open);
    e->type = atomic_type();
    e->span = join(open, e->type->span);
    return e;
  }
  ExprRef first = component();
  if (!accept(":")) return sequence_rest(open, first);
  ExprRef last = component();
  ExprRef stride;
  if (accept(":"))
    stride = component();
  else {
    stride = make_expr(Expr::Kind::integer, last->span);
    stride->integer = 1;
  }
  const Span close = expect("]", "a range");
  ExprRef range = make_apply(make_builtin("iseq", open), make_pair(first, make_pair(stride, last)));
  range->span = join(open, close);
  return range;
}

ExprRef Parser::sequence_rest(Span open, ExprRef first) {
  ExprRef e = make_expr(Expr::Kind::sequence, open);
  e->elements.push_back(first);
  while (accept(",")) e->elements.push_back(component());
  e->span = join(open, expect("]", "the elements of a sequence"));
  return e;
}

Binding Parser::each_binding(ExprRef first) {
  if (peek().is_name("in")) {
    take();
    const PatternRef pattern = to_pattern(first);
    return {pattern, expression()};
  }
  if (first->kind != Expr::Kind::name) fail("`in` is expected: pattern in sequence");
  return {to_pattern(first), make_name(first->text, first->span)};
}

ExprRef Parser::each() {
  const Span open = expect("{", "this");
  ExprRef e = make_expr(Expr::Kind::each, open);
  e->serial = accept("*");
  ExprRef first = expression();
  if (accept(":")) {
    e->a = first;
    first = expression();
  }
  e->bindings.push_back(each_binding(first));
  while (accept(";")) {
    if (peek().is("}") || peek().is("|")) break;
    e->bindings.push_back(each_binding(expression()));
  }
  if (accept("|")) e->b = expression();
  e->span = join(open, expect("}", "an apply-to-each"));
  std::vector<std::string> names;
  for (const Binding& binding : e->bindings) check_distinct(binding.pattern, names);
  return e;
}

ExprRef Parser::condition() {
  const Span at = take().span;
  ExprRef e = make_expr(Expr::Kind::condition, at);
  e->a = expression();
  expect("then", "the condition of an if");
  e->b = expression();
  expect("else", "the first branch of an if");
  e->c = expression();
  e->span = join(at, e->c->span);
  return e;
}

ExprRef Parser::let() {
  const Span at = take().span;
  ExprRef e = make_expr(Expr::Kind::let, at);
  do {
    if (peek().is_name("in")) break;
    const PatternRef pattern = to_pattern(expression());
    expect("=", "the pattern of a let");
    e->bindings.push_back({pattern, expression()});
  } while (accept(";"));
  expect("in", "the bindings of a let");
  if (e->bindings.empty()) fail("a let needs a binding");
  e->a = expression();
  e->span = join(at, e->a->span);
  return e;
}

PatternRef Parser::to_pattern(const ExprRef& expr) {
  auto pattern = std::make_shared<Pattern>();
  pattern->span = expr->span;
  switch (expr->kind) {
    case Expr::Kind::name:
      pattern->kind = Pattern::Kind::variable;
      pattern->name = expr->text;
      break;
    case Expr::Kind::pair:
      pattern->kind = Pattern::Kind::pair;
      pattern->left = to_pattern(expr->a);
      pattern->right = to_pattern(expr->b);
      break;
    case Expr::Kind::keyword:
      pattern->kind = Pattern::Kind::defaulted;
      pattern->name = expr->text;
      pattern->value = expr->a;
      break;
    case Expr::Kind::apply:
      if (expr->a->kind == Expr::Kind::name) {
        pattern->kind = Pattern::Kind::record;
        pattern->name = expr->a->text;
        pattern->left = to_pattern(expr->b);
        break;
      }
      [[fallthrough]];
    default:
      throw ProgramError(expr->span,
                         "this is not a pattern: names, tuples and constructors of names are");
  }
  std::vector<std::string> names;
  check_distinct(pattern, names);
  return pattern;
}

PatternRef Parser::atomic_pattern() { return to_pattern(primary()); }

void Parser::check_distinct(const PatternRef& pattern, std::vector<std::string>& names) {
  if (pattern->kind == Pattern::Kind::variable || pattern->kind == Pattern::Kind::defaulted) {
    if (std::find(names.begin(), names.end(), pattern->name) != names.end())
      throw ProgramError(pattern->span,
                         "the variable " + pattern->name + " is repeated in a pattern");
    names.push_back(pattern->name);
    return;
  }
  check_distinct(pattern->left, names);
  if (pattern->right) check_distinct(pattern->right, names);
}

}  // namespace tutti::nesl
