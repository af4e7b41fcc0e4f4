// Elements at computed offsets, faster than lane by lane: by gathers of whole words, and by a
// permutation of a vector that holds all of them.
#pragma once
#include "codegen/emit/builder.hpp"

namespace tutti::codegen {

// Loads elements of 1 or 2 bytes, one for each lane, by gathers of the aligned words of 4 bytes
// that contain them. Such a word lies in one cache line, so it may be read wherever a part of it
// may. Requires a machine with gathers; offsets count elements. Lanes outside of the mask hold any
// value.
llvm::Value* gather_by_words(Builder& b, llvm::Type* element, llvm::Value* pointer,
                             llvm::Value* offsets, llvm::Value* mask);

// Returns whether a machine with 512-bit vectors permutes vectors of this length and type.
bool can_permute(int lanes, llvm::Type* element);
// Permutes lanes: lane i of the result is lane numbers[i] of the vector. Requires valid numbers.
llvm::Value* permute_lanes(Builder& b, llvm::Value* vector, llvm::Value* numbers);

}  // namespace tutti::codegen
