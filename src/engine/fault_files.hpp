// Graphs whose evaluation failed through a bug in Tutti, saved for `tutti replay` in the folder for
// temporary files, readable by their owner alone. The files of one user never exceed
// most_fault_files and most_fault_bytes; the oldest are removed first.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::engine {

constexpr size_t most_fault_files = 32;
constexpr int64_t most_fault_bytes = int64_t{1} << 30;

// Writes the graph to a file and returns a sentence with its path, to append to the message.
// Returns an empty string if nothing is to be written (TUTTI_CACHE=0) or could be. Requires
// graph_mutex().
TUTTI_EXPORT std::string leave_behind(std::span<const detail::NodeRef> roots,
                                      const std::string& message);

}  // namespace tutti::engine
