// explain(x) describes the kernels that would compute x, without running them.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "tutti/array.hpp"
#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// The kernels that would run, as data and as text in several formats.
class Explanation {
 public:
  // One kernel of the plan.
  struct Kernel {
    std::string name;                     // the kind of kernel
    std::string shape;                    // its iteration space
    std::vector<std::string> operations;  // the operations fused into it, in order
    int64_t bytes_read = 0;
    int64_t bytes_written = 0;
    std::string strategy;            // how it is spread over threads, and why
    std::string reason;              // why its result is stored in memory
    std::vector<int> needs;          // the kernels whose results it reads, counted from 0
    std::vector<std::string> lines;  // the source lines of its results
  };

  Explanation(std::vector<Kernel> kernels, std::string graph)
      : kernels_(std::move(kernels)), graph_(std::move(graph)) {}
  // The overloads for temporaries return values, so that `for (auto& k : explain(x).kernels())` is
  // valid.
  const std::vector<Kernel>& kernels() const& { return kernels_; }
  std::vector<Kernel> kernels() && { return std::move(kernels_); }
  const std::string& graph() const& { return graph_; }  // the operations, before fusion
  std::string graph() && { return std::move(graph_); }
  std::string text() const;  // the kernels
  std::string json() const;  // the kernels, as an object with a member "kernels"
  std::string dot() const;   // the kernels and the data that passes between them, for Graphviz
  std::string html() const;  // a self-contained page: picture, collapsible kernels, operations

 private:
  std::vector<Kernel> kernels_;
  std::string graph_;
};

// Prints text().
std::ostream& operator<<(std::ostream& out, const Explanation& explanation);

namespace detail {
Explanation explain(std::span<const NodeRef> nodes);
}

// Plans the evaluation of these arrays together and returns the kernels. Evaluates nothing.
template <int D, class T, class... More>
Explanation explain(const Array<D, T>& first, const More&... more) {
  std::vector<detail::NodeRef> nodes(first.nodes().begin(), first.nodes().end());
  (nodes.insert(nodes.end(), more.nodes().begin(), more.nodes().end()), ...);
  return detail::explain(nodes);
}

}  // namespace tutti
TUTTI_END_EXPORTS
