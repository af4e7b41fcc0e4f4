#include "runtime/cuda/cuda_driver.hpp"

#include <mutex>

#include "runtime/cuda/blas.hpp"
#include "runtime/cuda/driver_stack.hpp"
#include "runtime/cuda/graph.hpp"

namespace tutti::runtime::cuda {

using gpu::KernelCall;
using gpu::Queue;

CudaDriver::CudaDriver(int device) : cu_(*driver()) {
  constexpr unsigned without_default_stream = 1, without_timing = 2;
  cuda::check(call_with_stack(driver_stack_bytes,
                              [&] { return cu_.DevicePrimaryCtxRetain(&context_, device); }),
              "starting the device");
  make_current();
  for (Ordered* queue : {&kernels_, &copies_}) {
    cuda::check(
        on_driver_stack(context_,
                        [&] { return cu_.StreamCreate(&queue->stream, without_default_stream); }),
        "creating a stream");
    cuda::check(cu_.EventCreate(&queue->done, without_timing), "creating an event");
  }
}

// ---- memory

Result CudaDriver::allocate(size_t bytes, Address& address) {
  return on_driver_stack(context_, [&] { return cu_.MemAlloc_v2(&address, bytes); });
}
Result CudaDriver::free(Address address) noexcept { return cu_.MemFree_v2(address); }
Result CudaDriver::allocate_pinned(size_t bytes, void*& block) {
  return on_driver_stack(context_, [&] { return cu_.MemAllocHost_v2(&block, bytes); });
}
Result CudaDriver::clear(Address address, size_t bytes) {
  return on_driver_stack(
      context_, [&] { return cu_.MemsetD32Async(address, 0, bytes / 4, kernels_.stream); });
}
Result CudaDriver::copy_to_host(void* target, Address source, size_t bytes, Queue queue) {
  return on_driver_stack(
      context_, [&] { return cu_.MemcpyDtoHAsync_v2(target, source, bytes, of(queue).stream); });
}
Result CudaDriver::copy_from_host(Address target, const void* source, size_t bytes, Queue queue) {
  return on_driver_stack(
      context_, [&] { return cu_.MemcpyHtoDAsync_v2(target, source, bytes, of(queue).stream); });
}

// ---- order

Result CudaDriver::wait(Queue queue) { return cu_.StreamSynchronize(of(queue).stream); }

Result CudaDriver::order(Queue first, Queue then) {
  const Result result = cu_.EventRecord(of(first).done, of(first).stream);
  return result == success ? cu_.StreamWaitEvent(of(then).stream, of(first).done, 0) : result;
}

// ---- code

// Converts PTX to machine code by the driver's linker. Machine code loads ten times faster than
// PTX.
std::string CudaDriver::assemble(const std::string& ptx) {
  return on_driver_stack(context_, [&] { return link(ptx); }, least_compiler_stack_bytes);
}

std::string CudaDriver::link(const std::string& ptx) {
  constexpr int input_ptx = 1;
  Handle link = nullptr;
  char log[4096] = {};
  int options[] = {5, 6};  // error log, its size
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  cuda::check(cu_.LinkCreate_v2(2, options, values, &link), "starting the assembler");
  void* cubin = nullptr;
  size_t bytes = 0;
  Result result = cu_.LinkAddData_v2(link, input_ptx, const_cast<char*>(ptx.c_str()),
                                     ptx.size() + 1, "tutti", 0, nullptr, nullptr);
  if (result == success) result = cu_.LinkComplete(link, &cubin, &bytes);
  if (result != success) {
    cu_.LinkDestroy(link);
    throw CompileError("the driver refused the PTX of a kernel: " + std::string(log));
  }
  std::string code(static_cast<const char*>(cubin), bytes);
  cu_.LinkDestroy(link);
  return code;
}

// Assembles a trivial kernel, because the driver loads its assembler with the first assembly.
void CudaDriver::start_assembler() {
  static auto* const once = new std::once_flag;
  std::call_once(*once, [&] {
    try {
      static_cast<void>(assemble(
          ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry kernel() { ret; }\n"));
    } catch (const CompileError&) {
      // ignored: the assembler is loaded, even if it does not know this target
    }
  });
}

Result CudaDriver::load(const std::string& cubin, Handle& module) {
  return on_driver_stack(context_, [&] { return cu_.ModuleLoadData(&module, cubin.data()); });
}
Result CudaDriver::find_kernel(Handle module, Handle& function) {
  return on_driver_stack(context_,
                         [&] { return cu_.ModuleGetFunction(&function, module, "kernel"); });
}
void CudaDriver::unload(Handle module) noexcept { cu_.ModuleUnload(module); }

// ---- launches

Result CudaDriver::launch(const KernelCall& call) {
  size_t bytes = call.words.size_bytes();
  void* config[] = {reinterpret_cast<void*>(1), const_cast<int64_t*>(call.words.data()),
                    reinterpret_cast<void*>(2), &bytes, nullptr};
  return on_driver_stack(context_, [&] {
    return cu_.LaunchKernel(call.function, call.grid.x, call.grid.y, 1, call.grid.threads_x,
                            call.grid.threads_y, 1, 0, kernels_.stream, nullptr, config);
  });
}

std::unique_ptr<gpu::LaunchGraph> CudaDriver::make_graph(std::span<const KernelCall> calls) {
  return on_driver_stack(context_,
                         [&] { return std::make_unique<Graph>(context_, kernels_.stream, calls); });
}

bool CudaDriver::multiply(const compiler::ProductStep& step, Address a, Address b, Address c) {
  return on_driver_stack(context_, [&] { return blas_multiply(step, a, b, c, kernels_.stream); });
}

// ---- times

Result CudaDriver::make_mark(Handle& mark) { return cu_.EventCreate(&mark, 0); }
Result CudaDriver::set_mark(Handle mark) { return cu_.EventRecord(mark, kernels_.stream); }
bool CudaDriver::is_reached(Handle mark) { return cu_.EventQuery(mark) == success; }
Result CudaDriver::nanoseconds_between(Handle first, Handle last, double& nanoseconds) {
  float milliseconds = 0;
  const Result result = cu_.EventElapsedTime(&milliseconds, first, last);
  nanoseconds = 1e6 * static_cast<double>(milliseconds);
  return result;
}

// ---- errors

// After errors of these numbers (an illegal address, a trap, a failed launch, ...) every later call
// fails too.
bool CudaDriver::is_lost(Result result) const { return result >= 700 && result < 720; }

}  // namespace tutti::runtime::cuda
