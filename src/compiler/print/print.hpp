// Prints the intermediate representations: graphs, kernels and plans, with one line for each node,
// instruction and step. For TUTTI_DUMP, golden tests and failing tests. Equal text means equal
// decisions; source lines and the contents of buffers are omitted.
#pragma once
#include <string>
#include <vector>

#include "compiler/graph_passes/form_kernels.hpp"
#include "compiler/plan/plan.hpp"

namespace tutti::compiler {

std::string print(const compiler::Graph& graph);
// Includes which nodes are materialised, and why.
std::string print(const compiler::Graph& graph, const compiler::Materialised& memory);
// Prints the nodes of each kernel.
std::string print(const std::vector<compiler::Group>& groups);
std::string print(const compiler::Kernel& kernel);
std::string print(const compiler::Plan& plan);

// "f32{64, 100}"
std::string type_text(ElementType type, const detail::Extents& shape);
// "leaf 0" or "value 3"
std::string source_text(const compiler::Source& source);

}  // namespace tutti::compiler
