#include "runtime/cpu/blas.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/process/process_end.hpp"
#include "core/settings/settings.hpp"
#include "runtime/cpu/threads.hpp"

namespace tutti::runtime {
namespace {

constexpr int row_major = 101, no_transpose = 111, transpose = 112;

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

struct Blas {
  using Gemm32 = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                          float, float*, int);
  using Gemm64 = void (*)(int, int, int, int, int, int, double, const double*, int, const double*,
                          int, double, double*, int);
  using Gemv32 = void (*)(int, int, int, int, float, const float*, int, const float*, int, float,
                          float*, int);
  using Gemv64 = void (*)(int, int, int, int, double, const double*, int, const double*, int,
                          double, double*, int);
  Gemm32 sgemm = nullptr;
  Gemm64 dgemm = nullptr;
  Gemv32 sgemv = nullptr;
  Gemv64 dgemv = nullptr;
  bool has_threads = false;  // the program had loaded it before, with its own threads
  const char* name = "none";

  Blas() {
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
    load();
  }

  void load() {
    for (const char* file : {"libopenblas.so.0", "libopenblas.so"}) {
      void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (!library) continue;
      sgemm = reinterpret_cast<Gemm32>(dlsym(library, "cblas_sgemm"));
      dgemm = reinterpret_cast<Gemm64>(dlsym(library, "cblas_dgemm"));
      sgemv = reinterpret_cast<Gemv32>(dlsym(library, "cblas_sgemv"));
      dgemv = reinterpret_cast<Gemv64>(dlsym(library, "cblas_dgemv"));
      auto* threads = reinterpret_cast<int (*)()>(dlsym(library, "openblas_get_num_threads"));
      has_threads = !threads || threads() > 1;
      name = file;
      return;
    }
  }
  bool complete() const { return sgemm && dgemm && sgemv && dgemv; }
};

const Blas& blas() {
  static const Blas* instance = new Blas;
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

// During its lifetime, count() threads may call OpenBLAS.
class Entered {
 public:
  explicit Entered(int wanted) : count_(callers().enter(wanted)) {}
  ~Entered() { callers().leave(count_); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  int count() const { return count_; }

 private:
  const int count_;
};

// A part of the result.
struct Part {
  int64_t row, rows, column, columns;
};

template <class T, class Gemm, class Gemv>
void multiply_part(const compiler::ProductStep& s, const Part& part, Gemm gemm, Gemv gemv,
                   const T* a, const T* b, T* c) {
  const int m = static_cast<int>(part.rows), n = static_cast<int>(part.columns),
            k = static_cast<int>(s.inner);
  const int lda = static_cast<int>(s.a_transposed ? s.rows : s.inner),
            ldb = static_cast<int>(s.b_transposed ? s.inner : s.columns);
  a += s.a_transposed ? part.row : part.row * lda;
  b += s.b_transposed ? part.column * ldb : part.column;
  c += part.row * s.columns + part.column;
  if (s.columns == 1) {
    gemv(row_major, s.a_transposed ? transpose : no_transpose, s.a_transposed ? k : m,
         s.a_transposed ? m : k, T{1}, a, lda, b, 1, T{0}, c, 1);
  } else if (s.rows == 1) {
    gemv(row_major, s.b_transposed ? no_transpose : transpose, s.b_transposed ? n : k,
         s.b_transposed ? k : n, T{1}, b, ldb, a, 1, T{0}, c, 1);
  } else {
    gemm(row_major, s.a_transposed ? transpose : no_transpose,
         s.b_transposed ? transpose : no_transpose, m, n, k, T{1}, a, lda, b, ldb, T{0}, c,
         static_cast<int>(s.columns));
  }
}

// A grid of parts that minimises the rows and columns that a part reads of both matrices.
struct Grid {
  int64_t down = 1, across = 1;
};
Grid grid_for(const compiler::ProductStep& s, int parts) {
  const auto read = [&](int64_t down, int64_t across) {
    return s.rows / down + s.columns / across;
  };
  Grid best;
  int64_t least = LLONG_MAX;
  for (int64_t down = 1; down <= parts; ++down) {
    const int64_t across = parts / down;
    if (down * across < parts || down > s.rows || across > s.columns) continue;
    if (read(down, across) < least) {
      least = read(down, across);
      best = {down, across};
    }
  }
  return best;
}

// Parts consist of whole tiles of OpenBLAS.
constexpr int64_t tile = 16;
int64_t boundary(int64_t extent, int64_t part, int64_t parts) {
  if (part == parts) return extent;
  const int64_t at = extent * part / parts;
  return extent >= 4 * tile * parts ? at / tile * tile : at;
}

template <class T, class Gemm, class Gemv>
void multiply(const compiler::ProductStep& s, int threads, Gemm gemm, Gemv gemv, const void* a,
              const void* b, void* c) {
  const Grid grid = grid_for(s, threads);
  const auto run = [&](int64_t index) {
    const int64_t i = index / grid.across, j = index % grid.across;
    const int64_t row = boundary(s.rows, i, grid.down),
                  column = boundary(s.columns, j, grid.across);
    const Part part{row, boundary(s.rows, i + 1, grid.down) - row, column,
                    boundary(s.columns, j + 1, grid.across) - column};
    if (part.rows > 0 && part.columns > 0)
      multiply_part<T>(s, part, gemm, gemv, static_cast<const T*>(a), static_cast<const T*>(b),
                       static_cast<T*>(c));
  };
  grid.down* grid.across == 1 ? run(0) : parallel_for(grid.down * grid.across, run);
}

// Below this number of multiplications one thread computes everything, as in OpenBLAS itself.
constexpr int64_t worth_sharing = 1 << 18;

int threads_for(const compiler::ProductStep& s) {
  const double work =
      static_cast<double>(s.rows) * static_cast<double>(s.columns) * static_cast<double>(s.inner);
  return blas().has_threads || work < static_cast<double>(worth_sharing) ? 1 : cpu_threads();
}

}  // namespace

bool blas_multiply(const compiler::ProductStep& s, const void* a, const void* b, void* c) {
  if (s.type != ElementType::f32 && s.type != ElementType::f64) return false;
  if (s.rows > INT_MAX || s.columns > INT_MAX || s.inner > INT_MAX) return false;
  if (live_settings().reproducible || !blas().complete()) return false;
  const Entered entered(threads_for(s));
  if (entered.count() == 0) return false;
  if (s.type == ElementType::f32)
    multiply<float>(s, entered.count(), blas().sgemm, blas().sgemv, a, b, c);
  else
    multiply<double>(s, entered.count(), blas().dgemm, blas().dgemv, a, b, c);
  return true;
}

const char* blas_name() { return blas().complete() ? blas().name : "none"; }

}  // namespace tutti::runtime
