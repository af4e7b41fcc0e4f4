// Division of integers in vectors, which no vector unit has. Quotients are truncated; division by
// zero gives zero, and so does its remainder (numerics/scalar_ops.hpp).
#pragma once
#include "codegen/emit/lane_value.hpp"
#include "tutti/types.hpp"

namespace tutti::codegen {

// The quotient of two numbers or vectors, or the remainder.
llvm::Value* divide_integers(Builder& b, ElementType type, llvm::Value* x, llvm::Value* y,
                             bool want_remainder);

}  // namespace tutti::codegen
