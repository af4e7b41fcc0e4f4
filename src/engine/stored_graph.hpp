// A graph as a file, with the contents of its arrays: for `tutti replay`, after an evaluation
// failed through a bug in Tutti (engine/fault_files.hpp). A file may come from anyone: what
// load_graph() returns has been verified as if the builders had made it (graph/verify.hpp), and
// keeps to limits.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::engine {

struct StoredGraph {
  std::string message;  // what went wrong; print it escaped
  std::vector<detail::NodeRef> roots;
};

// What a file may ask for. Statements of programs are counted while they run
// (reference/interpreter.hpp); what the interpreter finishes, compiled code finishes as well.
struct GraphLimits {
  int64_t nodes = 1 << 17;
  int64_t statements = 1 << 14;      // of all programs, as they are written
  int64_t bytes = int64_t{4} << 30;  // of the elements of all nodes
  int64_t work = 1'000'000'000;      // elements, products and statements to compute
};

// As bytes; arrays beyond some hundred megabytes in all are stored without their contents. Throws
// Error while another thread computes a part of it. Call with graph_mutex() held.
TUTTI_EXPORT std::string store_graph(std::span<const detail::NodeRef> roots,
                                     const std::string& message);
// Throws Error where these are not the bytes of a graph, whole, valid, of this version and within
// the limits. Nothing in the error needs to be escaped.
TUTTI_EXPORT StoredGraph load_graph(const std::string& bytes, const GraphLimits& limits = {});

// The bytes of a file for `content`, which follows the checksum: for tests of damaged files.
TUTTI_EXPORT std::string with_checksum(std::string_view content);
constexpr size_t stored_graph_header = 16;  // bytes before the content

}  // namespace tutti::engine
