#include "core/process/thread.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <new>
#include <string>

#include "tutti/error.hpp"

namespace tutti {
namespace {

struct Start {
  void (*body)(void*);
  void* argument;
};

void* run_detached(void* start) {
  const Start now = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  now.body(now.argument);
  return nullptr;
}

// A call on another thread, and its exception.
struct Call {
  void (*body)(void*);
  void* argument;
  std::exception_ptr failure;
};

void* run_call(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  try {
    call.body(call.argument);
  } catch (...) {
    call.failure = std::current_exception();
  }
  return nullptr;
}

// Signals of the program belong to its own threads: a new thread starts with all signals blocked.
bool create(pthread_t& thread, size_t stack_bytes, bool detached, void* (*body)(void*),
            void* argument) noexcept {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  sigset_t all, before;
  sigfillset(&all);
  bool made = pthread_attr_setstacksize(&attributes, stack_bytes) == 0;
  if (detached) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  made = made && pthread_create(&thread, &attributes, body, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return made;
}

}  // namespace

bool start_thread(size_t stack_bytes, void (*body)(void*), void* argument) noexcept {
  auto* start = new (std::nothrow) Start{body, argument};
  pthread_t thread;
  if (start && create(thread, stack_bytes, true, run_detached, start)) return true;
  delete start;
  return false;
}

namespace {

// The lowest address of a thread's stack, and its size; zeros if they are unknown.
struct Stack {
  uintptr_t end = 0;
  size_t bytes = 0;
};

Stack find_stack() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  return known ? Stack{reinterpret_cast<uintptr_t>(lowest), bytes} : Stack{};
}

// The result is cached: for the main thread the C library reads a file to find it.
const Stack& stack() noexcept {
  [[gnu::tls_model("initial-exec")]] constinit thread_local Stack found;
  if (found.end == 0) found = find_stack();
  return found;
}

}  // namespace

size_t stack_left() noexcept {
  const uintptr_t end = stack().end, here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return end != 0 && here > end ? here - end : 0;
}

bool stack_is_low() noexcept {
  constexpr size_t least = size_t{12} << 10, most = size_t{128} << 10;
  return stack().end != 0 && stack_left() < std::clamp(stack().bytes / 8, least, most);
}

void run_with_stack(size_t stack_bytes, void (*body)(void*), void* argument) {
  Call call{body, argument, nullptr};
  pthread_t thread;
  if (!create(thread, stack_bytes, false, run_call, &call))
    throw Error("this needs a stack of " + std::to_string(stack_bytes >> 10) +
                " KiB, the calling thread has " + std::to_string(stack_left() >> 10) +
                " KiB left, and the system gives no other thread; call from a thread with a "
                "larger stack (ulimit -s, pthread_attr_setstacksize)");
  pthread_join(thread, nullptr);
  if (call.failure) std::rethrow_exception(call.failure);
}

void run_with_compiler_stack(void (*body)(void*), void* argument) {
  if (stack_left() >= least_compiler_stack_bytes) return body(argument);
  run_with_stack(compiler_stack_bytes, body, argument);
}

}  // namespace tutti
