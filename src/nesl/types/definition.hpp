// What a name of the global environment means.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "nesl/syntax/ast.hpp"
#include "nesl/types/types.hpp"

namespace tutti::nesl {

struct Primitive;
class StoredValue;

struct Definition {
  enum class Kind { function, declared, primitive, constructor, value };
  Kind kind;
  std::string name;
  TypeRef type;  // with generic variables
  std::string description;
  SourceRef source;

  PatternRef parameter;  // function
  ExprRef body;          // function
  bool checked = false;  // function: the names of the body have been resolved and its types checked

  const Primitive* primitive = nullptr;
  DatatypeRef datatype;                // constructor
  std::shared_ptr<StoredValue> value;  // value

  bool library = false;  // comes with the language, and sees only what does
  bool fixed = false;    // built in for good: programs may not redefine it
  // A function that was redefined with the same type: callers of this one call that one.
  std::shared_ptr<Definition> replaced_by;
};
using DefinitionRef = std::shared_ptr<Definition>;

DefinitionRef current(const DefinitionRef& definition);

// The names a program can use: its own, which hide the built-in ones.
class Environment {
 public:
  DefinitionRef find(const std::string& name) const;          // or null
  DefinitionRef find_builtin(const std::string& name) const;  // or null
  DefinitionRef find_own(const std::string& name) const;      // or null
  DatatypeRef find_datatype(const std::string& name) const;   // or null
  void define(DefinitionRef definition);
  void define_builtin(DefinitionRef definition);
  void define_datatype(DatatypeRef datatype);
  void for_each(const std::function<void(const Definition&)>& visit) const;  // in order of names

  // Asked for names that are not defined; may define them.
  std::function<void(const std::string&)> define_missing;

 private:
  std::map<std::string, DefinitionRef> builtin_, own_;
  std::map<std::string, DatatypeRef> datatypes_;
};

// A type as written; names that are no types are variables, bounded by the context.
TypeRef declared_type(const TypeDeclaration& declaration, const Environment& environment);
// A type that must not have variables, as after [].
TypeRef closed_type(const TypeExprRef& type, const Environment& environment);
DatatypeRef declared_datatype(const std::string& name, const TypeDeclaration& declaration,
                              const Environment& environment);

}  // namespace tutti::nesl
