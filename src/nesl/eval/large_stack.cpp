#include "nesl/eval/large_stack.hpp"

#include <algorithm>
#include <cstdint>

#include "tutti/error.hpp"

namespace tutti::nesl {

namespace {

// What primitives and the library below take, code generation aside, which has stacks of its own;
// of a small stack a part.
constexpr std::size_t reserve_bytes = std::size_t{1} << 20;
constexpr std::size_t part_to_reserve = 4;

std::uintptr_t lowest_address_for_calls() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    throw Error("the size of the stack is not known");
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(lowest) +
         std::min(reserve_bytes, bytes / part_to_reserve);
}

}  // namespace

bool stack_is_low() {
  static thread_local const std::uintptr_t lowest = lowest_address_for_calls();
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < lowest;
}

LargeStackThread::LargeStackThread(std::function<void()> work, std::size_t bytes)
    : work_(std::move(work)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  const int failed = pthread_create(&thread_, &attributes, run, this);
  pthread_attr_destroy(&attributes);
  if (failed) throw Error("no thread with a large stack could be made");
}

void* LargeStackThread::run(void* self) {
  auto& thread = *static_cast<LargeStackThread*>(self);
  try {
    thread.work_();
  } catch (...) {
    thread.failure_ = std::current_exception();
  }
  return nullptr;
}

void LargeStackThread::join() {
  pthread_join(thread_, nullptr);
  if (failure_) std::rethrow_exception(failure_);
}

void with_large_stack(const std::function<void()>& work, std::size_t bytes) {
  LargeStackThread(work, bytes).join();
}

}  // namespace tutti::nesl
