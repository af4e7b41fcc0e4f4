// Instructions for the operations of the table, for any number of lanes.
// In registers bool is i1 and half is a float that a half can represent; memory has i8 and half.
#pragma once
#include <span>

#include "codegen/emit/lane_value.hpp"
#include "tutti/detail/graph.hpp"

namespace tutti::codegen {

llvm::Type* register_type(llvm::LLVMContext& context, ElementType type);
llvm::Type* memory_type(llvm::LLVMContext& context, ElementType type);

// Convert between the register form and the memory form, for any number of lanes.
llvm::Value* to_memory(Builder& b, llvm::Value* value, ElementType type);
llvm::Value* from_memory(Builder& b, llvm::Value* value, ElementType type);

// Emits an operation. `type` is the element type of the last operand; comparisons return i1.
llvm::Value* emit_op(Builder& b, Op op, ElementType type, std::span<llvm::Value* const> operands);
llvm::Value* emit_cast(Builder& b, llvm::Value* value, ElementType from, ElementType to);
// Returns a scalar in the memory form.
llvm::Constant* constant_of(llvm::LLVMContext& context, const ScalarValue& value);
// Returns the neutral element of a reduction, in the memory form.
llvm::Constant* identity_constant(llvm::LLVMContext& context, Reduction reduction,
                                  ElementType type);

// Returns a hash of the table of operations. Kernel keys number operations by the table, so another
// table makes different code from the same key.
uint64_t operation_table_hash();

llvm::Value* emit_combine(Builder& b, Reduction reduction, ElementType type, llvm::Value* a,
                          llvm::Value* c);

}  // namespace tutti::codegen
