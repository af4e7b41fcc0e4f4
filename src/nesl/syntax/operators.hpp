// The operators of the language: how tightly they bind and which function they are.
#pragma once
#include <string>

namespace tutti::nesl {

struct Operator {
  const char* symbol;
  const char* function;  // the built-in function it applies
  int left, right;       // binding powers; an operator is taken while `left` is above the level
};

constexpr int application_level = 30;
constexpr int prefix_level = 25;
constexpr int lambda_left = 5, lambda_right = 4;
constexpr int keyword_left = 5, keyword_right = 4;
constexpr int comma_left = 4, comma_right = 3;

const Operator* infix_operator(const std::string& symbol);   // or null
const Operator* prefix_operator(const std::string& symbol);  // or null
// The operator that is written for a function, for printing; or null.
const Operator* operator_of(const std::string& function, bool prefix);

}  // namespace tutti::nesl
