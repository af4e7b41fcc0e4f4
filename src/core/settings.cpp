// Settings: defaults, then TUTTI_* variables, then what the program sets.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <string_view>

#include "core/settings.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

#ifndef TUTTI_VERSION
#define TUTTI_VERSION "0.0.0"
#endif

namespace tutti {
namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? value : nullptr;
}

// Whole numbers, with an optional suffix K, M or G. What cannot be read is reported and ignored.
template <class T>
void read(const char* name, T& target, int64_t least) {
  const char* text = variable(name);
  if (!text) return;
  char* end = nullptr;
  errno = 0;
  const long long number = std::strtoll(text, &end, 10);
  const int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  const bool complete = end != text && errno == 0 && end[shift ? 1 : 0] == '\0';
  const __int128 value = static_cast<__int128>(number) << shift;
  if (!complete || value < least || value > std::numeric_limits<T>::max())
    std::fprintf(stderr,
                 "tutti: %s=%s is not a number of at least %lld that can be used; ignored\n", name,
                 text, static_cast<long long>(least));
  else
    target = static_cast<T>(value);
}

void read(const char* name, bool& target) {
  const char* text = variable(name);
  if (!text) return;
  const std::string_view value(text);
  if (value == "1" || value == "on" || value == "true" || value == "yes")
    target = true;
  else if (value == "0" || value == "off" || value == "false" || value == "no")
    target = false;
  else
    std::fprintf(stderr, "tutti: %s=%s is neither 0 nor 1; ignored\n", name, text);
}

std::string default_cache_dir() {
  if (const char* dir = variable("TUTTI_CACHE_DIR")) return dir;
  if (const char* dir = variable("XDG_CACHE_HOME")) return std::string(dir) + "/tutti";
  if (const char* home = variable("HOME")) return std::string(home) + "/.cache/tutti";
  return "";
}

Settings from_environment() {
  Settings s;
  read("TUTTI_THREADS", s.threads, 0);
  read("TUTTI_REPRODUCIBLE", s.reproducible);
  read("TUTTI_INTERPRET", s.interpret);
  read("TUTTI_CACHE", s.disk_cache);
  s.cache_dir = default_cache_dir();
  read("TUTTI_CACHE_BYTES", s.cache_bytes, 0);
  read("TUTTI_MAX_PENDING", s.max_pending_operations, 1);
  read("TUTTI_MAX_PENDING_BYTES", s.max_pending_bytes, 0);
  read("TUTTI_POOL_BYTES", s.pool_bytes, 0);
  read("TUTTI_MAX_BYTES", s.max_bytes, 0);
  read("TUTTI_SMALL_WORK", s.small_work, 0);
  read("TUTTI_CHECKS", s.checks);
  read("TUTTI_DEBUG_PROGRAMS", s.debug_programs);
  read("TUTTI_LOOP_LIMIT", s.loop_limit, 0);
  read("TUTTI_LOG", s.log);
  return s;
}

// The settings and the copy of them that is read without the lock.
struct Store {
  std::mutex mutex;
  Settings settings = from_environment();
  LiveSettings live;

  Store() { publish(); }
  void publish() {
    live.threads = settings.threads;
    live.reproducible = settings.reproducible;
    live.interpret = settings.interpret;
    live.disk_cache = settings.disk_cache;
    live.cache_bytes = settings.cache_bytes;
    live.max_pending_operations = settings.max_pending_operations;
    live.max_pending_bytes = settings.max_pending_bytes;
    live.pool_bytes = settings.pool_bytes;
    live.max_bytes = settings.max_bytes;
    live.small_work = settings.small_work;
    live.checks = settings.checks;
    live.debug_programs = settings.debug_programs;
    live.loop_limit = settings.loop_limit;
    live.log = settings.log;
  }
};

Store& store() {
  static Store instance;
  return instance;
}

}  // namespace

const char* version() { return TUTTI_VERSION; }

Settings settings() {
  std::lock_guard lock(store().mutex);
  return store().settings;
}

void set_settings(const Settings& s) {
  if (s.threads < 0) throw Error("set_settings: threads must be 0 (one for each core) or more");
  if (s.max_pending_operations < 1)
    throw Error("set_settings: max_pending_operations must be at least 1");
  if (s.cache_bytes < 0 || s.max_pending_bytes < 0 || s.pool_bytes < 0 || s.max_bytes < 0)
    throw Error("set_settings: sizes in bytes cannot be negative");
  if (s.small_work < 0 || s.loop_limit < 0)
    throw Error("set_settings: small_work and loop_limit cannot be negative");
  std::lock_guard lock(store().mutex);
  store().settings = s;
  store().publish();
}

const LiveSettings& live_settings() { return store().live; }

}  // namespace tutti
