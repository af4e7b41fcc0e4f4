// What the names of a session lead to: definitions, and the functions and types of their values.
// Whatever else the session has made can be forgotten.
#pragma once
#include <set>
#include <vector>

#include "nesl/core/specialise.hpp"
#include "nesl/types/definition.hpp"

namespace tutti::nesl {

class Reachable {
 public:
  // Definitions that have been replaced lead directly to the latest one after this.
  explicit Reachable(const Environment& environment);

  bool contains(const Definition& definition) const { return definitions_.contains(&definition); }
  const std::set<const FunctionIdentity*>& functions() const { return functions_; }
  const std::set<Mono>& types() const { return types_; }

 private:
  void reach(const DefinitionRef& definition);
  void reach(const ExprRef& expr);
  void reach(const PatternRef& pattern);
  void reach(Mono type);
  void reach(const FunctionIdentity& function);
  void look_into(Definition& definition);

  std::set<const Definition*> definitions_;
  std::set<const Expr*> lambdas_;
  std::set<const FunctionIdentity*> functions_;
  std::set<Mono> types_;
  std::vector<DefinitionRef> pending_;  // instead of a recursion: chains of functions are long
};

}  // namespace tutti::nesl
