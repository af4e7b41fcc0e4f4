// Marks where the variables of a function are used for the last time, so that evaluators can let go
// of values that are not needed again. Input: the finished body. Output: the same body with `last`,
// `dead` and `in_both` filled in; expressions that stood several times are copied.
#pragma once
#include <utility>
#include <vector>

#include "nesl/core/core.hpp"

namespace tutti::nesl {

void mark_last_uses(CoreFunction& function);

// The slots of the variables that an expression uses, does not bind, and uses for the last time.
std::vector<int> last_used_in(const CoreExpr& expr);

}  // namespace tutti::nesl
