// The interface of the code generator: kernels in, machine code out. Only this layer uses LLVM.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "compiler/kernel/kernel.hpp"
#include "core/caching/loaded_code.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::codegen {

// void kernel(words, a, b, c, d): see codegen/cpu/map_kernel.hpp.
using Entry = void (*)(const int64_t* words, int64_t a, int64_t b, int64_t c, int64_t d);

// Compiles a kernel for this CPU. Returns an object file.
TUTTI_EXPORT std::string compile(const compiler::Kernel& kernel);

// Makes an object file callable, as an Entry, during the lifetime of the result.
std::unique_ptr<LoadedCode> link(const std::string& object);

// Returns the LLVM IR of a kernel before or after optimisation: for tests and inspection.
TUTTI_EXPORT std::string show_ir(const compiler::Kernel& kernel, bool optimised);

// Describes everything besides the kernel that its machine code depends on: part of cache keys.
TUTTI_EXPORT std::string target_description();
std::string cpu_name();
TUTTI_EXPORT int vector_bits();

}  // namespace tutti::codegen
