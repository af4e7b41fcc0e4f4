// A CUDA driver for tests: device memory is memory of the host, copies are copies, and kernels do
// nothing. Every call may be made to fail. Where TUTTI_TEST_DRIVER names the file of a true driver,
// calls that do not fail are passed on to it, and programs compute what they should.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" bool tutti_driver_call_fails();  // of the executable

namespace {

using Result = int;
using Handle = void*;
using Address = uint64_t;
constexpr Result success = 0, not_permitted = 800, out_of_memory = 2;

void* true_driver() {
  static void* const library = [] {
    const char* file = std::getenv("TUTTI_TEST_DRIVER");
    return file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : nullptr;
  }();
  return library;
}

Handle new_handle() { return std::malloc(1); }

}  // namespace

// A call of the true driver where there is one, else the body that follows.
#define CALL(name, parameters, arguments, error)                                   \
  extern "C" Result cu##name parameters {                                          \
    if (tutti_driver_call_fails()) return error;                                   \
    if (true_driver()) {                                                           \
      static const auto call =                                                     \
          reinterpret_cast<decltype(&cu##name)>(dlsym(true_driver(), "cu" #name)); \
      return call arguments;                                                       \
    }
#define END       \
  return success; \
  }

CALL(Init, (unsigned flags), (flags), not_permitted)
END CALL(DriverGetVersion, (int* version), (version), not_permitted) * version = 13000;
END CALL(DeviceGetCount, (int* count), (count), not_permitted) * count = 1;
END CALL(DeviceGet, (int* device, int index), (device, index), not_permitted) * device = index;
END CALL(DeviceGetName, (char* name, int bytes, int device), (name, bytes, device),
         not_permitted) std::snprintf(name, static_cast<size_t>(bytes),
                                      "a device that computes nothing");
END CALL(DeviceGetAttribute, (int* value, int attribute, int device), (value, attribute, device),
         not_permitted) * value = attribute == 75   ? 9
                                  : attribute == 76 ? 0
                                                    : 132;
END CALL(DeviceTotalMem_v2, (size_t * bytes, int device), (bytes, device),
         not_permitted) * bytes = size_t{1} << 33;
END CALL(DevicePrimaryCtxRetain, (Handle * context, int device), (context, device),
         not_permitted) * context = new_handle();
END CALL(CtxSetCurrent, (Handle context), (context), not_permitted)
END CALL(MemGetInfo_v2, (size_t * free, size_t* total), (free, total),
         not_permitted) * free = *total = size_t{1} << 33;
END CALL(MemAlloc_v2, (Address * address, size_t bytes), (address, bytes),
         out_of_memory) void* block = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
if (!block) return out_of_memory;
std::memset(block, 0, bytes);
*address = reinterpret_cast<Address>(block);
END CALL(MemFree_v2, (Address address), (address),
         not_permitted) std::free(reinterpret_cast<void*>(address));
END CALL(MemAllocHost_v2, (void** block, size_t bytes), (block, bytes),
         out_of_memory) * block = std::calloc(1, bytes);
if (!*block) return out_of_memory;
END CALL(MemsetD32Async, (Address address, unsigned value, size_t count, Handle stream),
         (address, value, count, stream),
         not_permitted) for (size_t i = 0; i < count;
                             ++i) reinterpret_cast<unsigned*>(address)[i] = value;
END CALL(MemcpyHtoDAsync_v2, (Address target, const void* source, size_t bytes, Handle stream),
         (target, source, bytes, stream),
         not_permitted) std::memcpy(reinterpret_cast<void*>(target), source, bytes);
END CALL(MemcpyDtoHAsync_v2, (void* target, Address source, size_t bytes, Handle stream),
         (target, source, bytes, stream),
         not_permitted) std::memcpy(target, reinterpret_cast<void*>(source), bytes);
END CALL(StreamCreate, (Handle * stream, unsigned flags), (stream, flags),
         not_permitted) * stream = new_handle();
END CALL(StreamSynchronize, (Handle stream), (stream), not_permitted)
END CALL(StreamWaitEvent, (Handle stream, Handle event, unsigned flags), (stream, event, flags),
         not_permitted)
END CALL(EventCreate, (Handle * event, unsigned flags), (event, flags),
         not_permitted) * event = new_handle();
END CALL(EventRecord, (Handle event, Handle stream), (event, stream), not_permitted)
END CALL(ModuleLoadData, (Handle * module, const void* image), (module, image),
         not_permitted) * module = new_handle();
END CALL(ModuleUnload, (Handle module), (module), not_permitted) std::free(module);
END CALL(ModuleGetFunction, (Handle * function, Handle module, const char* name),
         (function, module, name), not_permitted) * function = module;
END CALL(LaunchKernel,
         (Handle function, unsigned x, unsigned y, unsigned z, unsigned tx, unsigned ty,
          unsigned tz, unsigned shared, Handle stream, void** parameters, void** extra),
         (function, x, y, z, tx, ty, tz, shared, stream, parameters, extra), not_permitted)
END CALL(GraphCreate, (Handle * graph, unsigned flags), (graph, flags),
         not_permitted) * graph = new_handle();
END CALL(GraphDestroy, (Handle graph), (graph), not_permitted) std::free(graph);
END CALL(GraphAddKernelNode,
         (Handle * node, Handle graph, const Handle* after, size_t count, const void* kernel),
         (node, graph, after, count, kernel), not_permitted) * node = graph;
END CALL(GraphInstantiateWithFlags, (Handle * executable, Handle graph, unsigned long long flags),
         (executable, graph, flags), not_permitted) * executable = new_handle();
END CALL(GraphExecKernelNodeSetParams, (Handle executable, Handle node, const void* kernel),
         (executable, node, kernel), not_permitted)
END CALL(GraphExecDestroy, (Handle executable), (executable), not_permitted) std::free(executable);
END CALL(GraphLaunch, (Handle executable, Handle stream), (executable, stream), not_permitted)
END CALL(LinkCreate_v2, (unsigned count, int* options, void** values, Handle* link),
         (count, options, values, link), not_permitted) * link = std::calloc(1, 64);
END CALL(LinkAddData_v2,
         (Handle link, int type, void* data, size_t bytes, const char* name, unsigned count,
          int* options, void** values),
         (link, type, data, bytes, name, count, options, values), not_permitted)
END CALL(LinkComplete, (Handle link, void** image, size_t* bytes), (link, image, bytes),
         not_permitted) * image = link;
*bytes = 64;
END CALL(LinkDestroy, (Handle link), (link), not_permitted) std::free(link);
END extern "C" Result cuGetErrorName(Result, const char** name) {
  *name = "CUDA_ERROR_INJECTED";
  return success;
}
extern "C" Result cuGetErrorString(Result, const char** text) {
  *text = "a failure that a test wanted";
  return success;
}
