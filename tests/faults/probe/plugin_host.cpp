// Loads the plugin that is named from a thread that ends, uses it from others, and unloads it.
#include <dlfcn.h>

#include <cstdio>
#include <thread>

int main(int, char** arguments) {
  void* plugin = nullptr;
  int (*compute)() = nullptr;
  const auto use = [&] { std::puts(compute && compute() ? "right" : "wrong"); };
  std::thread([&] {
    plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin) std::puts(dlerror());
    if (plugin) compute = reinterpret_cast<int (*)()>(dlsym(plugin, "compute"));
    use();
  }).join();
  std::thread(use).join();
  use();
  if (plugin) dlclose(plugin);
  return 0;
}
