// What must hold between the passes. A violation is a fault of ours: InternalError, with the
// evidence.
#pragma once
#include "passes/graph.hpp"
#include "passes/kernel.hpp"

namespace tutti::passes {

void verify(const Graph& graph, const char* after);
void verify(const Kernel& kernel);

}  // namespace tutti::passes
