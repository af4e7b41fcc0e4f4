// Tracing, as a change of a function's text before it is translated: it prints when it is entered
// and left. Level 1 prints only that; 2 also arguments and result; 3 also which names a let binds;
// 4 arguments, result and the values that lets bind. All evaluators trace alike.
#pragma once
#include "nesl/types/definition.hpp"

namespace tutti::nesl {

// The body with its printing. The original is left as it is.
ExprRef traced(const Definition& function, int level, const Environment& environment);

}  // namespace tutti::nesl
