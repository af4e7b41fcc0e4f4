// The loaded kernels of a device, limited in number. Kernels run asynchronously, so the least
// recently used ones are unloaded in batches, after a wait for the device. Modules of recorded
// graphs stay loaded.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "core/caching/kernel_id.hpp"
#include "runtime/code/once_per_key.hpp"
#include "runtime/gpu/driver.hpp"
#include "tutti/detail/export.hpp"

namespace tutti::runtime::gpu {

struct Module {
  Handle module = nullptr, function = nullptr;
  KernelRef id{};
};
// Keeps a module loaded.
using ModuleHold = std::shared_ptr<const Module>;

class TUTTI_EXPORT Modules {
 public:
  // Modules take device memory, 10 to 100 kB each on an H200.
  static constexpr size_t most_modules = 4096;

  // `idle` returns when no kernel runs and no graph refers to functions; `unload` unloads one
  // module.
  Modules(size_t device, std::function<void()> idle, std::function<void(Handle)> unload)
      : device_(device), idle_(std::move(idle)), unload_(std::move(unload)) {}

  // Held from finding functions until the driver has them: nothing is unloaded while it is held. A
  // thread holds one at a time.
  [[nodiscard]] std::shared_lock<std::shared_mutex> use();

  // Requires a use. `make` returns the module and its function.
  template <class Make>
  Handle find(const KernelId& id, const Make& make) {
    if (Handle known = loaded(id)) return known;
    const Loading::Turn turn(loading_, &id);
    if (Handle known = loaded(id)) return known;
    return add(id, make());
  }
  // Returns null if the kernel is not loaded.
  Handle loaded(const KernelId& id);
  // Requires the use in which the kernel was found.
  ModuleHold hold(const KernelId& id);

  // Unloads the least recently used modules if there are too many. No use may be held.
  void make_room() {
    if (count_.load(std::memory_order_relaxed) >= most_.load(std::memory_order_relaxed))
      unload_oldest();
  }
  // Unloads all modules that are not held.
  void forget();

  size_t size() const { return count_.load(std::memory_order_relaxed); }
  void set_most(size_t most) { most_ = most; }

 private:
  using Loading = OncePerKey<const KernelId*>;
  struct Loaded {
    Module module;
    std::weak_ptr<const Module> held;  // by recorded graphs, if there are any
  };

  Handle add(const KernelId& id, Module module);
  void unload_oldest();
  void unload(size_t count);  // the least recently used that are not held

  const size_t device_;
  const std::function<void()> idle_;
  const std::function<void(Handle)> unload_;
  Loading loading_;
  std::shared_mutex in_use_;
  std::mutex turnstile_;  // gives the thread that unloads precedence over new uses
  std::atomic<bool> unloading_{false};
  std::mutex mutex_;
  std::unordered_map<const KernelId*, Loaded> modules_;
  std::atomic<size_t> count_{0}, most_{most_modules};
  std::atomic<int64_t> clock_{0};
};

}  // namespace tutti::runtime::gpu
