// Translates one function body into the core language.
#pragma once
#include <string>
#include <vector>

#include "nesl/core/specialise.hpp"

namespace tutti::nesl {

class FunctionBuilder {
 public:
  FunctionBuilder(Specialiser& specialiser, std::string name, SourceRef source);

  // A slot for the next parameter; parameters come before everything else.
  int parameter();
  // Binds the names of a pattern to (the parts of) a value in a slot, around what finish() gets.
  void bind(const PatternRef& pattern, int slot, Mono type);
  void bind_captured(const FunctionIdentity& identity, int slot);
  CoreRef expression(const ExprRef& expr);
  CoreFunctionRef finish(CoreRef body);

 private:
  struct Local {
    std::string name;
    int slot;
    Mono type;
  };
  struct Assignment {
    int slot;
    CoreRef value;
  };

  CoreRef name(const Expr& expr);
  CoreRef apply(const ExprRef& expr);
  CoreRef apply_primitive(const Primitive& primitive, CoreRef argument, Span where);
  CoreRef apply_constructor(const Definition& constructor, CoreRef argument, Span where);
  CoreRef condition(const Expr& expr);
  CoreRef let(const Expr& expr);
  CoreRef lambda(const ExprRef& expr);
  CoreRef sequence(const Expr& expr);
  CoreRef each(const Expr& expr);
  CoreRef power(const Expr& call);

  const Local* find_local(const std::string& name) const;
  void bind_value(const PatternRef& pattern, CoreRef value);
  CoreRef with_assignments(std::size_t mark, CoreRef body);
  void captured_names(const Expr& expr, std::vector<std::string>& bound,
                      std::vector<std::string>& names) const;

  Specialiser& specialiser_;
  SourceRef source_;
  CoreFunctionRef function_;
  std::vector<Local> locals_;
  std::vector<Assignment> assignments_;
};

// Marks the largest subexpressions without variables in the body of an apply-to-each, so that
// they are evaluated once; gives the slots they are kept in.
std::vector<int> mark_closed(CoreRef& body, CoreFunction& function);

}  // namespace tutti::nesl
