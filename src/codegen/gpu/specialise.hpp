// Makes a module with one vector primitive from the bitcode of all of them. The module has the
// kernel, the functions that it calls, and definitions of the functions that the bitcode only
// declares.
#pragma once
#include <memory>
#include <string_view>

#include "codegen/gpu/isa.hpp"
#include "codegen/gpu/primitives.hpp"

namespace tutti::codegen {

std::unique_ptr<llvm::Module> specialise(std::string_view bitcode, const GpuPrimitive& primitive,
                                         GpuIsa& isa, llvm::LLVMContext& context);

}  // namespace tutti::codegen
