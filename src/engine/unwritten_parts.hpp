// Arrays of stored graphs that are written part by part, without an array below. Concatenation
// makes them, and writes every element. A damaged file may leave some out: what was in memory would
// be the result. Such an array gets a base of zeros, as in the interpreter.
#pragma once
#include <vector>

#include "engine/graph_archive.hpp"

namespace tutti::engine {

// Returns for each node whether it writes the first part of an array of which elements may be read
// that nothing writes. The nodes are not verified yet.
std::vector<bool> leave_parts_unwritten(const std::vector<NodeDescription>& nodes,
                                        const std::vector<int>& roots);

}  // namespace tutti::engine
