// The CUDA driver, loaded at run time: neither building nor running needs the toolkit. A machine
// without the driver has no such device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::runtime::cuda {

using Result = int;
using Address = uint64_t;  // in device memory
using Handle = void*;      // contexts, streams, modules, functions, events, graphs

// A kernel of a graph, as the driver declares it (CUDA_KERNEL_NODE_PARAMS_v1).
struct KernelNode {
  Handle function;
  unsigned grid_x, grid_y, grid_z, threads_x, threads_y, threads_z, shared_bytes;
  void** parameters;
  void** extra;
};

// One function pointer for each driver call used, named as in the driver API without "cu".
struct DriverTable {
  Result (*Init)(unsigned);
  Result (*DriverGetVersion)(int*);
  Result (*DeviceGetCount)(int*);
  Result (*DeviceGet)(int*, int);
  Result (*DeviceGetName)(char*, int, int);
  Result (*DeviceGetAttribute)(int*, int, int);
  Result (*DeviceTotalMem_v2)(size_t*, int);
  Result (*DevicePrimaryCtxRetain)(Handle*, int);
  Result (*CtxSetCurrent)(Handle);
  Result (*MemGetInfo_v2)(size_t*, size_t*);
  Result (*MemAlloc_v2)(Address*, size_t);
  Result (*MemFree_v2)(Address);
  Result (*MemAllocHost_v2)(void**, size_t);
  Result (*MemsetD32Async)(Address, unsigned, size_t, Handle);
  Result (*MemcpyHtoDAsync_v2)(Address, const void*, size_t, Handle);
  Result (*MemcpyDtoHAsync_v2)(void*, Address, size_t, Handle);
  Result (*StreamCreate)(Handle*, unsigned);
  Result (*StreamSynchronize)(Handle);
  Result (*StreamWaitEvent)(Handle, Handle, unsigned);
  Result (*EventCreate)(Handle*, unsigned);
  Result (*EventRecord)(Handle, Handle);
  Result (*EventQuery)(Handle);
  Result (*EventElapsedTime)(float*, Handle, Handle);
  Result (*ModuleLoadData)(Handle*, const void*);
  Result (*ModuleUnload)(Handle);
  Result (*ModuleGetFunction)(Handle*, Handle, const char*);
  Result (*LaunchKernel)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                         unsigned, Handle, void**, void**);
  Result (*GraphCreate)(Handle*, unsigned);
  Result (*GraphDestroy)(Handle);
  Result (*GraphAddKernelNode)(Handle*, Handle, const Handle*, size_t, const KernelNode*);
  Result (*GraphInstantiateWithFlags)(Handle*, Handle, unsigned long long);
  Result (*GraphExecKernelNodeSetParams)(Handle, Handle, const KernelNode*);
  Result (*GraphExecDestroy)(Handle);
  Result (*GraphLaunch)(Handle, Handle);
  Result (*LinkCreate_v2)(unsigned, int*, void**, Handle*);
  Result (*LinkAddData_v2)(Handle, int, void*, size_t, const char*, unsigned, int*, void**);
  Result (*LinkComplete)(Handle, void**, size_t*);
  Result (*LinkDestroy)(Handle);
  Result (*GetErrorName)(Result, const char**);
  Result (*GetErrorString)(Result, const char**);
};

const DriverTable* driver();  // null if there is none, or if it does not start
const std::string& driver_problem();

constexpr Result success = 0, out_of_memory = 2;

std::string describe(Result result);  // the driver's name and description of an error

// Throws DeviceError with the name of the attempted operation.
[[noreturn]] void fail(Result result, const char* what);
inline void check(Result result, const char* what) {
  if (result != success) fail(result, what);
}

// Makes a context the current one of this thread.
void use_context(Handle context);
Result try_use_context(Handle context) noexcept;  // the same for destructors

}  // namespace tutti::runtime::cuda
