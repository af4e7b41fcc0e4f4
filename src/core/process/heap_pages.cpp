#include "core/process/heap_pages.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace tutti {

void release_heap_pages() {
#if defined(__GLIBC__)
  using namespace std::chrono;
  static std::atomic<int64_t> next{0};  // in seconds
  const int64_t now = duration_cast<seconds>(steady_clock::now().time_since_epoch()).count();
  int64_t due = next.load(std::memory_order_relaxed);
  if (now < due || !next.compare_exchange_strong(due, now + 10)) return;
  malloc_trim(0);
#endif
}

}  // namespace tutti
