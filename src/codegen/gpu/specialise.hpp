// A module with one vector primitive, made from the bitcode of all of them: its kernel, what it
// calls, and the functions that the bitcode leaves open.
#pragma once
#include <memory>
#include <string_view>

#include "codegen/gpu/isa.hpp"
#include "codegen/gpu/primitives.hpp"

namespace tutti::codegen {

std::unique_ptr<llvm::Module> specialise(std::string_view bitcode, const GpuPrimitive& primitive,
                                         GpuIsa& isa, llvm::LLVMContext& context);

}  // namespace tutti::codegen
