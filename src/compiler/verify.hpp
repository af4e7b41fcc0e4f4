// Checks the invariants that hold between passes. A violation is a bug in Tutti: an InternalError
// with the evidence.
#pragma once
#include "compiler/graph_passes/graph.hpp"
#include "compiler/kernel/kernel.hpp"
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

TUTTI_EXPORT void verify(const Graph& graph, const char* after);
TUTTI_EXPORT void verify(const Kernel& kernel);
// Checks that a step writes every value before another reads it, and every value that is kept.
TUTTI_EXPORT void verify(const Plan& plan, const char* after);

}  // namespace tutti::compiler
