// Types without variables, one object for each type, so that they compare as pointers. A function
// type says which function it is: functions are resolved when a program is specialised, and what
// remains of them at run time are the values they captured.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "nesl/types/types.hpp"

namespace tutti::nesl {

struct FunctionIdentity;
class Specialiser;

struct MonoType {
  enum class Kind { integer, floating, boolean, character, sequence, pair, record, function };
  Kind kind;
  const MonoType* a = nullptr;  // element, first component, fields of a record, captured values
  const MonoType* b = nullptr;  // second component
  DatatypeRef datatype;
  std::vector<const MonoType*> arguments;  // of a datatype
  const FunctionIdentity* function = nullptr;
  const Specialiser* specialiser = nullptr;          // of the functions that it mentions
  bool single = false;                               // a float of 32 bits
  mutable const MonoType* representation = nullptr;  // once it has been asked for

  bool is_scalar() const { return kind <= Kind::character; }
};
using Mono = const MonoType*;

namespace mono {
Mono integer();
Mono floating();  // of the precision chosen
Mono boolean();
Mono character();
Mono sequence(Mono element);
Mono pair(Mono a, Mono b);
Mono record(const DatatypeRef& datatype, std::vector<Mono> arguments);
Mono function(const FunctionIdentity* identity, Mono captured, const Specialiser& specialiser);
// Destroys the types that mention a function of the specialiser.
void forget(const Specialiser* specialiser) noexcept;
// Returns the number of types.
std::size_t count();

// What a value of the type consists of: scalars, sequences and pairs. Records are their fields,
// functions the values they captured, or an int where they captured none.
Mono representation(Mono type);
}  // namespace mono

using MonoBindings = std::map<Type*, Mono>;
// Binds the variables of `general` so that it becomes `type`; false if it cannot. Function types
// bind nothing.
bool match(const TypeRef& general, Mono type, MonoBindings& bindings);
// The type with its variables replaced; null if one is not bound, or a function type occurs.
Mono build(const TypeRef& general, const MonoBindings& bindings);

TypeRef as_type(Mono type);  // what a function gives and takes stays open
// As the shell prints it.
std::string to_string(Mono type);

}  // namespace tutti::nesl
