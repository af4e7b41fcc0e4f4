// The variables that an expression of the core language uses and does not bind.
#pragma once
#include <utility>
#include <vector>

#include "nesl/core/core.hpp"

namespace tutti::nesl {

// Slot and type of each, once.
std::vector<std::pair<int, Mono>> free_variables(const CoreExpr& expr);

}  // namespace tutti::nesl
