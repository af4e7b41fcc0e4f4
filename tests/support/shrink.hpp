// Makes a failing recipe smaller. In: a recipe and whether one fails. Out: a recipe that fails too,
// of which no single step can be left out, replaced by data or made smaller.
#pragma once
#include <functional>

#include "support/graph_recipe.hpp"

namespace tutti::test {

// `fails` is asked about recipes that can be built only. At most `tries` are tried.
Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails, int tries = 2000);

}  // namespace tutti::test
