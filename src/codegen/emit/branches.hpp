// Control flow around emitted code. The builder stands behind it afterwards.
#pragma once
#include <functional>

#include "codegen/emit/lane_value.hpp"

namespace tutti::codegen {

void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes);
void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes,
             const std::function<void()>& no);

// The value of one of two bodies.
llvm::Value* emit_choice(Builder& b, llvm::Value* condition,
                         const std::function<llvm::Value*()>& yes,
                         const std::function<llvm::Value*()>& no);

// A loop of `steps` steps, at least one. The body gets the number of the step, as i64, and what the
// step before has left, and gives what it leaves. Gives what the last one has left.
std::vector<llvm::Value*> emit_steps(
    Builder& b, int64_t steps, const std::vector<llvm::Value*>& first,
    const std::function<std::vector<llvm::Value*>(llvm::Value*, const std::vector<llvm::Value*>&)>&
        body);

}  // namespace tutti::codegen
