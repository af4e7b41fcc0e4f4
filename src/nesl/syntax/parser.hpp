// From tokens to syntax trees: a precedence parser for expressions and types. Patterns are read as
// expressions and converted, since only what follows distinguishes them.
#pragma once
#include <string>
#include <vector>

#include "nesl/syntax/ast.hpp"
#include "nesl/syntax/lexer.hpp"

namespace tutti::nesl {

class Parser {
 public:
  explicit Parser(const Source& source) : tokens_(tokenize(source)) {}

  // Where the parser stands.
  const Token& peek(int ahead = 0) const;
  Token take();
  bool at_end() const { return peek().kind == Token::Kind::end; }
  bool accept(const char* symbol);
  Span expect(const char* symbol, const char* after);
  [[noreturn]] void fail(const std::string& message) const;
  void skip();

  // Expressions: with commas, or (above the comma) one component.
  ExprRef expression();
  ExprRef component();
  PatternRef to_pattern(const ExprRef& expr);
  PatternRef atomic_pattern();

  // Types.
  TypeExprRef type();
  TypeExprRef atomic_type();
  TypeDeclaration type_declaration();
  std::vector<ClassBound> context();

 private:
  // Guards the recursion: deeper trees would exhaust the stack of the passes that walk them.
  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  TypeExprRef arrow_type();
  ExprRef operators(int tighter_than);
  ExprRef prefix();
  ExprRef primary();
  ExprRef postfix(ExprRef expr, bool& applied);
  ExprRef bracket();
  ExprRef sequence_rest(Span open, ExprRef first);
  ExprRef each();
  Binding each_binding(ExprRef first);
  ExprRef condition();
  ExprRef let();
  bool begins_primary() const;
  void check_distinct(const PatternRef& pattern, std::vector<std::string>& names);

  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

bool is_reserved(const std::string& name);

}  // namespace tutti::nesl
