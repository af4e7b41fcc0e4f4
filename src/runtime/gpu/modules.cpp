#include "runtime/gpu/modules.hpp"

#include <algorithm>

namespace tutti::runtime::gpu {

std::shared_lock<std::shared_mutex> Modules::use() {
  if (unloading_.load(std::memory_order_acquire)) std::lock_guard wait(turnstile_);
  return std::shared_lock(in_use_);
}

Handle Modules::loaded(const KernelId& id) {
  Handle function = nullptr;
  if (device_ < KernelId::most_devices) {
    function = id.on_device[device_].load(std::memory_order_acquire);
  } else {
    std::lock_guard lock(mutex_);
    if (const auto found = modules_.find(&id); found != modules_.end())
      function = found->second.module.function;
  }
  if (function)
    id.last_use.store(clock_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return function;
}

Handle Modules::add(const KernelId& id, Module module) {
  module.id = id.shared_from_this();
  const Handle function = module.function;
  std::lock_guard lock(mutex_);
  modules_.emplace(&id, Loaded{std::move(module), {}});
  count_ = modules_.size();
  id.last_use.store(++clock_, std::memory_order_relaxed);
  if (device_ < KernelId::most_devices)
    id.on_device[device_].store(function, std::memory_order_release);
  return function;
}

ModuleHold Modules::hold(const KernelId& id) {
  std::lock_guard lock(mutex_);
  Loaded& loaded = modules_.at(&id);
  ModuleHold hold = loaded.held.lock();
  if (!hold) loaded.held = hold = std::make_shared<const Module>(loaded.module);
  return hold;
}

void Modules::unload_oldest() {
  std::lock_guard turn(turnstile_);
  const size_t most = most_.load(std::memory_order_relaxed);
  if (size() < most) return;  // another thread has made room
  unload(size() - most + most / 8 + 1);
}

void Modules::forget() {
  std::lock_guard turn(turnstile_);
  unload(size());
}

// Requires the turnstile.
void Modules::unload(size_t count) {
  struct Announced {
    std::atomic<bool>& flag;
    explicit Announced(std::atomic<bool>& f) : flag(f) { flag = true; }
    ~Announced() { flag = false; }
  };
  const Announced announced(unloading_);
  const std::unique_lock alone(in_use_);
  idle_();
  std::vector<Module> old;  // destroyed after the lock is released
  std::lock_guard lock(mutex_);
  old.reserve(modules_.size());
  for (const auto& [id, loaded] : modules_)
    if (loaded.held.expired()) old.push_back(loaded.module);
  std::ranges::sort(old, {}, [](const Module& module) {
    return module.id->last_use.load(std::memory_order_relaxed);
  });
  if (old.size() > count) old.resize(count);
  for (const Module& module : old) {
    if (device_ < KernelId::most_devices) module.id->on_device[device_] = nullptr;
    modules_.erase(module.id.get());
    unload_(module.module);
  }
  count_ = modules_.size();
}

}  // namespace tutti::runtime::gpu
