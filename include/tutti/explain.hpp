// explain(x): what would run to compute x, before anything runs.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

class Explanation {
 public:
  struct Kernel {
    std::string name;                     // what kind of kernel it is
    std::string shape;                    // what it loops over
    std::vector<std::string> operations;  // what was fused into it, in order
    int64_t bytes_read = 0;
    int64_t bytes_written = 0;
    std::string strategy;            // how it is spread over threads, and why so
    std::string reason;              // why its result is in memory
    std::vector<int> needs;          // the kernels whose results it reads, counted from 0
    std::vector<std::string> lines;  // the source lines that asked for its results
  };

  Explanation(std::vector<Kernel> kernels, std::string graph)
      : kernels_(std::move(kernels)), graph_(std::move(graph)) {}
  const std::vector<Kernel>& kernels() const { return kernels_; }
  const std::string& graph() const { return graph_; }  // the operations as they were written
  std::string text() const;                            // the kernels
  std::string json() const;  // the kernels, as an object with a member "kernels"
  std::string dot() const;   // the kernels and what passes between them, for Graphviz
  std::string html() const;  // a page of its own: picture, kernels that fold, the operations

 private:
  std::vector<Kernel> kernels_;
  std::string graph_;
};

std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

namespace detail {
Explanation explain(std::span<const NodeRef> nodes);
}

template <int D, class T, class... More>
Explanation explain(const Array<D, T>& first, const More&... more) {
  std::vector<detail::NodeRef> nodes(first.nodes().begin(), first.nodes().end());
  (nodes.insert(nodes.end(), more.nodes().begin(), more.nodes().end()), ...);
  return detail::explain(nodes);
}

}  // namespace tutti
TUTTI_END_EXPORTS
