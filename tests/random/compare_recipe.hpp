// expect_interpreted_bits(recipe): compiled code gives the bits of the reference interpreter. What
// a printed, shrunk graph ends with.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "support/graph_recipe.hpp"

namespace tutti::test {

// On one thread the interpreter, else compiled code; to the bit, NaN equals NaN.
// What differs, or nothing.
std::optional<std::string> difference(const Recipe& recipe, int threads);

void expect_interpreted_bits(const Recipe& recipe);

}  // namespace tutti::test
