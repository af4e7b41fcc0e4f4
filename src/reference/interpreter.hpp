// The reference interpreter: plain loops over one node at a time, obviously right and slow. It is
// the oracle of every test, and what TUTTI_INTERPRET=1 runs.
#pragma once
#include <cstddef>
#include <limits>
#include <memory>
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

// The same for one node after the other, each computed once: what was computed stays there. All
// calls with graph_mutex() held, and buffers on the host.
class Interpretation {
 public:
  Interpretation();
  explicit Interpretation(int64_t most_statements);
  ~Interpretation();
  Interpretation(const Interpretation&) = delete;
  Interpretation& operator=(const Interpretation&) = delete;
  View elements(const Node& node);  // valid for as long as this

 private:
  class Interpreter;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace tutti::ir
