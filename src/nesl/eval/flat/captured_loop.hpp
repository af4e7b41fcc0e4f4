// A loop of scalars (loop_shape.hpp) as a captured program: one kernel runs many calls of an
// element, instead of a few kernels for each call. Input: the arguments in a context.
// Output: the result of each instance. The kernel is left after a limited number of calls, so that
// a program can be stopped, and instances that have come to their result free their lanes.
#pragma once
#include <vector>

#include "nesl/core/core.hpp"
#include "nesl/eval/flat/loop_shape.hpp"
#include "nesl/eval/machine.hpp"
#include "tutti/detail/nested.hpp"

namespace tutti::nesl::flat {

nested::Value run_captured(const CoreFunction& function, const LoopShape& shape,
                           const std::vector<nested::Value>& arguments,
                           const nested::ContextRef& at, Machine& machine);

}  // namespace tutti::nesl::flat
