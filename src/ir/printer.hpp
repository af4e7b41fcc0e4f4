// The graph as text: one line a node, producers first. For explain(), logs and failing tests.
#pragma once
#include <span>
#include <string>

#include "ir/node.hpp"

namespace tutti::ir {

// Call with graph_mutex() held.
std::string print(std::span<const NodeRef> roots);

}  // namespace tutti::ir
