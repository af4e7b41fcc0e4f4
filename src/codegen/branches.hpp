// Control flow around emitted code. The builder stands behind it afterwards.
#pragma once
#include <functional>

#include "codegen/lane_value.hpp"

namespace tutti::codegen {

void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes);
void emit_if(Builder& b, llvm::Value* condition, const std::function<void()>& yes,
             const std::function<void()>& no);

}  // namespace tutti::codegen
