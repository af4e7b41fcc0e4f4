// Threads of our own, and the stack that a thread has left. Threads are detached and named by no
// handle: they serve the whole process. A thread that cannot be had is an answer, not an exception.
#pragma once
#include <cstddef>

#include "tutti/detail/export.hpp"

namespace tutti {

// The stack of every thread that may compile. LLVM recurses over the code of a kernel.
constexpr size_t compiler_stack_bytes = size_t{8} << 20;

// Runs `body(argument)` on a new detached thread, which takes no signals of the program. False if
// the system gives no thread.
bool start_thread(size_t stack_bytes, void (*body)(void*), void* argument) noexcept;

// How much of its stack the calling thread has left; 0 if that cannot be found out.
size_t stack_left() noexcept;

// Runs `body(argument)` on a thread with such a stack and waits for it. Exceptions come back.
// Throws Error if the system gives no thread.
TUTTI_EXPORT void run_with_stack(size_t stack_bytes, void (*body)(void*), void* argument);

}  // namespace tutti
