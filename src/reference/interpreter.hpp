// The reference interpreter: plain loops over one node at a time, obviously right and slow. It is
// the oracle of every test, and what TUTTI_INTERPRET=1 runs.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::ir {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;  // of Bytes, or of what lies in a buffer

// The elements of the nodes in row-major order, one vector for each. Call with graph_mutex() held.
// Throws Error once programs have run `most_statements` statements in all.
TUTTI_EXPORT std::vector<Bytes> interpret(
    std::span<const NodeRef> nodes, int64_t most_statements = std::numeric_limits<int64_t>::max());

}  // namespace tutti::ir
