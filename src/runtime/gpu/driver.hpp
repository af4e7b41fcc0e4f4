// The interface of a GPU's driver: memory, copies, code, launches and their order. There is one
// implementation for each family of GPUs, and one object for each device, which lives as long as
// the process. Calls that start work return the status of the driver, because failures of kernels
// appear at any later call and are reported with the names of the kernels (launch_log.hpp).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "compiler/plan/plan.hpp"
#include "compiler/schedule/gpu_schedule.hpp"
#include "tutti/error.hpp"

namespace tutti::runtime::gpu {

using Status = int;        // 0: success; else the driver's own number
using Address = uint64_t;  // in device memory
using Handle = void*;      // of a module, a function

constexpr Status success = 0;

// A kernel and all of its arguments.
struct KernelCall {
  Handle function = nullptr;
  schedule::Grid grid;
  std::span<const int64_t> words;
};

// A sequence of kernels that is started as one. Starting it costs the driver little more than one
// launch. The device does not wait for the host between its kernels.
class LaunchGraph {
 public:
  virtual ~LaunchGraph() = default;
  // Replaces the calls by others of the same functions, for the following launches.
  virtual Status replace(std::span<const KernelCall> calls) = 0;
  virtual Status launch() = 0;
};

// The work of a queue is done in order. One queue is for kernels, and for everything that belongs
// between them. The other is for copies that overlap with kernels.
enum class Queue : uint8_t { kernels, copies };

class Driver {
 public:
  virtual ~Driver() = default;

  // Directs the calls of this thread to this device. Throws DeviceError.
  virtual void make_current() = 0;

  // ---- memory; addresses are multiples of 256

  virtual Status allocate(size_t bytes, Address& address) = 0;
  virtual Status free(Address address) noexcept = 0;
  // Allocates memory of the host that kernels may write, at the same address. It is never freed.
  virtual Status allocate_pinned(size_t bytes, void*& block) = 0;
  virtual Status clear(Address address, size_t bytes) = 0;  // whole words, in the kernel queue
  virtual Status copy_to_host(void* target, Address source, size_t bytes, Queue queue) = 0;
  // The source has been read when it returns, unless the source is pinned.
  virtual Status copy_from_host(Address target, const void* source, size_t bytes, Queue queue) = 0;

  // ---- order

  virtual Status wait(Queue queue) = 0;
  // Work given to `then` after this call starts after all work given to `first` before it.
  virtual Status order(Queue first, Queue then) = 0;
  virtual void* stream() const = 0;  // the driver's own handle of the kernel queue

  // ---- code

  virtual void start_assembler() {}  // loads the assembler, if it is a separate library
  // Converts the output of the device's compiler to the input of load(), which the disk cache
  // stores. Throws CompileError.
  virtual std::string assemble(const std::string& code) = 0;
  virtual Status load(const std::string& assembled, Handle& module) = 0;
  virtual Status find_kernel(Handle module, Handle& function) = 0;
  virtual void unload(Handle module) noexcept = 0;

  // ---- launches, in the queue of kernels

  virtual Status launch(const KernelCall& call) = 0;
  virtual std::unique_ptr<LaunchGraph> make_graph(
      std::span<const KernelCall> calls) = 0;  // throws DeviceError
  // Multiplies by a vendor library. Returns false if there is none, or if it lacks this product.
  virtual bool multiply(const compiler::ProductStep& step, Address a, Address b, Address c) = 0;

  // ---- times

  // A mark is reached when all work given to the kernel queue before it has ended.
  virtual Status make_mark(Handle& mark) = 0;
  virtual Status set_mark(Handle mark) = 0;
  virtual bool is_reached(Handle mark) = 0;
  virtual Status nanoseconds_between(Handle first, Handle last, double& nanoseconds) = 0;

  // ---- errors

  virtual std::string describe(Status status) const = 0;
  virtual bool is_out_of_memory(Status status) const = 0;
  virtual bool is_lost(Status status) const = 0;  // every later call fails too

  // Throws DeviceError with the name of the attempted operation.
  void check(Status status, const char* what) const {
    if (status != success) throw DeviceError(std::string(what) + ": " + describe(status));
  }
};

}  // namespace tutti::runtime::gpu
