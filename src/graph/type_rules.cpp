#include "graph/type_rules.hpp"

#include "graph/node.hpp"
#include "numerics/fast_ops.hpp"
#include "tutti/detail/apply.hpp"

namespace tutti::ir {
namespace {

using detail::Rule;

constexpr Rule rules[] = {
#define TUTTI_OP(id, arity, rule, cost, doc) Rule::rule,
#include "tutti/detail/ops.def"
#undef TUTTI_OP
};

const char* wanted(Rule rule) {
  switch (rule) {
    case Rule::arithmetic:
      return "numbers of one type";
    case Rule::floating:
    case Rule::classify:
    case Rule::order:
      return "half, float or double";
    case Rule::integer:
      return "integers or bool, of one type";
    case Rule::logical:
      return "bool";
    case Rule::compare:
      return "two values of one type";
    case Rule::choose:
      return "a bool and two values of one type";
  }
  return "";
}

bool accepts(Rule rule, std::span<const ElementType> inputs) {
  const size_t first = rule == Rule::choose ? 1 : 0;
  if (first == 1 && inputs[0] != ElementType::b8) return false;
  const ElementType type = inputs[first];
  for (ElementType other : inputs.subspan(first))
    if (other != type) return false;
  switch (rule) {
    case Rule::arithmetic:
      return type != ElementType::b8;
    case Rule::floating:
    case Rule::classify:
    case Rule::order:
      return is_floating(type);
    case Rule::integer:
      return !is_floating(type);
    case Rule::logical:
      return type == ElementType::b8;
    default:
      return true;
  }
}

}  // namespace

ElementType result_type(Op op, std::span<const ElementType> inputs, const detail::Location& where) {
  const Rule rule = rules[static_cast<int>(exact_of(op))];
  if (static_cast<int>(inputs.size()) != op_arity(op) || !accepts(rule, inputs)) {
    std::string given;
    for (ElementType type : inputs) given += (given.empty() ? "" : ", ") + std::string(name(type));
    throw TypeError(std::string(op_name(op)) + " takes " + wanted(rule) + ", not " + given +
                    "; convert with cast<T>()" + detail::at(where));
  }
  if (rule == Rule::compare || rule == Rule::classify) return ElementType::b8;
  if (rule == Rule::order)
    return inputs[0] == ElementType::f16   ? ElementType::i16
           : inputs[0] == ElementType::f32 ? ElementType::i32
                                           : ElementType::i64;
  return inputs[rule == Rule::choose ? 1 : 0];
}

}  // namespace tutti::ir
