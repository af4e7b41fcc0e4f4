// Emits control flow. Leaves the insertion point after the construct.
#pragma once
#include <functional>

#include "codegen/emit/lane_value.hpp"

namespace tutti::codegen {

void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes);
void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes,
             const std::function<void()>& no);

// Emits a branch and returns the value of the body that runs.
llvm::Value* emit_choice(Builder& b, llvm::Value* condition,
                         const std::function<llvm::Value*()>& yes,
                         const std::function<llvm::Value*()>& no);

// Emits a loop of `steps` iterations, at least one. The body receives the number of the iteration,
// as i64, and the values of the previous iteration, and returns the next values. Returns the values
// of the last iteration.
std::vector<llvm::Value*> emit_steps(
    Builder& b, int64_t steps, const std::vector<llvm::Value*>& first,
    const std::function<std::vector<llvm::Value*>(llvm::Value*, const std::vector<llvm::Value*>&)>&
        body);

}  // namespace tutti::codegen
