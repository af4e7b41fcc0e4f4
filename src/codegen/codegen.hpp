// The door to the code generator: kernels in, machine code out. The only layer that knows LLVM.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "compiler/kernel/kernel.hpp"
#include "core/loaded_code.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::codegen {

// void kernel(words, a, b, c, d): see codegen/cpu/map_kernel.hpp.
using Entry = void (*)(const int64_t* words, int64_t a, int64_t b, int64_t c, int64_t d);

// The machine code of a kernel for this CPU, as an object file.
TUTTI_EXPORT std::string compile(const compiler::Kernel& kernel);

// Makes an object file callable, as an Entry, for as long as the result lives.
std::unique_ptr<LoadedCode> link(const std::string& object);

// The LLVM text of a kernel before and after optimisation: for tests and curious people.
std::string show_ir(const compiler::Kernel& kernel, bool optimised);

// Everything that the machine code of a kernel depends on besides the kernel: part of cache keys.
std::string target_description();
std::string cpu_name();
int vector_bits();

}  // namespace tutti::codegen
