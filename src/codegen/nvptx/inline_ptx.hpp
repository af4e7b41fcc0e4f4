// What PTX has and LLVM does not say: values of other threads of the warp, stores under a
// predicate, loads that leave the caches to others.
#pragma once
#include "codegen/emit/lane_value.hpp"

namespace tutti::codegen {

constexpr int warp_threads = 32;

// The value of the thread `distance` further in the warp; negative: before this one. All threads of
// the warp must come here.
llvm::Value* shuffle(Builder& b, llvm::Value* value, int distance);

// Stores a number or a vector of up to 16 bytes, under a predicate and not in a branch: LLVM would
// move most of what it is computed from into the branch, and shuffles, which cannot move, would all
// come before, their results alive at once.
void store_if(Builder& b, llvm::Value* condition, llvm::Value* address, llvm::Value* value);

// 16 bytes of an array that does not change while the kernel runs, as a vector. They are evicted
// first, so that the caches keep what is read again.
llvm::Value* load_once(Builder& b, llvm::Type* vector, llvm::Value* address);

}  // namespace tutti::codegen
