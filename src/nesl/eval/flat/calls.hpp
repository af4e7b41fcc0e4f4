// Which functions call which.
#pragma once
#include "nesl/core/core.hpp"

namespace tutti::nesl::flat {

// Whether the body of a function calls the other one, directly or through others.
bool reaches(const CoreFunction& from, const CoreFunction& to);
// Whether a function may be called again by a call that gives its result: then it is a loop.
bool is_loop(const CoreFunction& function);
// Whether an expression may call a function that calls itself, directly or through others.
bool calls_recursion(const CoreExpr& expr);
// Whether a function, with all that it calls, is serial code: no apply-to-each, and no sequences
// but those that it is given.
bool is_serial(const CoreFunction& function);
// How many expressions a function and all that it calls consist of, variables and constants aside.
// Those of a recursion that is no loop count several times, as its contexts need several kernels.
std::int64_t expressions_in(const CoreFunction& function);

}  // namespace tutti::nesl::flat
