#include "runtime/cpu/kernel_cache.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <unordered_map>

#include "core/process/heap_pages.hpp"
#include "core/process/interruption.hpp"
#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "runtime/code/disk_cache.hpp"
#include "runtime/code/once_per_key.hpp"
#include "runtime/cpu/threads.hpp"

namespace tutti::runtime {
namespace {

using Clock = std::chrono::steady_clock;

std::unique_ptr<LoadedCode> make_code(const std::string& structure, const Compile& compile) {
  const std::string key = structure + "\n" + codegen::target_description();
  timeline::Scope scope("compile", "compile a kernel");
  if (const auto object = disk_cache::find(key)) {
    scope.rename("load a kernel from the disk cache");
    try {
      auto code = codegen::link(*object);
      ++counters().kernels_from_disk;
      return code;
    } catch (const CompileError&) {
      disk_cache::remove(key);  // intact, but this process cannot load it: compiled again below
    }
  }
  scope.rename("compile a kernel");
  const auto start = Clock::now();
  const std::string object = compile();
  auto code = codegen::link(object);
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  ++counters().kernels_compiled;
  counters().compile_nanoseconds += took.count();
  if (live_settings().log)
    std::fprintf(stderr, "tutti: compiled a kernel in %.2f ms\n",
                 static_cast<double>(took.count()) * 1e-6);
  disk_cache::store(key, object);
  return code;
}

// The loaded kernels. The clock advances by one with each kernel that is loaded: precise enough to
// find the least recently used ones, at no cost while kernels are only used.
class LoadedKernels {
 public:
  PinnedCode find(const KernelId& id, const Compile& compile) {
    if (PinnedCode code = pinned(id); code.entry()) return code;
    const Loading::Turn turn(loading_, &id);
    if (PinnedCode code = pinned(id); code.entry()) return code;
    return add(id, make_code(id.key, compile));
  }
  PinnedCode pinned(const KernelId& id) {
    void* const entry = id.code.pin();
    if (!entry) return {};
    const int64_t now = clock_.load(std::memory_order_relaxed);
    if (id.last_use.load(std::memory_order_relaxed) != now)
      id.last_use.store(now, std::memory_order_relaxed);
    return {id, entry};
  }

  void forget() {
    std::unordered_map<const KernelId*, Loaded> released;
    {
      std::lock_guard lock(mutex_);
      released.swap(loaded_);
      code_bytes_ = 0;
    }
    std::ranges::for_each(released, [](const auto& kernel) { kernel.first->code.unpin(); });
    released.clear();
    release_heap_pages();
  }
  void set_limits(const KernelLimits& limits) {
    std::lock_guard lock(mutex_);
    limits_ = limits;
  }
  KernelCounts counts() {
    std::lock_guard lock(mutex_);
    return {loaded_.size(), code_bytes_};
  }

 private:
  using Loading = OncePerKey<const KernelId*>;
  struct Loaded {
    KernelRef id;
    size_t bytes;
  };

  PinnedCode add(const KernelId& id, std::unique_ptr<LoadedCode> code) {
    std::vector<Loaded> released;  // destroyed after the lock is released
    void* entry = nullptr;
    {
      std::lock_guard lock(mutex_);
      const size_t bytes = code->bytes;
      if (loaded_.size() >= limits_.kernels || code_bytes_ + bytes > limits_.code_bytes)
        released = take_oldest(bytes);
      loaded_.emplace(&id, Loaded{id.shared_from_this(), bytes});
      code_bytes_ += bytes;
      id.last_use.store(++clock_, std::memory_order_relaxed);
      // Within the lock, because removing the kernel from the table ends this use.
      entry = id.code.load(std::move(code));
    }
    PinnedCode result(id, entry);
    for (const Loaded& old : released) old.id->code.unpin();
    if (!released.empty()) release_heap_pages();
    return result;
  }

  // Removes the least recently used kernels: an eighth of the limits, so that it is rarely needed.
  std::vector<Loaded> take_oldest(size_t bytes_needed) {
    std::vector<std::pair<int64_t, const KernelId*>> by_age;
    by_age.reserve(loaded_.size());
    for (const auto& [id, loaded] : loaded_)
      by_age.emplace_back(id->last_use.load(std::memory_order_relaxed), id);
    std::ranges::sort(by_age);
    std::vector<Loaded> oldest;
    oldest.reserve(by_age.size());
    for (const auto& [age, id] : by_age) {
      if (loaded_.size() < limits_.kernels - limits_.kernels / 8 &&
          code_bytes_ + bytes_needed <= limits_.code_bytes - limits_.code_bytes / 8)
        break;
      const auto found = loaded_.find(id);
      code_bytes_ -= found->second.bytes;
      oldest.push_back(std::move(found->second));
      loaded_.erase(found);
    }
    return oldest;
  }

  Loading loading_;
  std::mutex mutex_;
  KernelLimits limits_;
  std::unordered_map<const KernelId*, Loaded> loaded_;
  size_t code_bytes_ = 0;
  std::atomic<int64_t> clock_{0};
};

LoadedKernels& kernels() {
  static auto* instance = new LoadedKernels;
  return *instance;
}

}  // namespace

PinnedCode find_kernel(const KernelId& id, const Compile& compile) {
  return kernels().find(id, compile);
}

PinnedCode find_kernel(const compiler::KernelStep& step) {
  if (PinnedCode code = kernels().pinned(*step.id); code.entry()) return code;
  return kernels().find(*step.id, [&] { return codegen::compile(step.kernel); });
}

namespace {

template <class Work>
void for_kernels(const compiler::Plan& plan, const Work& work) {
  for (const compiler::Step& step : plan.steps) {
    if (const auto* kernel = std::get_if<compiler::KernelStep>(&step)) work(*kernel);
    if (const auto* chain = std::get_if<compiler::ChainStep>(&step))
      for (const compiler::KernelStep& kernel : chain->kernels) work(kernel);
    if (const auto* primitive = std::get_if<compiler::PrimitiveStep>(&step))
      for (const auto* kernel : {&primitive->elements, &primitive->values, &primitive->consumer})
        if (*kernel) work(**kernel);
  }
}

}  // namespace

void compile_missing_kernels(const compiler::Plan& plan) {
  std::vector<const compiler::KernelStep*> missing;
  for_kernels(plan, [&](const compiler::KernelStep& kernel) {
    const auto is_same = [&](const auto* other) { return other->id == kernel.id; };
    if (!kernels().pinned(*kernel.id).entry() && std::ranges::none_of(missing, is_same))
      missing.push_back(&kernel);
  });
  if (missing.size() < 2) return;
  parallel_for(static_cast<int64_t>(missing.size()), [&](int64_t i) {
    stop_if_interrupted();
    find_kernel(*missing[static_cast<size_t>(i)]);
  });
}

bool compile_kernels(const compiler::Plan& plan, Cores cores, const std::function<bool()>& go_on) {
  std::vector<const compiler::KernelStep*> kernels;
  for_kernels(plan, [&](const compiler::KernelStep& kernel) { kernels.push_back(&kernel); });
  std::atomic<bool> all = true;
  const auto compile = [&](const compiler::KernelStep* kernel) {
    if (all && go_on())
      find_kernel(*kernel);
    else
      all = false;
  };
  if (cores == Cores::all)
    parallel_for(static_cast<int64_t>(kernels.size()),
                 [&](int64_t i) { compile(kernels[static_cast<size_t>(i)]); });
  else
    std::ranges::for_each(kernels, compile);
  return all;
}

void forget_kernels() { kernels().forget(); }
void set_kernel_limits(const KernelLimits& limits) { kernels().set_limits(limits); }
KernelCounts kernels_loaded() { return kernels().counts(); }

}  // namespace tutti::runtime
