// The intermediate representations as text: graphs, kernels and plans, one line
// for each node, instruction and step. For TUTTI_DUMP, golden tests and failing
// tests. Equal text means equal decisions; source lines and the contents of
// buffers are not in it.
#pragma once
#include <string>
#include <vector>

#include "passes/group.hpp"
#include "passes/plan.hpp"

namespace tutti::compiler {

std::string print(const passes::Graph& graph);
// With what is in memory, and why.
std::string print(const passes::Graph& graph, const passes::Materialised& memory);
// The nodes that one kernel computes together.
std::string print(const std::vector<passes::Group>& groups);
std::string print(const passes::Kernel& kernel);
std::string print(const passes::Plan& plan);

// "f32{64, 100}"
std::string type_text(ElementType type, const detail::Extents& shape);
// "leaf 0" or "value 3"
std::string source_text(const passes::Source& source);

}  // namespace tutti::compiler
