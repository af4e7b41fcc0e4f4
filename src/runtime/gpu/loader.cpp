#include "runtime/gpu/loader.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>

#include "core/settings/settings.hpp"
#include "core/statistics.hpp"
#include "core/timeline/timeline.hpp"
#include "runtime/code/disk_cache.hpp"

namespace tutti::runtime::gpu {
namespace {

// Numbers the devices of all families: kernels store their code by this number.
size_t next_device_number() {
  static std::atomic<size_t> devices{0};
  return devices++;
}

}  // namespace

Loader::Loader(Driver& driver, const codegen::GpuCompiler& compiler, std::function<void()> idle)
    : driver_(driver),
      compiler_(compiler),
      modules_(next_device_number(), std::move(idle),
               [this](Handle module) { driver_.unload(module); }) {}

KnownPrimitive Loader::know(const codegen::GpuPrimitive& primitive) {
  if (const auto known = primitives_.find(primitive)) return *known;
  const KnownPrimitive made{kernel_id(compiler_.key(primitive)),
                            std::make_shared<const std::string>(primitive.function)};
  primitives_.add(primitive, made);
  return made;
}

bool Loader::has(const KernelId& id) {
  return modules_.loaded(id) || disk_cache::contains(disk_key(id));
}

void Loader::forget() {
  primitives_.forget();
  driver_.make_current();
  modules_.forget();
}

Module Loader::load(const KernelId& id, const std::function<std::string()>& compile) {
  Module made{load_or_compile(disk_key(id), compile)};
  const Status status = driver_.find_kernel(made.module, made.function);
  if (status != success) driver_.unload(made.module);
  driver_.check(status, "finding a kernel");
  return made;
}

Handle Loader::load_or_compile(const std::string& key,
                               const std::function<std::string()>& compile) {
  timeline::Scope scope("compile", "compile a kernel");
  Handle module = nullptr;
  if (const auto kept = disk_cache::find(key); kept && driver_.load(*kept, module) == success) {
    scope.rename("load a kernel from the disk cache");
    ++counters().kernels_from_disk;
    return module;
  }
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const std::string generated = compile();
  const auto middle = Clock::now();
  const std::string assembled = driver_.assemble(generated);
  driver_.check(driver_.load(assembled, module), "loading a kernel");
  const auto end = Clock::now();
  ++counters().kernels_compiled;
  counters().compile_nanoseconds +=
      std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
  using Milliseconds = std::chrono::duration<double, std::milli>;
  if (live_settings().log)
    std::fprintf(stderr, "tutti: compiled a kernel in %.2f ms, assembled %zu kB in %.2f ms\n",
                 Milliseconds(middle - begin).count(), generated.size() / 1024,
                 Milliseconds(end - middle).count());
  disk_cache::store(key, assembled);
  return module;
}

}  // namespace tutti::runtime::gpu
