#include "faults/injection.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define TUTTI_CAN_INJECT 0
#else
#define TUTTI_CAN_INJECT 1
#endif

namespace tutti::test {
namespace {

// Plain data: allocations happen before anything is constructed.
struct State {
  std::array<std::atomic<int64_t>, fault_kinds> points{};
  std::atomic<int64_t> target{-1};
  std::atomic<int> kind{-1};
  std::atomic<bool> counting{false}, repeats{false}, failed{false};
  std::atomic<int64_t> live{0};
};
constinit State state;

// Where OpenBLAS is, if it is loaded. It writes through what malloc() returns for small products,
// without looking, so its own allocations are no points.
struct ForeignCode {
  std::atomic<uintptr_t> begin{0}, end{0};
};
constinit ForeignCode openblas;

int find_openblas(dl_phdr_info* library, size_t, void*) {
  if (!strstr(library->dlpi_name, "openblas")) return 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
    openblas.begin = library->dlpi_addr + part.p_vaddr;
    openblas.end = library->dlpi_addr + part.p_vaddr + part.p_memsz;
  }
  return 1;
}
bool is_of_openblas(const void* caller) {
  const auto address = reinterpret_cast<uintptr_t>(caller);
  return openblas.begin <= address && address < openblas.end;
}

// The call stacks that were seen: a hash table of fixed size, because it is filled inside of
// malloc. `full`: one did not fit.
struct CallStacks {
  static constexpr size_t capacity = size_t{1} << 18;
  std::array<std::atomic<uint64_t>, capacity> hashes{};
  std::array<std::atomic<int64_t>, capacity> points{};
  std::atomic<bool> noting{false}, full{false};
};
constinit CallStacks stacks;
thread_local bool unwinding = false;  // the unwinder may allocate

struct Frames {
  static constexpr int innermost = 8;  // the calls that make two allocations alike
  int seen = 0;
  uint64_t hash = 0x9e3779b97f4a7c15u;
};
_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* frames) {
  auto& f = *static_cast<Frames*>(frames);
  f.hash = (f.hash ^ static_cast<uint64_t>(_Unwind_GetIP(context))) * 0xff51afd7ed558ccdu;
  f.hash ^= f.hash >> 29;
  return ++f.seen < Frames::innermost ? _URC_NO_REASON : _URC_END_OF_STACK;
}
void note_call_stack(int64_t point) {
  if (unwinding) return;
  unwinding = true;
  Frames frames;
  _Unwind_Backtrace(add_frame, &frames);
  unwinding = false;
  const uint64_t hash = frames.hash ? frames.hash : 1;
  for (size_t i = 0; i < CallStacks::capacity / 2; ++i) {
    const size_t slot = (hash + i) % CallStacks::capacity;
    uint64_t there = 0;
    if (stacks.hashes[slot].compare_exchange_strong(there, hash)) stacks.points[slot] = point;
    if (there == 0 || there == hash) return;
  }
  stacks.full = true;
}

}  // namespace

const char* name_of(Fault kind) {
  constexpr const char* names[] = {"allocation", "file operation", "thread start", "driver call"};
  return names[static_cast<int>(kind)];
}

bool can_inject() { return TUTTI_CAN_INJECT; }

void count_points() {
  stop_faults();
  dl_iterate_phdr(find_openblas, nullptr);
  for (auto& points : state.points) points = 0;
  state.failed = false;
  state.counting = true;
}
void fail_at(Fault kind, int64_t point, Repeat repeat) {
  count_points();
  state.counting = false;
  state.target = point;
  state.kind = static_cast<int>(kind);
  state.repeats = repeat == Repeat::from_then_on;
  state.counting = true;
}
void count_call_stacks() {
  for (auto& hash : stacks.hashes) hash = 0;
  count_points();  // stops what ran before, noting included
  stacks.noting = true;
}
std::vector<int64_t> first_points_of_call_stacks() {
  if (stacks.full) throw std::length_error("more call stacks than the table holds");
  std::vector<int64_t> points;
  for (size_t slot = 0; slot < CallStacks::capacity; ++slot)
    if (stacks.hashes[slot] != 0) points.push_back(stacks.points[slot]);
  std::sort(points.begin(), points.end());
  return points;
}
void stop_faults() {
  state.counting = false;
  stacks.noting = false;
  state.kind = -1;
  state.target = -1;
}
int64_t points_of(Fault kind) { return state.points[static_cast<size_t>(kind)]; }
bool has_failed() { return state.failed; }
int64_t live_blocks() { return state.live; }

// Whether this point is to fail.
bool fails_now(Fault kind) {
  if (!state.counting) return false;
  const int64_t point = state.points[static_cast<size_t>(kind)]++;
  if (stacks.noting && kind == Fault::memory) note_call_stack(point);
  if (state.kind != static_cast<int>(kind)) return false;
  const bool fails = state.repeats ? point >= state.target : point == state.target;
  if (fails) state.failed = true;
  return fails;
}

}  // namespace tutti::test

#if TUTTI_CAN_INJECT

using tutti::test::fails_now;
using tutti::test::Fault;

namespace {

// The function that this executable stands in for.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}
bool no_memory(const void* caller) {
  if (tutti::test::is_of_openblas(caller) || !fails_now(Fault::memory)) return false;
  errno = ENOMEM;
  return true;
}
bool no_file(int error) {
  if (!fails_now(Fault::file)) return false;
  errno = error;
  return true;
}
void* noted(void* block) {
  if (block) ++tutti::test::state.live;
  return block;
}

}  // namespace

extern "C" {

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

// ---- memory

void* malloc(size_t bytes) {
  return no_memory(__builtin_return_address(0)) ? nullptr : noted(__libc_malloc(bytes));
}
void* calloc(size_t count, size_t bytes) {
  return no_memory(__builtin_return_address(0)) ? nullptr : noted(__libc_calloc(count, bytes));
}
void* realloc(void* before, size_t bytes) {
  if (bytes > 0 && no_memory(__builtin_return_address(0))) return nullptr;
  void* block = __libc_realloc(before, bytes);
  if (!before && block) ++tutti::test::state.live;
  if (before && bytes == 0) --tutti::test::state.live;
  return block;
}
void* memalign(size_t alignment, size_t bytes) {
  return no_memory(__builtin_return_address(0)) ? nullptr
                                                : noted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** block, size_t alignment, size_t bytes) {
  *block = memalign(alignment, bytes);
  return *block ? 0 : ENOMEM;
}
void free(void* block) {
  if (block) --tutti::test::state.live;
  __libc_free(block);
}

// ---- threads

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  if (fails_now(Fault::thread)) return EAGAIN;
  static const auto create = real<decltype(&pthread_create)>("pthread_create");
  return create(thread, attributes, body, argument);
}

// ---- files

int open(const char* path, int flags, ...) {
  if (no_file(EMFILE)) return -1;
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  static const auto function = real<int (*)(const char*, int, ...)>("open");
  return function(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  if (no_file(EMFILE)) return -1;
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  static const auto function = real<int (*)(int, const char*, int, ...)>("openat");
  return function(folder, path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  if (no_file(EMFILE)) return nullptr;
  static const auto function = real<decltype(&fopen)>("fopen");
  return function(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  if (no_file(EMFILE)) return nullptr;
  static const auto function = real<decltype(&fopen64)>("fopen64");
  return function(path, mode);
}
ssize_t read(int file, void* target, size_t bytes) {
  if (no_file(EIO)) return -1;
  static const auto function = real<decltype(&read)>("read");
  return function(file, target, bytes);
}
ssize_t write(int file, const void* source, size_t bytes) {
  static const auto function = real<decltype(&write)>("write");
  if (file > 2 && no_file(ENOSPC)) return -1;
  return function(file, source, bytes);
}
int rename(const char* from, const char* to) {
  if (no_file(EXDEV)) return -1;
  static const auto function = real<decltype(&rename)>("rename");
  return function(from, to);
}
int mkdir(const char* path, mode_t mode) {
  if (no_file(EACCES)) return -1;
  static const auto function = real<decltype(&mkdir)>("mkdir");
  return function(path, mode);
}
int unlink(const char* path) {
  if (no_file(EACCES)) return -1;
  static const auto function = real<decltype(&unlink)>("unlink");
  return function(path);
}
int stat(const char* path, struct stat* status) {
  if (no_file(EIO)) return -1;
  static const auto function = real<int (*)(const char*, struct stat*)>("stat");
  return function(path, status);
}
int fstat(int file, struct stat* status) {
  if (no_file(EIO)) return -1;
  static const auto function = real<int (*)(int, struct stat*)>("fstat");
  return function(file, status);
}
int mkdirat(int folder, const char* path, mode_t mode) {
  if (no_file(EACCES)) return -1;
  static const auto function = real<decltype(&mkdirat)>("mkdirat");
  return function(folder, path, mode);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  if (no_file(EXDEV)) return -1;
  static const auto function = real<decltype(&renameat)>("renameat");
  return function(from_folder, from, to_folder, to);
}
int unlinkat(int folder, const char* path, int flags) {
  if (no_file(EACCES)) return -1;
  static const auto function = real<decltype(&unlinkat)>("unlinkat");
  return function(folder, path, flags);
}
int utimensat(int folder, const char* path, const struct timespec* times, int flags) {
  if (no_file(EACCES)) return -1;
  static const auto function =
      real<int (*)(int, const char*, const struct timespec*, int)>("utimensat");
  return function(folder, path, times, flags);
}
int fstatat(int folder, const char* path, struct stat* status, int flags) {
  if (no_file(EIO)) return -1;
  static const auto function = real<int (*)(int, const char*, struct stat*, int)>("fstatat");
  return function(folder, path, status, flags);
}
int lstat(const char* path, struct stat* status) {
  if (no_file(EIO)) return -1;
  static const auto function = real<int (*)(const char*, struct stat*)>("lstat");
  return function(path, status);
}
DIR* fdopendir(int file) {
  if (no_file(EMFILE)) return nullptr;
  static const auto function = real<decltype(&fdopendir)>("fdopendir");
  return function(file);
}
ssize_t getrandom(void* target, size_t bytes, unsigned flags) {
  if (no_file(EIO)) return -1;
  static const auto function = real<ssize_t (*)(void*, size_t, unsigned)>("getrandom");
  return function(target, bytes, flags);
}
int close(int file) {
  static const auto function = real<decltype(&close)>("close");
  const int result = function(file);  // it is closed in any case
  return no_file(EIO) ? -1 : result;
}
DIR* opendir(const char* path) {
  if (no_file(EMFILE)) return nullptr;
  static const auto function = real<decltype(&opendir)>("opendir");
  return function(path);
}
struct dirent* readdir(DIR* folder) {
  if (no_file(EIO)) return nullptr;
  static const auto function = real<decltype(&readdir)>("readdir");
  return function(folder);
}
int ftruncate(int file, off_t bytes) {
  if (no_file(EIO)) return -1;
  static const auto function = real<decltype(&ftruncate)>("ftruncate");
  return function(file, bytes);
}

// ---- the driver asks before each of its calls

bool tutti_driver_call_fails() { return fails_now(Fault::driver); }
}

#else
extern "C" bool tutti_driver_call_fails() { return false; }
#endif
