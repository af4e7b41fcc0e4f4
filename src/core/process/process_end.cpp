#include "core/process/process_end.hpp"

#include <pthread.h>

#include <cstdlib>

extern "C" {
extern void* __dso_handle;
int __cxa_atexit(void (*)(void*), void*, void*);
#ifdef TUTTI_SHARED
// The linker's names (--wrap) for the function of the C library, and for our replacement, which all
// code within the library calls.
int __real___cxa_atexit(void (*)(void*), void*, void*);
int __wrap___cxa_atexit(void (*)(void*), void*, void*);
int __wrap___cxa_thread_atexit(void (*)(void*), void*, void*);
#endif
}

namespace tutti {

#ifdef TUTTI_SHARED

bool static_objects_live_on() noexcept { return true; }

void at_process_exit(void (*last)(void*)) noexcept {
  __real___cxa_atexit(last, nullptr, __dso_handle);
}

namespace {

// A destructor to run when the thread ends, and its successors. A key of the thread runs them,
// because the C library terminates the process if it has no memory to register one. The key of the
// main thread is never run by exit(), which suits programs whose static objects compute in their
// destructors.
struct Destructor {
  void (*destroy)(void*);
  void* object;
  Destructor* next;
};

void run_destructors(void* first) {
  for (auto* now = static_cast<Destructor*>(first); now;) {
    const Destructor last = *now;
    std::free(now);
    last.destroy(last.object);
    now = last.next;
  }
}

// Returns the key, made with the first thread that has such an object, or null on failure.
const pthread_key_t* key_of_threads() {
  static const pthread_key_t* const key = [] {
    static pthread_key_t made;
    return pthread_key_create(&made, run_destructors) == 0 ? &made : nullptr;
  }();
  return key;
}

}  // namespace

#else

bool static_objects_live_on() noexcept { return false; }

void at_process_exit(void (*last)(void*)) noexcept { __cxa_atexit(last, nullptr, __dso_handle); }

#endif

}  // namespace tutti

#ifdef TUTTI_SHARED

// No static object of the library is destroyed.
int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }

// An object that cannot be registered is not destroyed.
int __wrap___cxa_thread_atexit(void (*destroy)(void*), void* object, void*) {
  using namespace tutti;
  const pthread_key_t* key = key_of_threads();
  auto* noted = key ? static_cast<Destructor*>(std::malloc(sizeof(Destructor))) : nullptr;
  if (!noted) return 0;
  *noted = {destroy, object, static_cast<Destructor*>(pthread_getspecific(*key))};
  if (pthread_setspecific(*key, noted) != 0) std::free(noted);
  return 0;
}

#endif
