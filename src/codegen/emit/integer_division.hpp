// Division of integer vectors, which no vector unit supports. Quotients are truncated; the quotient
// and the remainder of a division by zero are zero (numerics/scalar_ops.hpp).
#pragma once
#include "codegen/emit/lane_value.hpp"
#include "tutti/types.hpp"

namespace tutti::codegen {

// Returns the quotient of two scalars or vectors, or the remainder.
llvm::Value* divide_integers(Builder& b, ElementType type, llvm::Value* x, llvm::Value* y,
                             bool want_remainder);

}  // namespace tutti::codegen
