// A process that launches ever new kernels on a device whose driver is a stub, from several threads
// and from recorded bodies. Few modules may stay loaded, and another thread clears the caches.
// Prints what the driver has seen.
#include <dlfcn.h>
#include <tutti/tutti.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "runtime/device.hpp"
#include "support/new_kernels.hpp"

using namespace tutti;

namespace {

constexpr int most_modules = 16, threads = 3;

int ask(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<int (*)()>(dlsym(driver, name))();
}

void launch_many(int t, bool with_bodies) {
  const std::vector<int32_t> numbers = test::counting(100);
  const Array<1, int32_t> a(numbers), b(numbers);
  Vec<int32_t> x(numbers);
  const Vec<int32_t> y(numbers);
  const auto body = record([&] { x = x * y + t; }, x);
  for (uint32_t k = 0; k < 24; ++k) {
    const auto number = static_cast<uint32_t>(1000 * t) + k % 20;
    // Two kernels that follow each other are launched as a graph when they are seen often.
    const Array<1, int32_t> once = test::kernel_of(number, a, b);
    const Array<1, int32_t> total = once - sum(once) + sum(a);
    for (int round = 0; round < 4; ++round) (total + round).evaluate();
    if (with_bodies) body(3);
  }
}

}  // namespace

int main() {
  use("cuda");
  runtime::current_device().limit_kernels(most_modules);
  launch_many(0, false);
  const bool within = ask("stub_most_loaded") <= most_modules + 1;
  std::atomic<bool> done = false;
  std::thread clearing([&] {
    while (!done) {
      clear_kernel_cache();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  std::vector<std::thread> all;
  for (int t = 1; t <= threads; ++t) all.emplace_back(launch_many, t, true);
  for (std::thread& thread : all) thread.join();
  done = true;
  clearing.join();
  clear_kernel_cache();
  std::printf("launches: %d\nlaunches of unloaded functions: %d\n", ask("stub_launches"),
              ask("stub_wrong_launches"));
  std::printf("most loaded: %d\nwithin the limit: %d\nloaded in the end: %d\n",
              ask("stub_most_loaded"), within, ask("stub_loaded_now"));
  return 0;
}
