// Limits of captured programs: for the builders, and for programs that are read from a file.
#pragma once
#include <cstdint>

namespace tutti::ir {

// In elements. Each lane of a kernel has its own array, on the stack of the thread.
constexpr int64_t largest_local_array = 4096;

}  // namespace tutti::ir
