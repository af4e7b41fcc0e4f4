#include "runtime/kernel_cache.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>

#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "runtime/disk_cache.hpp"

namespace tutti::runtime {
namespace {

using Clock = std::chrono::steady_clock;

codegen::Entry make_kernel(const std::string& structure, const Compile& compile) {
  const std::string key = structure + "\n" + codegen::target_description();
  if (const auto object = disk_cache::find(key)) {
    try {
      const codegen::Entry entry = codegen::link(*object);
      ++counters().kernels_from_disk;
      return entry;
    } catch (const CompileError&) {
      disk_cache::remove(key);  // whole, but not code this process can load: made anew below
    }
  }
  const auto start = Clock::now();
  const std::string object = compile();
  const codegen::Entry entry = codegen::link(object);
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  ++counters().kernels_compiled;
  counters().compile_nanoseconds += took.count();
  if (live_settings().log)
    std::fprintf(stderr, "tutti: compiled a kernel in %.2f ms\n",
                 static_cast<double>(took.count()) * 1e-6);
  disk_cache::store(key, object);
  return entry;
}

class Kernels {
 public:
  codegen::Entry find(const std::string& key, const Compile& compile) {
    std::unique_lock lock(mutex_);
    while (true) {
      if (const auto found = ready_.find(key); found != ready_.end()) return found->second;
      if (in_progress_.insert(key).second) break;
      changed_.wait(lock);  // another thread compiles it
    }
    lock.unlock();
    codegen::Entry entry = nullptr;
    try {
      entry = make_kernel(key, compile);
    } catch (...) {
      finish(key, nullptr);
      throw;
    }
    finish(key, entry);
    return entry;
  }

  void forget() {
    std::lock_guard lock(mutex_);
    ready_.clear();
  }

 private:
  void finish(const std::string& key, codegen::Entry entry) {
    std::lock_guard lock(mutex_);
    if (entry) ready_[key] = entry;
    in_progress_.erase(key);
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, codegen::Entry> ready_;
  std::set<std::string> in_progress_;
};

Kernels& kernels() {
  static Kernels* instance = new Kernels;
  return *instance;
}

}  // namespace

codegen::Entry find_kernel(const std::string& key, const Compile& compile) {
  return kernels().find(key, compile);
}

codegen::Entry find_kernel(const passes::KernelStep& step) {
  if (void* code = step.code.load(std::memory_order_acquire))
    return reinterpret_cast<codegen::Entry>(code);
  const codegen::Entry entry = find_kernel(step.key, [&] { return codegen::compile(step.kernel); });
  step.code.store(reinterpret_cast<void*>(entry), std::memory_order_release);
  return entry;
}

bool compile_kernels(const passes::Plan& plan, const std::function<bool()>& go_on) {
  std::vector<const passes::KernelStep*> kernels;
  for (const passes::Step& step : plan.steps) {
    if (const auto* kernel = std::get_if<passes::KernelStep>(&step)) kernels.push_back(kernel);
    if (const auto* chain = std::get_if<passes::ChainStep>(&step))
      for (const passes::KernelStep& kernel : chain->kernels) kernels.push_back(&kernel);
    if (const auto* primitive = std::get_if<passes::PrimitiveStep>(&step))
      for (const auto* kernel : {&primitive->elements, &primitive->values, &primitive->consumer})
        if (*kernel) kernels.push_back(kernel->get());
  }
  for (const passes::KernelStep* kernel : kernels) {
    if (!go_on()) return false;
    find_kernel(*kernel);
  }
  return true;
}

void forget_kernels() { kernels().forget(); }

}  // namespace tutti::runtime
