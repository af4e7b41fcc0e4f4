// The reference interpreter: plain loops over one node at a time, simple and slow. It is the oracle
// of every test, and runs if TUTTI_INTERPRET=1.
#pragma once
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "graph/node.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::ir {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;  // of Bytes, or of the contents of a buffer

// Returns the elements of the nodes in row-major order, one vector for each. Requires
// graph_mutex(). Throws Error once programs have run `most_statements` statements in total.
TUTTI_EXPORT std::vector<Bytes> interpret(
    std::span<const NodeRef> nodes, int64_t most_statements = std::numeric_limits<int64_t>::max());

// The same for one node after the other. Each is computed once, and its elements are kept. All
// calls require graph_mutex(), and buffers on the host.
class Interpretation {
 public:
  Interpretation();
  explicit Interpretation(int64_t most_statements);
  ~Interpretation();
  Interpretation(const Interpretation&) = delete;
  Interpretation& operator=(const Interpretation&) = delete;
  View elements(const Node& node);  // valid during the object's lifetime

 private:
  class Interpreter;
  std::unique_ptr<Interpreter> interpreter_;
};

}  // namespace tutti::ir
