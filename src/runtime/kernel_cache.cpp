#include "runtime/kernel_cache.hpp"

#include <tbb/parallel_for_each.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>

#include "core/settings.hpp"
#include "core/statistics.hpp"
#include "runtime/disk_cache.hpp"
#include "runtime/made_once.hpp"

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

MadeOnce<codegen::Entry>& kernels() {
  static auto* instance = new MadeOnce<codegen::Entry>;
  return *instance;
}

}  // namespace

codegen::Entry find_kernel(const std::string& key, const Compile& compile) {
  return kernels().find(key, [&] { return make_kernel(key, compile); });
}

codegen::Entry find_kernel(const passes::KernelStep& step) {
  if (void* code = step.code.load(std::memory_order_acquire))
    return reinterpret_cast<codegen::Entry>(code);
  const codegen::Entry entry = find_kernel(step.key, [&] { return codegen::compile(step.kernel); });
  step.code.store(reinterpret_cast<void*>(entry), std::memory_order_release);
  return entry;
}

bool compile_kernels(const passes::Plan& plan, Cores cores, const std::function<bool()>& go_on) {
  std::vector<const passes::KernelStep*> kernels;
  for (const passes::Step& step : plan.steps) {
    if (const auto* kernel = std::get_if<passes::KernelStep>(&step)) kernels.push_back(kernel);
    if (const auto* chain = std::get_if<passes::ChainStep>(&step))
      for (const passes::KernelStep& kernel : chain->kernels) kernels.push_back(&kernel);
    if (const auto* primitive = std::get_if<passes::PrimitiveStep>(&step))
      for (const auto* kernel : {&primitive->elements, &primitive->values, &primitive->consumer})
        if (*kernel) kernels.push_back(kernel->get());
  }
  std::atomic<bool> all = true;
  const auto compile = [&](const passes::KernelStep* kernel) {
    if (all && go_on())
      find_kernel(*kernel);
    else
      all = false;
  };
  if (cores == Cores::all)
    tbb::parallel_for_each(kernels, compile);
  else
    std::ranges::for_each(kernels, compile);
  return all;
}

void forget_kernels() { kernels().forget(); }

}  // namespace tutti::runtime
