// Programs recurse deeply: they run on a thread with a stack of its own size.
#pragma once
#include <pthread.h>

#include <cstddef>
#include <exception>
#include <functional>

namespace tutti::nesl {

// Address space, not memory: pages are taken as the stack grows.
constexpr std::size_t evaluation_stack_bytes = std::size_t{1} << 30;

// Whether this thread has used up its stack but for what primitives need.
bool stack_is_low();

// A thread with a stack of this size. Exceptions of the work come out of `join`, which must be
// called. Throws Error where no such thread can be made.
class LargeStackThread {
 public:
  LargeStackThread(std::function<void()> work, std::size_t bytes);
  LargeStackThread(const LargeStackThread&) = delete;
  void join();

 private:
  static void* run(void* self);

  std::function<void()> work_;
  std::exception_ptr failure_;
  pthread_t thread_;
};

// Runs the work on such a thread and waits for it; exceptions come through.
void with_large_stack(const std::function<void()>& work,
                      std::size_t bytes = evaluation_stack_bytes);

}  // namespace tutti::nesl
