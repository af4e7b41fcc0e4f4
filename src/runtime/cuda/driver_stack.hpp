// Calls of the driver take up to 28 KiB of the stack (an H200's, for CUDA 13.0), and libraries
// above it are not known to take less. Threads of the user may have less than that left.
#pragma once
#include <type_traits>

#include "core/process/thread.hpp"
#include "runtime/cuda/driver_table.hpp"

namespace tutti::runtime::cuda {

constexpr size_t driver_stack_bytes = size_t{64} << 10;

// Returns the result of `call()` with this context, which is that of the calling thread. It runs on
// another thread if less than `bytes` are left of the stack. Throws Error if the system refuses a
// thread.
template <class Call>
std::invoke_result_t<Call> on_driver_stack(Handle context, Call call,
                                           size_t bytes = driver_stack_bytes) {
  if (has_stack(bytes)) return call();
  return call_with_stack(bytes, [&] {
    use_context(context);
    return call();
  });
}

}  // namespace tutti::runtime::cuda
