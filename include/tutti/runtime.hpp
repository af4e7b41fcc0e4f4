// Counters, settings and the version of the runtime.
#pragma once
#include <cstdint>
#include <string>

#include "tutti/detail/export.hpp"

TUTTI_BEGIN_EXPORTS
namespace tutti {

// Returns the version of the library, such as "0.1.0".
const char* version();

// Counters since the start of the process.
struct Statistics {
  int64_t evaluations = 0;        // times a graph was run
  int64_t plans_built = 0;        // graphs planned; plans are reused for equal graphs
  int64_t kernels_compiled = 0;   // kernels that went through the code generator
  int64_t kernels_from_disk = 0;  // kernels found in the disk cache
  int64_t kernel_launches = 0;
  int64_t buffers_allocated = 0;        // buffers requested from the pool
  int64_t buffers_reused_in_place = 0;  // results written over an input that is not read again
  int64_t bytes_in_use = 0;             // by arrays, on the host and on devices
  int64_t bytes_in_pool = 0;            // kept for the next allocation
  int64_t peak_bytes_in_use = 0;
  double compile_seconds = 0;
};
// Returns the counters.
Statistics statistics();

// Each setting is also an environment variable, read once at the start of the process.
struct Settings {
  int threads = 0;            // TUTTI_THREADS; 0 = one for each core; most: 64 or 4 a core
  bool reproducible = false;  // TUTTI_REPRODUCIBLE: no vendor library that rounds differently
  bool interpret = false;     // TUTTI_INTERPRET: run the reference interpreter instead
  bool disk_cache = true;     // TUTTI_CACHE=0 turns it off
  std::string cache_dir;      // TUTTI_CACHE_DIR; default: the user's cache folder
  int64_t cache_bytes = 256ll << 20;  // TUTTI_CACHE_BYTES: the oldest entries beyond are removed
  int max_pending_operations = 4096;  // TUTTI_MAX_PENDING: larger graphs evaluate automatically
  int64_t max_pending_bytes =
      1ll << 30;                   // TUTTI_MAX_PENDING_BYTES: bytes that a pending graph may pin
  int64_t pool_bytes = 4ll << 30;  // TUTTI_POOL_BYTES: freed memory kept for reuse
  int64_t max_bytes = 0;           // TUTTI_MAX_BYTES: limit on bytes_in_use; 0 = none
  // TUTTI_SMALL_WORK: nested programs compute fewer elements than this without compiling anything
  int64_t small_work = 20'000;
  // TUTTI_WAIT: graphs without GPU code wait for the compiler. Otherwise the CPU computes a short
  // first run while the code is compiled in the background
  bool wait_for_compiler = false;
  // TUTTI_INDEX_CHECKS=0: nested programs do not check indices, sizes and so on
  bool checks = true;
  bool debug_programs = false;  // TUTTI_DEBUG_PROGRAMS: run in the interpreter, with traces
  int64_t loop_limit = 0;       // TUTTI_LOOP_LIMIT: more iterations are an error; 0 = no limit
  bool save_faults = true;      // TUTTI_SAVE_FAULTS=0: an internal error leaves no file
  bool log = false;             // TUTTI_LOG: times of passes and compilations on stderr
};
// Return and change the settings of the process. Throws Error if a value is out of range.
Settings settings();
void set_settings(const Settings& settings);

void trim_pool();           // returns pooled memory to the system
void clear_kernel_cache();  // removes plans and kernels from memory, not from the disk cache

}  // namespace tutti
TUTTI_END_EXPORTS

// Threads, fork() and the end of a process
// - Any thread may compute: in destructors of static and thread_local objects too, and while the
//   process ends (in the shared library). Compiling takes 512 KiB of stack. If a thread has less,
//   another one compiles for it.
// - A child of fork() computes on the CPU, with its own threads. If another thread was computing at
//   the time of the fork, every computation in the child throws Error. If it was reading an array,
//   uses of that array throw Error. The child ends without waiting for anything. GPUs stay with the
//   parent: using one in the child throws DeviceError.
// - If the system has no memory, OutOfMemory or std::bad_alloc is thrown. If it has no threads,
//   fewer of them compute. Arrays and the process stay usable.
