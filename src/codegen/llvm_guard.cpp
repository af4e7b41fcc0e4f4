#include "codegen/llvm_guard.hpp"

#include <llvm/Support/ErrorHandling.h>
#include <setjmp.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>

#include "core/process/thread.hpp"
#include "tutti/error.hpp"

namespace tutti::codegen {
namespace {

// The largest kernels of the tests take 20 MB to compile. The reserve is only address space until
// it is needed.
constexpr size_t reserve_bytes = size_t{64} << 20;

// A call of LLVM in progress on this thread.
class Section {
 public:
  Section();
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  bool give_reserve() noexcept;
  [[noreturn]] void leave(const char* reason) noexcept;
  [[noreturn]] void report() const;

  jmp_buf out;

 private:
  void* reserve_;
  bool no_memory_ = false;
  char reason_[400] = {};
};
[[gnu::tls_model("initial-exec")]] constinit thread_local Section* section = nullptr;

// ---- handlers for failed allocations in LLVM and in operator new

std::mutex& handlers_mutex() {
  static auto* instance = new std::mutex;
  return *instance;
}
int sections = 0;                           // guarded by the mutex
std::new_handler handler_before = nullptr;  // the handler of the program

void no_memory_for_new() {
  if (section) {
    if (section->give_reserve()) return;  // the operator tries again
    section->leave(nullptr);
  }
  if (handler_before) return handler_before();
  throw std::bad_alloc();
}
void no_memory_for_llvm(void*, const char*, bool) {
  if (section) section->leave(nullptr);
}
void llvm_gives_up(void*, const char* reason, bool) {
  if (section) section->leave(reason);
}

void install_handlers() {
  std::lock_guard lock(handlers_mutex());
  static const bool once = [] {
    llvm::install_bad_alloc_error_handler(no_memory_for_llvm);
    llvm::install_fatal_error_handler(llvm_gives_up);
    return true;
  }();
  (void)once;
  if (sections++ == 0) handler_before = std::set_new_handler(no_memory_for_new);
}
void remove_handlers() noexcept {
  std::lock_guard lock(handlers_mutex());
  if (--sections == 0 && std::get_new_handler() == no_memory_for_new)
    std::set_new_handler(handler_before);
}

Section::Section()
    : reserve_(mmap(nullptr, reserve_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0)) {
  if (reserve_ == MAP_FAILED)
    throw OutOfMemory("compiling a kernel needs " + std::to_string(reserve_bytes >> 20) +
                      " MiB of free address space, and the system does not give them; set a higher "
                      "limit (ulimit -v) or let arrays go");
  install_handlers();
  section = this;
}

Section::~Section() {
  section = nullptr;
  remove_handlers();
  give_reserve();
}

bool Section::give_reserve() noexcept {
  return reserve_ != MAP_FAILED && munmap(std::exchange(reserve_, MAP_FAILED), reserve_bytes) == 0;
}

void Section::leave(const char* reason) noexcept {
  no_memory_ = !reason;
  if (reason) std::snprintf(reason_, sizeof reason_, "%s", reason);
  longjmp(out, 1);
}

void Section::report() const {
  section = nullptr;  // a second jump would return to this point
  if (no_memory_)
    throw OutOfMemory(
        "there is no memory to compile a kernel, although " + std::to_string(reserve_bytes >> 20) +
        " MiB were free when it began; set a higher limit (ulimit -v) or let arrays go");
  throw CompileError(std::string("the code generator gave up: ") + reason_);
}

void call_on_this_stack(void (*work)(void*), void* argument) {
  Section now;
  if (setjmp(now.out) == 0)
    work(argument);
  else
    now.report();
}

}  // namespace

void call_llvm(void (*work)(void*), void* argument) {
  if (section) return work(argument);  // a part of another call
  struct Call {
    void (*work)(void*);
    void* argument;
  } call{work, argument};
  run_with_compiler_stack(
      [](void* there) {
        const Call& now = *static_cast<Call*>(there);
        call_on_this_stack(now.work, now.argument);
      },
      &call);
}

}  // namespace tutti::codegen

// ---- memory for LLVM's own containers, which call the C library and do not retry

#ifdef TUTTI_SHARED

extern "C" {
void* __real_malloc(size_t);
void* __real_calloc(size_t, size_t);
void* __real_realloc(void*, size_t);

void* __wrap_malloc(size_t bytes) {
  void* block = __real_malloc(bytes);
  if (!block && tutti::codegen::section && tutti::codegen::section->give_reserve())
    block = __real_malloc(bytes);
  return block;
}
void* __wrap_calloc(size_t count, size_t bytes) {
  void* block = __real_calloc(count, bytes);
  if (!block && tutti::codegen::section && tutti::codegen::section->give_reserve())
    block = __real_calloc(count, bytes);
  return block;
}
void* __wrap_realloc(void* before, size_t bytes) {
  void* block = __real_realloc(before, bytes);
  if (!block && tutti::codegen::section && tutti::codegen::section->give_reserve())
    block = __real_realloc(before, bytes);
  return block;
}
}

#endif
