// A graph as a file, with the contents of its arrays: for `tutti replay`, after an evaluation
// failed through a bug in Tutti (engine/fault_files.hpp). Files are not trusted: load_graph()
// verifies graphs as if the builders had made them (graph/verify.hpp), and enforces limits.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::engine {

struct StoredGraph {
  std::string message;  // the error; print it escaped
  std::vector<detail::NodeRef> roots;
};

// Limits on a file. Statements of programs are counted while they run (reference/interpreter.hpp).
// Compiled code terminates where the interpreter does.
struct GraphLimits {
  int64_t nodes = 1 << 17;
  int64_t statements = 1 << 14;      // of all programs, in their text
  int64_t bytes = int64_t{4} << 30;  // of the elements of all nodes
  int64_t work = 1'000'000'000;      // elements, products and statements to compute
};

// Returns the graph as bytes. Arrays beyond some hundred megabytes in total are stored without
// contents. Throws Error while another thread computes a part of it. Requires graph_mutex().
TUTTI_EXPORT std::string store_graph(std::span<const detail::NodeRef> roots,
                                     const std::string& message);
// Throws Error unless the bytes are a complete, valid graph of this version within the limits. The
// error text needs no escaping.
TUTTI_EXPORT StoredGraph load_graph(const std::string& bytes, const GraphLimits& limits = {});

// Returns the bytes of a file for `content` after the checksum: for tests of damaged files.
TUTTI_EXPORT std::string with_checksum(std::string_view content);
constexpr size_t stored_graph_header = 16;  // bytes before the content

}  // namespace tutti::engine
