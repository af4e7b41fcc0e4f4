// A graph as a file, with the contents of its arrays: what an evaluation leaves behind that failed
// through a fault of Tutti's own, for `tutti replay` and for whoever mends it.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "ir/node.hpp"

namespace tutti::runtime {

struct StoredGraph {
  std::string message;  // what went wrong
  std::vector<detail::NodeRef> roots;
};

// As bytes; arrays beyond some hundred megabytes in all are stored without their contents. Throws
// Error while another thread computes a part of it. Call with graph_mutex() held.
std::string store_graph(std::span<const detail::NodeRef> roots, const std::string& message);
// Throws Error where these are not the bytes of a graph, whole and of this version.
StoredGraph load_graph(const std::string& bytes);

// Writes the graph to a file of its own that others cannot read, and tells where: a sentence to go
// after the message, empty where nothing is to be written (TUTTI_CACHE=0) or could be.
std::string leave_behind(std::span<const detail::NodeRef> roots, const std::string& message);

}  // namespace tutti::runtime
