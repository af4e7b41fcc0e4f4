// Applies a boundary rule, clamp or wrap, to one coordinate or to one for each lane.
#pragma once
#include "codegen/emit/lane_value.hpp"
#include "tutti/shape.hpp"

namespace tutti::codegen {

// `far`: the source may be more than one extent outside of the array.
llvm::Value* bound_index(Builder& b, Boundary::Kind rule, bool far, llvm::Value* source,
                         llvm::Value* extent);

// Returns the nearest of the indices from 0 to `last`.
llvm::Value* clamp_index(Builder& b, llvm::Value* source, llvm::Value* last);

}  // namespace tutti::codegen
