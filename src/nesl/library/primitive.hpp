// Built-in functions that are not written in NESL. Each has a plain implementation on host values,
// which defines its meaning; the flattening evaluator has faster ones for most.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "nesl/types/definition.hpp"
#include "nesl/values/value.hpp"

namespace tutti::nesl {

class Machine;

struct PrimitiveCall {
  std::span<const Value> arguments;
  std::span<const Mono> types;  // of the arguments
  Mono result;
  Machine& machine;

  const Value& operator[](int i) const { return arguments[i]; }
};

enum class Effect {
  none,
  output,  // prints: allowed inside apply-to-each
  serial,  // must happen in order: not allowed there
};

struct Primitive {
  const char* name;
  const char* type;
  Value (*run)(const PrimitiveCall&);
  const char* description;
  Effect effect = Effect::none;
  bool fixed = true;  // programs may not redefine it

  // From `type`, by parse_primitive_type.
  TypeRef scheme = nullptr;
  int arity = 1;
};

std::vector<Primitive> all_primitives();
// Reads `type`; the environment has the datatypes it may name.
void parse_primitive_type(Primitive& primitive, const Environment& environment);

// The families, each in a file of its own.
std::vector<Primitive> scalar_primitives();
std::vector<Primitive> scan_primitives();
std::vector<Primitive> sequence_primitives();
std::vector<Primitive> reordering_primitives();
std::vector<Primitive> nesting_primitives();
std::vector<Primitive> sorting_primitives();
std::vector<Primitive> any_type_primitives();
std::vector<Primitive> text_primitives();
std::vector<Primitive> output_primitives();
std::vector<Primitive> file_primitives();
std::vector<Primitive> process_primitives();
std::vector<Primitive> picture_primitives();

}  // namespace tutti::nesl
