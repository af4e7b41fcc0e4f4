// What must hold between the passes. A violation is a fault of ours: InternalError, with the
// evidence.
#pragma once
#include "compiler/graph_passes/graph.hpp"
#include "compiler/kernel/kernel.hpp"
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

TUTTI_EXPORT void verify(const Graph& graph, const char* after);
TUTTI_EXPORT void verify(const Kernel& kernel);
// Every value that a step reads, and every value that is kept, was written by an earlier step.
TUTTI_EXPORT void verify(const Plan& plan, const char* after);

}  // namespace tutti::compiler
