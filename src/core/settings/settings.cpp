// Settings: defaults, overridden by TUTTI_* variables, overridden by the program.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>

#include "core/process/fork.hpp"
#include "core/settings/environment.hpp"
#include "core/settings/settings.hpp"
#include "tutti/error.hpp"
#include "tutti/runtime.hpp"

#ifndef TUTTI_VERSION
#define TUTTI_VERSION "0.0.0"
#endif

namespace tutti {
namespace {

// More threads would only wait for each other. Small machines may use some more than cores, so that
// a program can be tested with the thread count of a larger one.
int most_threads() {
  constexpr int at_least = 64, for_each_core = 4;
  return std::max(at_least, for_each_core * static_cast<int>(std::thread::hardware_concurrency()));
}

// Invalid values are reported and ignored.
template <class T>
void read(const char* name, T& target, int64_t least, int64_t greatest) {
  if (const auto number = number_from_environment(name, least, greatest))
    target = static_cast<T>(*number);
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
    report_variable(name, text, "is neither 0 nor 1");
}

// Reads a setting by its earlier name. The present name, which is read later, takes precedence.
void read_renamed(const char* old, const char* name, bool& target) {
  if (!variable(old)) return;
  std::fprintf(stderr, "tutti: %s is called %s now\n", old, name);
  read(old, target);
}

std::string default_cache_dir() {
  if (const char* dir = variable("TUTTI_CACHE_DIR")) return dir;
  if (const char* dir = variable("XDG_CACHE_HOME")) return std::string(dir) + "/tutti";
  if (const char* home = variable("HOME")) return std::string(home) + "/.cache/tutti";
  return "";
}

}  // namespace

Settings settings_from_environment() {
  report_unknown_variables();
  Settings s;
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) \
  read(#variable, s.member, least, greatest);
#define TUTTI_SWITCH(variable, member, meaning) read(#variable, s.member);
#define TUTTI_RENAMED(old, variable, member) read_renamed(#old, #variable, s.member);
#include "core/settings/settings.def"
  s.cache_dir = default_cache_dir();
  return s;
}

namespace {

void require_range(const char* name, int64_t value, int64_t least, int64_t greatest) {
  if (value < least || value > greatest)
    throw Error(std::string("set_settings: ") + name + " is " + std::to_string(value) +
                "; it must be at least " + std::to_string(least) + " and at most " +
                std::to_string(greatest));
}

// The settings, and the copy of them that is read without the lock.
struct Store {
  Settings settings = settings_from_environment();
  const int simd_bits = simd_bits_from_environment();
  LiveSettings live;

  Store() { publish(); }
  void publish() {
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) live.member = settings.member;
#define TUTTI_SWITCH(variable, member, meaning) live.member = settings.member;
#include "core/settings/settings.def"
  }
};

// The store is made at its first use, because programs may set variables before that, and under a
// mutex that is held across fork(): a static variable of a function could be half made in a child.
constinit std::mutex store_mutex;
constinit std::atomic<Store*> made_store{nullptr};
[[maybe_unused]] const bool is_registered =
    (hold_across_fork(ForkOrder::settings, store_mutex), true);

Store& store() {
  if (Store* made = made_store.load(std::memory_order_acquire)) return *made;
  std::lock_guard lock(store_mutex);
  if (!made_store) made_store = new Store;
  return *made_store;
}

}  // namespace

const char* version() { return TUTTI_VERSION; }

Settings settings() {
  const Store& current = store();
  std::lock_guard lock(store_mutex);
  return current.settings;
}

void set_settings(const Settings& s) {
#define TUTTI_NUMBER(variable, member, least, greatest, meaning) \
  require_range(#member, s.member, least, greatest);
#include "core/settings/settings.def"
  Store& current = store();
  std::lock_guard lock(store_mutex);
  current.settings = s;
  current.publish();
}

const LiveSettings& live_settings() { return store().live; }
int simd_bits() { return store().simd_bits; }

}  // namespace tutti
