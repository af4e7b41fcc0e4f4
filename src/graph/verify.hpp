// Verifies nodes and programs that were not made by the builders: those read from a file. Enum
// values must be in range and the inputs of a node must have been verified before it. What passes
// is what the builders make, so passes, code generators and interpreters can rely on it.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

// Throw Error with the rule that is broken.
void verify(const Node& node);
void verify(const ScalarProgram& program);

// Throws ShapeError unless the extents, those of an empty array included, can be multiplied.
void verify_shape(const Extents& shape, ElementType type);

}  // namespace tutti::ir
