// Types with variables, as inference uses them. A variable ranges over a class of types; a
// variable that has been unified is a link. Generic variables belong to a definition and are
// replaced by fresh ones at each use.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nesl/syntax/ast.hpp"

namespace tutti::nesl {

// A class is the set of types that belong to it: a bit for each scalar type and one for the rest.
using TypeClass = unsigned;
namespace classes {
constexpr TypeClass of_int = 1, of_float = 2, of_bool = 4, of_char = 8, of_structure = 16;
constexpr TypeClass number = of_int | of_float;
constexpr TypeClass logical = of_int | of_bool;
constexpr TypeClass ordinal = of_int | of_float | of_char;
constexpr TypeClass scalar = ordinal | of_bool;
constexpr TypeClass any = scalar | of_structure;
}  // namespace classes
const char* class_name(TypeClass type_class);
TypeClass class_named(const std::string& name);  // 0 when there is none

struct Type;
using TypeRef = std::shared_ptr<Type>;

struct Datatype {
  std::string name;
  std::vector<TypeRef> parameters;  // generic variables
  TypeRef fields;
};
using DatatypeRef = std::shared_ptr<Datatype>;

struct Type {
  enum class Kind {
    integer,
    floating,
    boolean,
    character,
    sequence,
    pair,
    function,
    record,
    variable
  };
  Kind kind;
  TypeRef a, b;                    // sequence: a; pair, function: a, b
  DatatypeRef datatype;            // record
  std::vector<TypeRef> arguments;  // record
  TypeClass type_class = 0;        // variable
  bool generic = false;            // variable
  TypeRef link;                    // variable that stands for another type
};

TypeRef int_type();
TypeRef float_type();
TypeRef bool_type();
TypeRef char_type();
TypeRef sequence_of(TypeRef element);
TypeRef pair_of(TypeRef a, TypeRef b);
TypeRef function_from(TypeRef argument, TypeRef result);
TypeRef record_of(DatatypeRef datatype, std::vector<TypeRef> arguments);
TypeRef fresh_variable(TypeClass type_class = classes::any, bool generic = false);

TypeRef resolve(const TypeRef& type);  // follows links
bool unify(const TypeRef& a, const TypeRef& b);
TypeRef instantiate(const TypeRef& type);  // generic variables replaced by fresh ones
TypeRef generalize(const TypeRef& type);   // free variables become generic
TypeRef substitute(const TypeRef& type, const std::map<Type*, TypeRef>& by);
// Whether two definitions have the same type up to the names of variables.
bool same_type(const TypeRef& a, const TypeRef& b);

// As the shell prints it: `([a], int) -> a :: (a in number)`.
std::string to_string(const TypeRef& type);
std::string to_string(const TypeRef& type, bool with_context);

}  // namespace tutti::nesl
