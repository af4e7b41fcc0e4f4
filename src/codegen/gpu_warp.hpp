// What the threads of a warp tell each other.
#pragma once
#include "codegen/lane_value.hpp"

namespace tutti::codegen {

constexpr int warp_threads = 32;

// The value of the thread `distance` further in the warp; negative: before this one. All threads of
// the warp must come here.
llvm::Value* shuffle(Builder& b, llvm::Value* value, int distance);

}  // namespace tutti::codegen
