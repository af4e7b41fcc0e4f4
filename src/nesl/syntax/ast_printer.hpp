// Syntax trees as NESL text: what is printed reads back as the same tree.
#pragma once
#include <string>

#include "nesl/syntax/ast.hpp"

namespace tutti::nesl {

std::string to_source(const Expr& expr);
std::string to_source(const Pattern& pattern);
std::string to_source(const TypeExpr& type);
std::string quoted(const std::string& text);  // as a string literal

}  // namespace tutti::nesl
