// From typed functions to the core language: a function is translated once for each type of its
// argument, where the type says which functions are passed in it.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/types/definition.hpp"

namespace tutti::nesl {

// Which function a function value is: a definition, or a lambda with the values it captures.
struct FunctionIdentity {
  DefinitionRef definition;
  ExprRef lambda;
  std::vector<std::pair<std::string, Mono>> captured;
  SourceRef source;  // of a lambda
};

class Specialiser {
 public:
  explicit Specialiser(const Environment& environment) : environment_(environment) {}
  ~Specialiser();  // destroys the types of its functions
  Specialiser(const Specialiser&) = delete;
  Specialiser& operator=(const Specialiser&) = delete;

  // A function without parameters that computes a top-level expression.
  CoreFunctionRef expression(const ExprRef& expr, const SourceRef& source);
  CoreFunctionRef function(const FunctionIdentity* identity, Mono argument, Span where);
  const FunctionIdentity* identity(const DefinitionRef& definition);

  // The translations of a function so far, as text.
  std::string specialisations(const Definition& definition) const;

  // The translations so far, to be held by who evaluates while others are redefined.
  std::vector<CoreFunctionRef> translations() const;

  // Functions have been redefined.
  void forget() {
    functions_.clear();
    unmarked_.clear();
  }

  // Forgets all functions, and all types of functions and datatypes but the kept ones. Nothing may
  // refer to others, or be running.
  void forget_others(const std::set<const FunctionIdentity*>& kept,
                     const std::set<Mono>& kept_types);

  // How a function is traced, by its name; 0: not at all.
  std::function<int(const std::string&)> trace_level;

  // How deep calls of functions may be that lead from one to the next: translating them takes
  // stack.
  std::size_t max_nesting = 20'000;

 private:
  friend class FunctionBuilder;
  const FunctionIdentity* lambda_identity(const ExprRef& lambda,
                                          std::vector<std::pair<std::string, Mono>> captured,
                                          const SourceRef& source);
  void translate(CoreFunction& result, const FunctionIdentity& identity, Mono argument, Span where);
  Mono result_while_recursive(const Definition& definition, Mono argument, Span where);

  using LambdaKey = std::pair<const Expr*, std::vector<std::pair<std::string, Mono>>>;
  using FunctionKey = std::pair<const FunctionIdentity*, Mono>;
  const Environment& environment_;
  std::map<const Definition*, std::unique_ptr<FunctionIdentity>> definitions_;
  std::map<LambdaKey, std::unique_ptr<FunctionIdentity>> lambdas_;
  std::map<FunctionKey, CoreFunctionRef> functions_;
  std::set<FunctionKey> in_progress_;
  std::vector<CoreFunctionRef> unmarked_;  // complete, but for the marks of mark_effects
  // By definition or lambda: for how many types it is being translated.
  std::map<const void*, int> types_in_progress_;
};

}  // namespace tutti::nesl
