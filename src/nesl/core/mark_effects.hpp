// Which functions and apply-to-eachs print or draw random numbers, directly or through calls. Where
// the order of that shows, it must be the same on every evaluator.
#pragma once
#include <vector>

#include "nesl/core/core.hpp"

namespace tutti::nesl {

// Of functions that are complete. Those they call are among them or have been marked before.
void mark_effects(const std::vector<CoreFunctionRef>& functions);

}  // namespace tutti::nesl
