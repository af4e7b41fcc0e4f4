// The compiler from top to bottom: a graph in, a plan out, for one machine.
// pipeline.cpp is the list of passes, in the order in which they run.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "compiler/dump.hpp"
#include "compiler/plan/plan.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::compiler {

TUTTI_EXPORT std::unique_ptr<compiler::Plan> run_pipeline(compiler::Graph graph,
                                                          const target::Target& target, Dump dump);

// Returns the names of all passes, in the order in which they run.
TUTTI_EXPORT std::vector<const char*> pass_names();

}  // namespace tutti::compiler
