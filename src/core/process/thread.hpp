// Tutti's own threads, and the remaining stack of a thread. Threads that serve the whole process
// are detached and have no handle. If the system refuses a thread, start_thread() returns false.
#pragma once
#include <cstddef>

#include "tutti/detail/export.hpp"

namespace tutti {

// The stack size of every thread that may compile. LLVM recurses over the code of a kernel.
constexpr size_t compiler_stack_bytes = size_t{8} << 20;

// Runs `body(argument)` on a new detached thread, which blocks all signals. Returns false if the
// system refuses a thread.
bool start_thread(size_t stack_bytes, void (*body)(void*), void* argument) noexcept;

// Returns the remaining stack of the calling thread in bytes, or 0 if it is unknown.
size_t stack_left() noexcept;

// Runs `body(argument)` on a thread with a stack of this size and waits for it. Rethrows its
// exceptions. Throws Error if the system refuses a thread.
TUTTI_EXPORT void run_with_stack(size_t stack_bytes, void (*body)(void*), void* argument);

}  // namespace tutti
