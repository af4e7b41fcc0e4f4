// Tutti's own threads, and the remaining stack of a thread. Threads that serve the whole process
// are detached and have no handle. If the system refuses a thread, start_thread() returns false.
#pragma once
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "tutti/detail/export.hpp"

namespace tutti {

// The stack size of every thread that may compile, and what has to be left of another one. Planning
// and LLVM recurse over the operations of a kernel, of which there are 1,500 at most. (A line of
// 6,000 operations needs more than 256 KiB to be planned; LLVM takes about 100 KiB for a thousand.)
constexpr size_t compiler_stack_bytes = size_t{8} << 20;
constexpr size_t least_compiler_stack_bytes = size_t{512} << 10;

// Runs `body(argument)` on a new detached thread, which blocks all signals. Returns false if the
// system refuses a thread.
bool start_thread(size_t stack_bytes, void (*body)(void*), void* argument) noexcept;

// Returns the remaining stack of the calling thread in bytes, or 0 if it is unknown.
size_t stack_left() noexcept;

// Returns whether a recursion should stop. What has to be left, for the work of one level, is 128
// KiB, or an eighth of a smaller stack, but at least 12 KiB. (An evaluation that finds its kernels
// on disk takes 10 KiB.)
bool stack_is_low() noexcept;

// Runs `body(argument)` on a thread with a stack of this size and waits for it. Rethrows its
// exceptions. Throws Error if the system refuses a thread.
TUTTI_EXPORT void run_with_stack(size_t stack_bytes, void (*body)(void*), void* argument);

// Returns whether `bytes` are left of the stack of the calling thread, or what is left is unknown.
inline bool has_stack(size_t bytes) {
  const size_t left = stack_left();
  return left == 0 || left >= bytes;
}

// Returns the result of `call()`. It runs on another thread, as with run_with_stack(), if less than
// `bytes` are left of the stack of this one.
template <class Call>
std::invoke_result_t<Call> call_with_stack(size_t bytes, Call call) {
  using Result = std::invoke_result_t<Call>;
  if (has_stack(bytes)) return call();
  if constexpr (std::is_void_v<Result>) {
    run_with_stack(
        compiler_stack_bytes, [](void* argument) { (*static_cast<Call*>(argument))(); }, &call);
  } else {
    std::optional<Result> result;
    call_with_stack(bytes, [&] { result.emplace(call()); });
    return std::move(*result);
  }
}

// Runs `body(argument)` here if the rest of the stack is enough to compile, else like
// run_with_stack().
void run_with_compiler_stack(void (*body)(void*), void* argument);

}  // namespace tutti
