// A boundary rule applied to coordinates, one or one for each lane: clamp or wrap.
#pragma once
#include "codegen/emit/lane_value.hpp"
#include "tutti/shape.hpp"

namespace tutti::codegen {

// far: the source may lie more than one extent outside.
llvm::Value* bound_index(Builder& b, Boundary::Kind rule, bool far, llvm::Value* source,
                         llvm::Value* extent);

}  // namespace tutti::codegen
