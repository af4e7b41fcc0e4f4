// A CUDA driver for tests: device memory is memory of the host, copies are copies, and kernels do
// nothing. Its calls take as much of the stack as those of a true driver. It counts launches, and
// launches of functions whose module was unloaded. An executable
// that defines tutti_driver_call_fails() decides which calls fail. Where TUTTI_TEST_DRIVER names
// the file of a true driver, calls that do not fail are passed on to it, and programs compute what
// they should.
#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "support/test_settings.hpp"

extern "C" [[gnu::weak]] bool tutti_driver_call_fails();  // of the executable

namespace {

using Result = int;
using Handle = void*;
using Address = uint64_t;
constexpr Result success = 0, not_permitted = 800, out_of_memory = 2;

bool call_fails() { return tutti_driver_call_fails && tutti_driver_call_fails(); }

// The stack that a call takes, rounded up: an H200's driver for CUDA 13.0.
constexpr size_t stack_of(std::string_view call) {
  for (const std::string_view least : {"Stream", "Event", "Ctx", "Get", "Device"})
    if (call.starts_with(least) && call != "StreamCreate" && call != "DevicePrimaryCtxRetain")
      return 2 << 10;
  for (const std::string_view little : {"MemFree_v2", "ModuleUnload", "GraphDestroy"})
    if (call == little) return 6 << 10;
  return 28 << 10;
}

template <size_t bytes>
[[gnu::noinline]] void take_stack() {
  volatile char taken[bytes];
  for (size_t i = 0; i < bytes; i += 1024) taken[i] = 1;
}

void* true_driver() {
  static void* const library = [] {
    const char* file = tutti::test::true_driver_file();
    return file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr;
  }();
  return library;
}

// ---- modules: whether each is loaded. They are marked, not freed, so that a launch of a function
// that is gone can be told; the oldest are used again.

using Module = std::atomic<bool>;
std::array<Module, 1 << 20> modules;
std::atomic<size_t> next_module{0};
std::atomic<int> loaded_now{0}, most_loaded{0}, wrong_launches{0}, launches{0};

Handle load_module() {
  Module& module = modules[next_module++ % modules.size()];
  module = true;
  const int now = ++loaded_now;
  for (int most = most_loaded; most < now && !most_loaded.compare_exchange_weak(most, now);) {
  }
  return &module;
}
void unload_module(Handle module) {
  if (static_cast<Module*>(module)->exchange(false)) --loaded_now;
}
void launch(Handle function) {
  ++launches;
  if (!*static_cast<Module*>(function)) ++wrong_launches;
}

// ---- graphs: a list of functions, shared with what is instantiated of it. Memory is that of C,
// which may run out.

struct Node {
  Handle function;
  Node* next;
};
struct Graph {
  Node* first = nullptr;
};
struct KernelNode {  // as the driver declares it, as far as it matters here
  Handle function;
};

Result add_node(Graph& graph, const KernelNode& kernel, Handle& added) {
  auto* node = static_cast<Node*>(std::malloc(sizeof(Node)));
  if (!node) return out_of_memory;
  *node = {kernel.function, graph.first};
  added = graph.first = node;
  return success;
}
void destroy(Graph* graph) {
  for (Node* node = graph->first; node;) {
    Node* const next = node->next;
    std::free(node);
    node = next;
  }
  std::free(graph);
}

Handle a_handle() {
  static char handle;  // of what the stub needs to know nothing about
  return &handle;
}

}  // namespace

extern "C" {
int stub_loaded_now() { return loaded_now; }
int stub_most_loaded() { return most_loaded; }
int stub_wrong_launches() { return wrong_launches; }
int stub_launches() { return launches; }
}

// A function of the driver: fails if it is to, else calls the true driver where there is one, else
// does what the last argument says, which may return early.
#define DRIVER_CALL(name, parameters, arguments, error, ...)                       \
  extern "C" Result cu##name parameters {                                          \
    if (call_fails()) return error;                                                \
    take_stack<stack_of(#name)>();                                                 \
    if (true_driver()) {                                                           \
      static const auto call =                                                     \
          reinterpret_cast<decltype(&cu##name)>(dlsym(true_driver(), "cu" #name)); \
      return call arguments;                                                       \
    }                                                                              \
    __VA_ARGS__;                                                                   \
    return success;                                                                \
  }

DRIVER_CALL(Init, (unsigned flags), (flags), not_permitted, {})
DRIVER_CALL(DriverGetVersion, (int* version), (version), not_permitted, *version = 13000)
DRIVER_CALL(DeviceGetCount, (int* count), (count), not_permitted, *count = 1)
DRIVER_CALL(DeviceGet, (int* device, int index), (device, index), not_permitted, *device = index)
DRIVER_CALL(DeviceGetName, (char* name, int bytes, int device), (name, bytes, device),
            not_permitted,
            std::snprintf(name, static_cast<size_t>(bytes), "a device that computes nothing"))
DRIVER_CALL(DeviceGetAttribute, (int* value, int attribute, int device), (value, attribute, device),
            not_permitted,
            *value = attribute == 75   ? 9
                     : attribute == 76 ? 0
                                       : 132)
DRIVER_CALL(DeviceTotalMem_v2, (size_t* bytes, int device), (bytes, device), not_permitted,
            *bytes = size_t{1} << 33)
DRIVER_CALL(DevicePrimaryCtxRetain, (Handle * context, int device), (context, device),
            not_permitted, *context = a_handle())
DRIVER_CALL(CtxSetCurrent, (Handle context), (context), not_permitted, {})

// ---- memory

DRIVER_CALL(MemGetInfo_v2, (size_t* free, size_t* total), (free, total), not_permitted,
            *free = *total = size_t{1} << 33)
DRIVER_CALL(MemAlloc_v2, (Address * address, size_t bytes), (address, bytes), out_of_memory, {
  void* block = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (!block) return out_of_memory;
  std::memset(block, 0, bytes);
  *address = reinterpret_cast<Address>(block);
})
DRIVER_CALL(MemFree_v2, (Address address), (address), not_permitted,
            std::free(reinterpret_cast<void*>(address)))
DRIVER_CALL(MemAllocHost_v2, (void** block, size_t bytes), (block, bytes), out_of_memory, {
  *block = std::calloc(1, bytes);
  if (!*block) return out_of_memory;
})
DRIVER_CALL(MemsetD32Async, (Address address, unsigned value, size_t count, Handle stream),
            (address, value, count, stream), not_permitted, {
              for (size_t i = 0; i < count; ++i) reinterpret_cast<unsigned*>(address)[i] = value;
            })
DRIVER_CALL(MemcpyHtoDAsync_v2, (Address target, const void* source, size_t bytes, Handle stream),
            (target, source, bytes, stream), not_permitted,
            std::memcpy(reinterpret_cast<void*>(target), source, bytes))
DRIVER_CALL(MemcpyDtoHAsync_v2, (void* target, Address source, size_t bytes, Handle stream),
            (target, source, bytes, stream), not_permitted,
            std::memcpy(target, reinterpret_cast<void*>(source), bytes))

// ---- order

DRIVER_CALL(StreamCreate, (Handle * stream, unsigned flags), (stream, flags), not_permitted,
            *stream = a_handle())
DRIVER_CALL(StreamSynchronize, (Handle stream), (stream), not_permitted, {})
DRIVER_CALL(StreamWaitEvent, (Handle stream, Handle event, unsigned flags), (stream, event, flags),
            not_permitted, {})
DRIVER_CALL(EventCreate, (Handle * event, unsigned flags), (event, flags), not_permitted,
            *event = a_handle())
DRIVER_CALL(EventRecord, (Handle event, Handle stream), (event, stream), not_permitted, {})
DRIVER_CALL(EventQuery, (Handle event), (event), not_permitted, {})
DRIVER_CALL(EventElapsedTime, (float* milliseconds, Handle first, Handle last),
            (milliseconds, first, last), not_permitted, *milliseconds = 0)

// ---- code and launches

DRIVER_CALL(ModuleLoadData, (Handle * module, const void* image), (module, image), not_permitted,
            *module = load_module())
DRIVER_CALL(ModuleUnload, (Handle module), (module), not_permitted, unload_module(module))
DRIVER_CALL(ModuleGetFunction, (Handle * function, Handle module, const char* name),
            (function, module, name), not_permitted, *function = module)
DRIVER_CALL(LaunchKernel,
            (Handle function, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty,
             unsigned tz, unsigned shared, Handle stream, void** parameters, void** extra),
            (function, x, y, z, tx, ty, tz, shared, stream, parameters, extra), not_permitted,
            launch(function))

DRIVER_CALL(GraphCreate, (Handle * graph, unsigned flags), (graph, flags), not_permitted, {
  *graph = std::calloc(1, sizeof(Graph));
  if (!*graph) return out_of_memory;
})
DRIVER_CALL(GraphDestroy, (Handle graph), (graph), not_permitted,
            destroy(static_cast<Graph*>(graph)))
DRIVER_CALL(GraphAddKernelNode,
            (Handle * node, Handle graph, const Handle* after, size_t count, const void* kernel),
            (node, graph, after, count, kernel), not_permitted,
            return add_node(*static_cast<Graph*>(graph), *static_cast<const KernelNode*>(kernel),
                            *node))
DRIVER_CALL(GraphInstantiateWithFlags,
            (Handle * executable, Handle graph, unsigned long long flags),
            (executable, graph, flags), not_permitted, *executable = graph)
DRIVER_CALL(GraphExecKernelNodeSetParams, (Handle executable, Handle node, const void* kernel),
            (executable, node, kernel), not_permitted,
            static_cast<Node*>(node)->function = static_cast<const KernelNode*>(kernel)->function)
DRIVER_CALL(GraphExecDestroy, (Handle executable), (executable), not_permitted, {})
DRIVER_CALL(GraphLaunch, (Handle executable, Handle stream), (executable, stream), not_permitted, {
  for (const Node* node = static_cast<Graph*>(executable)->first; node; node = node->next)
    launch(node->function);
})

DRIVER_CALL(LinkCreate_v2, (unsigned count, int* options, void** values, Handle* link),
            (count, options, values, link), not_permitted, {
              *link = std::calloc(1, 64);
              if (!*link) return out_of_memory;
            })
DRIVER_CALL(LinkAddData_v2,
            (Handle link, int type, void* data, size_t bytes, const char* name, unsigned count,
             int* options, void** values),
            (link, type, data, bytes, name, count, options, values), not_permitted, {})
DRIVER_CALL(LinkComplete, (Handle link, void** image, size_t* bytes), (link, image, bytes),
            not_permitted, {
              *image = link;
              *bytes = 64;
            })
DRIVER_CALL(LinkDestroy, (Handle link), (link), not_permitted, std::free(link))

extern "C" Result cuGetErrorName(Result, const char** name) {
  *name = "CUDA_ERROR_INJECTED";
  return success;
}
extern "C" Result cuGetErrorString(Result, const char** text) {
  *text = "a failure that a test wanted";
  return success;
}
