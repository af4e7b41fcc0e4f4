// The built-in environment: primitives, constants, and the library functions that are written in
// NESL and compiled into the program as text.
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "nesl/types/definition.hpp"

namespace tutti::nesl {

// Fills an environment. Library functions declare their types, so that their bodies are looked at
// only when they are first used.
void define_builtins(Environment& environment);

// Name and text of each file of the library; made from src/nesl/library at build time.
const std::vector<std::pair<std::string_view, std::string_view>>& library_texts();

}  // namespace tutti::nesl
