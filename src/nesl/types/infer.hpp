// Type inference: unification with class-bounded variables. Writes into the tree what each name
// refers to; what it returns are the most general types. Functions are generalised, values bound
// by let and parameters are not.
#pragma once
#include <string>
#include <vector>

#include "nesl/types/definition.hpp"

namespace tutti::nesl {

class Inference {
 public:
  explicit Inference(const Environment& environment) : environment_(environment) {}

  // Resolves the body of a function and gives it its type; `definition` may hold a declared type.
  // While the body is looked at, the function's own name means this definition.
  void check_function(const DefinitionRef& definition);

  TypeRef check_expression(const ExprRef& expr);
  // The types of the variables of a top-level pattern, in order.
  std::vector<std::pair<std::string, TypeRef>> bind_pattern(const PatternRef& pattern,
                                                            const TypeRef& type);

 private:
  struct Local {
    std::string name;
    TypeRef type;
  };
  TypeRef infer(const ExprRef& expr);
  TypeRef name(Expr& expr);
  TypeRef apply(const ExprRef& expr);
  TypeRef condition(const Expr& expr);
  TypeRef let(const Expr& expr);
  TypeRef lambda(const Expr& expr);
  TypeRef sequence(const Expr& expr);
  TypeRef each(const Expr& expr);
  TypeRef pattern(const PatternRef& pattern);  // declares its variables
  DefinitionRef find_global(const std::string& name) const;
  const Local* find_local(const std::string& name) const;

  const Environment& environment_;
  std::vector<Local> locals_;
  DefinitionRef self_;
  TypeRef self_type_;
};

// Puts the defaults of a function's parameters into a call that leaves them out or names them.
void fill_defaults(Expr& call, const Definition& function);

}  // namespace tutti::nesl
