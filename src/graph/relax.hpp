// Element-wise operations that are called under another precision than exact (tutti/precision.hpp).
#pragma once
#include "graph/node.hpp"
#include "tutti/precision.hpp"

namespace tutti::ir {

// Makes the node of an operation on floating-point numbers under this precision; of other types,
// as make_elementwise() does.
// - A sum or difference with a product becomes an fma if the product is not computed yet. Of two
//   products the first operand's is contracted.
// - Under Precision::fast an operation of fast_ops.def takes the place of its exact one.
// Takes graph_mutex(). The result depends on the operands alone, so all devices compute it alike.
NodeRef make_relaxed(Op op, Precision precision, std::span<const NodeRef> inputs,
                     const Location& where);

}  // namespace tutti::ir
