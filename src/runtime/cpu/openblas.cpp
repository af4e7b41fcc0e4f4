#include "runtime/cpu/openblas.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/process/process_end.hpp"

namespace tutti::runtime {
namespace {

// An environment variable that has another value during the lifetime of this object.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set_ = setenv(name, value, 1) == 0;
  }
  ~Variable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  bool is_set() const { return set_; }

 private:
  const char* name_;
  std::optional<std::string> before_;
  bool set_ = false;
};

struct Library {
  void* handle = nullptr;
  bool has_threads = false;
  const char* name = "none";

  Library() {
    const Variable threads("OPENBLAS_NUM_THREADS", "1");
    if (!threads.is_set()) return;
    // Debian's OpenBLAS identifies CPUs by model numbers and treats newer ones like very old ones,
    // with an SGEMM five times slower. The type can be set, but only before the library is loaded.
    std::optional<Variable> type;
    if (!std::getenv("OPENBLAS_CORETYPE")) {
      if (__builtin_cpu_supports("avx512vl"))
        type.emplace("OPENBLAS_CORETYPE", "SkylakeX");
      else if (__builtin_cpu_supports("avx2"))
        type.emplace("OPENBLAS_CORETYPE", "Haswell");
    }
    for (const char* file : {"libopenblas.so.0", "libopenblas.so"}) {
      handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (!handle) continue;
      auto* count = reinterpret_cast<int (*)()>(dlsym(handle, "openblas_get_num_threads"));
      has_threads = !count || count() > 1;
      name = file;
      return;
    }
  }
};

const Library& library() {
  static const Library* instance = new Library;
  return *instance;
}

// Counts concurrent calls of OpenBLAS. Each uses a buffer, which OpenBLAS keeps for later calls.
class Callers {
 public:
  // Returns how many threads may call, up to `wanted`; 0 if there is no memory for any. They must
  // leave.
  int enter(int wanted) {
    std::lock_guard lock(mutex_);
    if (ending_) return 0;
    wanted = std::min(wanted, most - inside_);
    while (made_ < inside_ + wanted && there_is_memory(made_ + 1 - inside_)) ++made_;
    const int callers = std::clamp(made_ - inside_, 0, wanted);
    inside_ += callers;
    return callers;
  }
  void leave(int callers) {
    std::lock_guard lock(mutex_);
    inside_ -= callers;
  }
  // OpenBLAS frees its buffers when the process ends. Calls that outlast this wait may crash.
  void end() {
    std::unique_lock lock(mutex_);
    ending_ = true;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (inside_ > 0 && std::chrono::steady_clock::now() < until) {
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      lock.lock();
    }
  }

 private:
  // Returns whether there is memory for the buffers of `buffers` callers that have none yet.
  bool there_is_memory(int buffers) const {
    const size_t bytes = static_cast<size_t>(std::max(buffers, 1)) * buffer_bytes;
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return false;
    munmap(block, bytes);
    return true;
  }

  // Of OpenBLAS 0.3 on x86-64; other builds use less.
  static constexpr size_t buffer_bytes = size_t{130} << 20;
  static constexpr int most = 128;  // buffers that OpenBLAS manages without locks of its own
  std::mutex mutex_;
  int inside_ = 0, made_ = 0;
  bool ending_ = false;
};

Callers& callers() {
  static Callers* instance = [] {
    auto* made = new Callers;
    at_process_exit([](void*) { callers().end(); });
    return made;
  }();
  return *instance;
}

}  // namespace

void* openblas_symbol(const char* name) {
  return library().handle ? dlsym(library().handle, name) : nullptr;
}
const char* openblas_name() { return library().name; }
bool openblas_has_threads() { return library().has_threads; }

OpenBlasCallers::OpenBlasCallers(int wanted) : count_(callers().enter(wanted)) {}
OpenBlasCallers::~OpenBlasCallers() { callers().leave(count_); }

}  // namespace tutti::runtime
