// A CUDA driver without a device: memory is the host's, kernels do nothing, and a launch of a
// function whose module was unloaded is counted. Modules are marked, not freed, so that such a
// launch can be told.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Module {
  std::atomic<bool> loaded{true};
};
struct KernelNode {
  void* function;
  unsigned numbers[7];
  void **parameters, **extra;
};
struct Graph {
  std::vector<void**> functions;  // one for each node, shared with what was instantiated of it
};

std::atomic<int> loaded_now{0}, most_loaded{0}, wrong_launches{0}, launches{0};

void check_launch(void* function) {
  ++launches;
  if (!static_cast<Module*>(function)->loaded) ++wrong_launches;
}

}  // namespace

extern "C" {

int stub_loaded_now() { return loaded_now; }
int stub_most_loaded() { return most_loaded; }
int stub_wrong_launches() { return wrong_launches; }
int stub_launches() { return launches; }

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) { return *version = 13000, 0; }
int cuDeviceGetCount(int* count) { return *count = 1, 0; }
int cuDeviceGet(int* device, int) { return *device = 0, 0; }
int cuDeviceGetName(char* name, int, int) { return std::strcpy(name, "stub"), 0; }
int cuDeviceGetAttribute(int* value, int attribute, int) {
  return *value = attribute == 75 ? 9 : attribute == 16 ? 132 : 0, 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) { return *bytes = size_t{1} << 30, 0; }
int cuDevicePrimaryCtxRetain(void** context, int) { return *context = &loaded_now, 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuMemGetInfo_v2(size_t* free, size_t* total) { return *free = *total = size_t{1} << 30, 0; }
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  return *address = reinterpret_cast<uint64_t>(std::calloc(bytes, 1)), 0;
}
int cuMemFree_v2(uint64_t address) { return std::free(reinterpret_cast<void*>(address)), 0; }
int cuMemAllocHost_v2(void** memory, size_t bytes) { return *memory = std::calloc(bytes, 1), 0; }
int cuMemsetD32Async(uint64_t, unsigned, size_t, void*) { return 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void*) {
  return std::memcpy(reinterpret_cast<void*>(to), from, bytes), 0;
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void*) {
  return std::memcpy(to, reinterpret_cast<void*>(from), bytes), 0;
}
int cuStreamCreate(void** stream, unsigned) { return *stream = &loaded_now, 0; }
int cuStreamSynchronize(void*) { return 0; }
int cuStreamWaitEvent(void*, void*, unsigned) { return 0; }
int cuEventCreate(void** event, unsigned) { return *event = &loaded_now, 0; }
int cuEventRecord(void*, void*) { return 0; }

int cuModuleLoadData(void** module, const void*) {
  *module = new Module;
  const int now = ++loaded_now;
  for (int most = most_loaded; most < now && !most_loaded.compare_exchange_weak(most, now);) {
  }
  return 0;
}
int cuModuleUnload(void* module) {
  if (static_cast<Module*>(module)->loaded.exchange(false)) --loaded_now;
  return 0;
}
int cuModuleGetFunction(void** function, void* module, const char*) {
  return *function = module, 0;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, void*, void**, void**) {
  return check_launch(function), 0;
}

int cuGraphCreate(void** graph, unsigned) { return *graph = new Graph, 0; }
int cuGraphDestroy(void* graph) {
  for (void** function : static_cast<Graph*>(graph)->functions) delete function;
  return delete static_cast<Graph*>(graph), 0;
}
int cuGraphAddKernelNode(void** node, void* graph, void* const*, size_t, const KernelNode* kernel) {
  auto* function = new void*(kernel->function);
  static_cast<Graph*>(graph)->functions.push_back(function);
  return *node = function, 0;
}
int cuGraphInstantiateWithFlags(void** executable, void* graph, unsigned long long) {
  return *executable = graph, 0;
}
int cuGraphExecKernelNodeSetParams(void*, void* node, const KernelNode* kernel) {
  return *static_cast<void**>(node) = kernel->function, 0;
}
int cuGraphExecDestroy(void*) { return 0; }
int cuGraphLaunch(void* executable, void*) {
  for (void** function : static_cast<Graph*>(executable)->functions) check_launch(*function);
  return 0;
}

int cuLinkCreate_v2(unsigned, int*, void**, void** link) { return *link = &loaded_now, 0; }
int cuLinkAddData_v2(void*, int, void*, size_t, const char*, unsigned, int*, void**) { return 0; }
int cuLinkComplete(void*, void** code, size_t* bytes) {
  static char nothing[16] = "stub";
  return *code = nothing, *bytes = sizeof nothing, 0;
}
int cuLinkDestroy(void*) { return 0; }
int cuGetErrorName(int, const char** name) { return *name = "stub", 0; }
int cuGetErrorString(int, const char** text) { return *text = "stub", 0; }

}  // extern "C"
