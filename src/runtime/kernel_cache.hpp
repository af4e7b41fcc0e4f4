// Compiled kernels: in memory by their key, and on disk for the next process.
#pragma once
#include <functional>

#include "codegen/codegen.hpp"
#include "passes/plan.hpp"

namespace tutti::runtime {

// The machine code of a kernel: found in memory, found on disk, or compiled now.
codegen::Entry find_kernel(const passes::KernelStep& step);
// The same for code of any other kind, under a key that says all it depends on.
using Compile = std::function<std::string()>;
codegen::Entry find_kernel(const std::string& key, const Compile& compile);

// All kernels of a plan for the CPU, as long as `go_on` says so. Gives whether it did.
enum class Cores : uint8_t { one, all };
bool compile_kernels(const passes::Plan& plan, Cores cores, const std::function<bool()>& go_on);

void forget_kernels();

}  // namespace tutti::runtime
