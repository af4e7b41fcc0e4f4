#include "nesl/syntax/operators.hpp"

#include <string_view>

namespace tutti::nesl {
namespace {

constexpr Operator infix[] = {
    {"->", "read", 24, 23}, {"<-", "write", 23, 23}, {"^", "^", 22, 22},   {"*", "*", 21, 21},
    {"/", "/", 21, 21},     {"||", "||", 21, 21},    {"+", "+", 20, 20},   {"-", "-", 20, 20},
    {"++", "++", 20, 20},   {"==", "==", 10, 10},    {"/=", "/=", 10, 10}, {"<", "<", 10, 10},
    {">", ">", 10, 10},     {"<=", "<=", 10, 10},    {">=", ">=", 10, 10}, {"and", "and", 8, 8},
    {"nand", "nand", 8, 8}, {"or", "or", 7, 7},      {"nor", "nor", 7, 7}, {"xor", "xor", 7, 7},
};

constexpr Operator prefix[] = {
    {"#", "length", prefix_level, prefix_level},
    {"@", "string", prefix_level, prefix_level},
    {"-", "negate", prefix_level, prefix_level},
};

}  // namespace

const Operator* infix_operator(const std::string& symbol) {
  for (const Operator& op : infix)
    if (op.symbol == symbol) return &op;
  return nullptr;
}

const Operator* prefix_operator(const std::string& symbol) {
  for (const Operator& op : prefix)
    if (op.symbol == symbol) return &op;
  return nullptr;
}

const Operator* operator_of(const std::string& function, bool is_prefix) {
  if (is_prefix) {
    for (const Operator& op : prefix)
      if (op.function == function) return &op;
    return nullptr;
  }
  for (const Operator& op : infix)
    if (op.function == function) return &op;
  return nullptr;
}

}  // namespace tutti::nesl
