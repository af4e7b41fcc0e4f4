// Finds functions that are loops which an element can run by itself. They call themselves at their
// end and nowhere else, compute with scalars, and read elements of sequences that do not change.
// Input: a function of the core language. Output: what its arguments consist of, and which of that
// changes from call to call. Such a loop is captured as one kernel (captured_loop.hpp).
#pragma once
#include <optional>
#include <vector>

#include "nesl/core/core.hpp"

namespace tutti::nesl::flat {

struct LoopShape {
  // A part of the arguments that is no pair: a scalar, or a sequence of scalars or tuples of them.
  struct Leaf {
    Mono type;  // a representation
    bool changes = false;
  };
  std::vector<Mono> arguments;  // the types
  std::vector<Leaf> leaves;     // of all arguments, in order
};

// Nothing where the function is no such loop. Sequences never change.
std::optional<LoopShape> loop_shape(const CoreFunction& function);

}  // namespace tutti::nesl::flat
