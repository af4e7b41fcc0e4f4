// Verifies nodes and programs that were not made by the builders but read from a file. Enum values
// must be in range, and the inputs of a node verified before it. Verified nodes are like those of
// the builders, so passes, code generators and interpreters can rely on them.
#pragma once
#include "graph/node.hpp"

namespace tutti::ir {

// Throw Error with the broken rule.
void verify(const Node& node);
void verify(const ScalarProgram& program);

// Throws ShapeError unless the extents, including those of an empty array, can be multiplied.
void verify_shape(const Extents& shape, ElementType type);

}  // namespace tutti::ir
