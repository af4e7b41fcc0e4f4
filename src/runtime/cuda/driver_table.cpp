#include "runtime/cuda/driver_table.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "core/process/fork.hpp"
#include "runtime/cuda/driver_stack.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::cuda {
namespace {

constexpr Result not_initialised = 3;
constexpr const char* gpu_after_fork =
    "a GPU that was used before fork() cannot be used in the child; the child can use the CPU, or "
    "start another program (exec)";

struct Loaded {
  DriverTable driver{};
  bool usable = false;
  std::string problem;
  const pid_t started = getpid();

  Loaded() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      problem = "libcuda.so.1 was not found";
      return;
    }
    const char* missing = nullptr;
#define TUTTI_LOAD(name)                                                             \
  driver.name = reinterpret_cast<decltype(driver.name)>(dlsym(library, "cu" #name)); \
  if (!driver.name) missing = "cu" #name;
    TUTTI_LOAD(Init)
    TUTTI_LOAD(DriverGetVersion)
    TUTTI_LOAD(DeviceGetCount)
    TUTTI_LOAD(DeviceGet)
    TUTTI_LOAD(DeviceGetName)
    TUTTI_LOAD(DeviceGetAttribute)
    TUTTI_LOAD(DeviceTotalMem_v2)
    TUTTI_LOAD(DevicePrimaryCtxRetain)
    TUTTI_LOAD(CtxSetCurrent)
    TUTTI_LOAD(MemGetInfo_v2)
    TUTTI_LOAD(MemAlloc_v2)
    TUTTI_LOAD(MemFree_v2)
    TUTTI_LOAD(MemAllocHost_v2)
    TUTTI_LOAD(MemsetD32Async)
    TUTTI_LOAD(MemcpyHtoDAsync_v2)
    TUTTI_LOAD(MemcpyDtoHAsync_v2)
    TUTTI_LOAD(StreamCreate)
    TUTTI_LOAD(StreamSynchronize)
    TUTTI_LOAD(StreamWaitEvent)
    TUTTI_LOAD(EventCreate)
    TUTTI_LOAD(EventRecord)
    TUTTI_LOAD(EventQuery)
    TUTTI_LOAD(EventElapsedTime)
    TUTTI_LOAD(ModuleLoadData)
    TUTTI_LOAD(ModuleUnload)
    TUTTI_LOAD(ModuleGetFunction)
    TUTTI_LOAD(LaunchKernel)
    TUTTI_LOAD(GraphCreate)
    TUTTI_LOAD(GraphDestroy)
    TUTTI_LOAD(GraphAddKernelNode)
    TUTTI_LOAD(GraphInstantiateWithFlags)
    TUTTI_LOAD(GraphExecKernelNodeSetParams)
    TUTTI_LOAD(GraphExecDestroy)
    TUTTI_LOAD(GraphLaunch)
    TUTTI_LOAD(LinkCreate_v2)
    TUTTI_LOAD(LinkAddData_v2)
    TUTTI_LOAD(LinkComplete)
    TUTTI_LOAD(LinkDestroy)
    TUTTI_LOAD(GetErrorName)
    TUTTI_LOAD(GetErrorString)
#undef TUTTI_LOAD
    if (missing) {
      problem = std::string("the driver has no ") + missing;
      return;
    }
    int count = 0;
    if (driver.Init(0) != success || driver.DeviceGetCount(&count) != success || count == 0) {
      problem = "the driver found no device";
      return;
    }
    usable = true;
  }
};

const Loaded& loaded() {
  static const Loaded* instance = call_with_stack(driver_stack_bytes, [] { return new Loaded; });
  return *instance;
}

// Returns whether the driver was started by the parent of this process.
bool forked_since_start() noexcept { return forked() && getpid() != loaded().started; }

}  // namespace

const DriverTable* driver() { return loaded().usable ? &loaded().driver : nullptr; }
const std::string& driver_problem() { return loaded().problem; }

void use_context(Handle context) {
  if (forked_since_start()) throw DeviceError(gpu_after_fork);
  check(try_use_context(context), "using the device");
}

Result try_use_context(Handle context) noexcept {
  thread_local Handle current = nullptr;
  if (forked_since_start()) return not_initialised;
  if (current == context) return success;
  const Result result = driver()->CtxSetCurrent(context);
  if (result == success) current = context;
  return result;
}

std::string describe(Result result) {
  const char *name = "unknown error", *text = "";
  loaded().driver.GetErrorName(result, &name);
  loaded().driver.GetErrorString(result, &text);
  return std::string(name ? name : "") + " (" + (text ? text : "") + ")";
}

void fail(Result result, const char* what) {
  throw DeviceError(std::string(what) + ": " + describe(result));
}

}  // namespace tutti::runtime::cuda
