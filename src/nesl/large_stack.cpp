#include "nesl/large_stack.hpp"

#include "tutti/error.hpp"

namespace tutti::nesl {

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
